import Foundation

/// A caller's path in three parts, with invalid characters encoded.
struct PathReference {
    let path: RequestPath
    /// The text after the first `?`, unchanged.
    let query: String?
    /// `#` and the text after it, or nothing. It is never sent (RFC 9110, section 7.1).
    let fragment: String

    /// Splits by bytes: a combining character after a delimiter makes a different `Character`, but not a different delimiter.
    init(_ text: Substring) {
        let bytes = text.utf8
        let fragmentStart = bytes.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex
        let queryStart = bytes[..<fragmentStart].firstIndex(of: UInt8(ascii: "?")) ?? fragmentStart
        let afterQueryMark = bytes[queryStart..<fragmentStart].dropFirst().startIndex
        let afterFragmentMark = bytes[fragmentStart...].dropFirst().startIndex
        path = RequestPath(PercentEncoding.encodeStray(text[..<queryStart]))
        query = queryStart == fragmentStart ? nil : PercentEncoding.encodeStray(text[afterQueryMark..<fragmentStart])
        let rest = text[afterFragmentMark...]
        fragment = rest.isEmpty ? "" : "#" + PercentEncoding.encodeStray(rest)
    }
}
