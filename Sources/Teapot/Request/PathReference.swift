internal import Foundation

/// The text a caller gives as a path, in its three parts, with stray characters encoded.
struct PathReference {
    let path: RequestPath
    /// What follows the first `?`, as it stands.
    let query: String?
    /// `#` and what follows it, or nothing. It never leaves this machine (RFC 9110, section 7.1).
    let fragment: String

    /// By bytes: a combining character behind a delimiter makes another `Character` of it, but not another delimiter.
    init(_ text: some StringProtocol) {
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
