internal import Teapot

/// The directives of a `Cache-Control` field (RFC 9111, section 5.2).
struct CacheControl: Sendable {
    private var directives: [String: String] = [:]

    init(_ field: String?) {
        var isQuoted = false
        let items = (field ?? "").utf8.split { byte in
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            return byte == UInt8(ascii: ",") && !isQuoted
        }
        for item in items {
            let parts = item.split(separator: UInt8(ascii: "="), maxSplits: 1).map {
                String(Substring($0)).trimmingCharacters(in: CharacterSet(charactersIn: " \t\""))
            }
            // Of several the first counts (section 4.2.1).
            guard let name = parts.first?.lowercased(), directives[name] == nil else { continue }
            directives[name] = parts.dropFirst().first ?? ""
        }
    }

    func has(_ name: String) -> Bool { directives[name] != nil }

    /// The seconds of a directive; `nil` without it. An invalid number counts as zero, so that the response is stale (section
    /// 4.2.1).
    func seconds(_ name: String) -> TimeInterval? { directives[name].map { Self.seconds($0) ?? 0 } }

    /// A number of seconds, and 2^31 for a larger one (section 1.2.2); `nil` if it is none.
    static func seconds(_ text: String) -> TimeInterval? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return TimeInterval(min(Int(text) ?? .max, 2_147_483_648))
    }
}
