import Foundation

/// A caller's path in three parts, with invalid characters encoded.
struct PathReference {
    let path: RequestPath
    /// The text after the first `?`; `nil` without one.
    let query: String?
    /// `#` and the text after it, or nothing. It is never sent (RFC 9110, section 7.1).
    let fragment: String

    init(_ text: Substring) {
        let (target, fragment) = Self.split(text, at: UInt8(ascii: "#"))
        let (path, query) = Self.split(target, at: UInt8(ascii: "?"))
        self.path = RequestPath(PercentEncoding.encodeStray(path))
        self.query = query.map(PercentEncoding.encodeStray)
        self.fragment = if let fragment, !fragment.isEmpty { "#" + PercentEncoding.encodeStray(fragment) } else { "" }
    }

    /// Splits by bytes, because a combining character after a delimiter makes a different `Character`, but not a different delimiter.
    private static func split(_ text: Substring, at delimiter: UInt8) -> (Substring, Substring?) {
        guard let index = text.utf8.firstIndex(of: delimiter) else { return (text, nil) }
        return (text[..<index], Substring(text.utf8[index...].dropFirst()))
    }
}
