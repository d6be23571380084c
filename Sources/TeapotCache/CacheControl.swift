import Teapot

/// The directives of a `Cache-Control` field (RFC 9111, section 5.2).
struct CacheControl: Sendable {
    private let directives: [(name: String, value: String)]

    init(_ field: String?) {
        var scanner = FieldScanner("," + (field ?? ""))
        directives = scanner.parameters(isList: true)
    }

    func has(_ name: String) -> Bool { value(of: name) != nil }

    /// The seconds of a directive; `nil` without it. An invalid number is zero: the response is stale (section 4.2.1).
    func seconds(_ name: String) -> TimeInterval? { value(of: name).map { Self.seconds($0) ?? 0 } }

    /// The first of repeated directives counts (section 4.2.1).
    private func value(of name: String) -> String? { directives.first { $0.name == name }?.value }

    /// A number of seconds, and 2^31 for a larger one (section 1.2.2); `nil` if it is invalid.
    static func seconds(_ text: String) -> TimeInterval? { number(text).map { TimeInterval(min($0, 1 << 31)) } }

    /// A number of digits only, and 2^48 for a larger one; `nil` if it is invalid.
    static func number(_ text: String) -> Int? {
        guard !text.isEmpty, ByteSet.digits.contains(allOf: text) else { return nil }
        return min(ByteSet.number(of: text) ?? .max, 1 << 48)
    }
}
