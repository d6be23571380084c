import Teapot

/// The directives of a `Cache-Control` field (RFC 9111, section 5.2).
struct CacheControl: Sendable {
    private let directives: [String: String]

    init(_ field: String?) {
        var scanner = FieldScanner(",\(field ?? "")")
        // The first of repeated directives counts (section 4.2.1).
        directives = Dictionary(scanner.parameters(isList: true)) { first, _ in first }
    }

    func has(_ name: String) -> Bool { directives[name] != nil }

    /// The seconds of a directive; `nil` if it is missing. An invalid number counts as zero, so that the response is stale
    /// (section 4.2.1).
    func seconds(_ name: String) -> TimeInterval? { directives[name].map { Self.seconds($0) ?? 0 } }

    /// A number of seconds, and 2^31 for a larger one (section 1.2.2); `nil` if it is invalid.
    static func seconds(_ text: String) -> TimeInterval? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return TimeInterval(min(Int(text) ?? .max, 2_147_483_648))
    }
}
