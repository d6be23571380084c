internal import Foundation

/// The text a caller gives as a path, in its three parts, with stray characters encoded.
struct PathReference {
    let path: RequestPath
    /// What follows the first `?`, as it stands.
    let query: String?
    /// `#` and what follows it, or nothing. It never leaves this machine (RFC 9110, section 7.1).
    let fragment: String

    init(_ text: String) {
        let fragmentStart = text.firstIndex(of: "#") ?? text.endIndex
        let target = text[..<fragmentStart]
        let queryStart = target.firstIndex(of: "?") ?? target.endIndex
        path = RequestPath(PercentEncoding.encodeStray(target[..<queryStart]))
        query = queryStart == target.endIndex ? nil : PercentEncoding.encodeStray(target[queryStart...].dropFirst())
        let rest = text[fragmentStart...].dropFirst()
        fragment = rest.isEmpty ? "" : "#" + PercentEncoding.encodeStray(rest)
    }
}
