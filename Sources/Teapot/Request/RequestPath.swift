internal import Foundation

/// A percent-encoded path whose dot segments are resolved before it is sent.
///
/// libcurl, FoundationNetworking and servers differ in what they do with `..` and `%2E%2E`; a path that Teapot sends holds
/// none, so that it means the same to all of them.
struct RequestPath {
    /// Whether there is no path at all, not even a slash.
    let isEmpty: Bool
    /// The path without its leading slash.
    private let relative: Substring

    init(_ encoded: String) {
        isEmpty = encoded.isEmpty
        relative = encoded.utf8.first == UInt8(ascii: "/") ? encoded.dropFirst() : encoded[...]
    }

    /// The path without its leading slash and without dot segments (RFC 3986, section 5.2.4). A base that it begins with is its root.
    ///
    /// - Throws: `invalidRequestPath` when the dot segments climb above the root.
    func resolved(below base: String = "") throws(TeapotError) -> String {
        guard mayHoldDotSegments else { return String(relative) }
        let segments = relative.split(separator: "/", omittingEmptySubsequences: false)
        let floor = base.isEmpty ? [] : base.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        var kept: [Substring] = segments.starts(with: floor) ? Array(floor) : []
        let fixed = kept.count
        for (index, segment) in segments.enumerated().dropFirst(fixed) {
            let isLast = index == segments.count - 1
            switch Self.unescapedDots(segment) {
            case ".": if isLast { kept.append("") }
            case "..":
                guard kept.count > fixed else { throw Self.climbs }
                kept.removeLast()
                if isLast { kept.append("") }
            default: kept.append(segment)
            }
        }
        guard !Self.climbsOnceDecoded(kept.dropFirst(fixed)) else { throw Self.climbs }
        return kept.joined(separator: "/")
    }

    /// Whether a segment begins with a dot, or any octet is encoded. Most paths are none of that, and need no second look.
    private var mayHoldDotSegments: Bool {
        var isAtStart = true
        for byte in relative.utf8 {
            if byte == UInt8(ascii: "%") || isAtStart && byte == UInt8(ascii: ".") { return true }
            isAtStart = byte == UInt8(ascii: "/")
        }
        return false
    }

    private static var climbs: TeapotError {
        .invalidRequestPath(reason: "the dot segments climb above the base URL's path")
    }

    /// Whether the segments lead above the root on a server that decodes before it splits, so that an encoded slash or
    /// backslash is a separator, to which several slashes are one, or which takes what follows a semicolon for parameters
    /// (RFC 3986, section 3.3) and drops it.
    private static func climbsOnceDecoded(_ segments: some Sequence<Substring>) -> Bool {
        let path = segments.joined(separator: "/").lowercased()
        var depth = 0
        for part in path.replacing("%2f", with: "/").replacing("%5c", with: "/").split(separator: "/") {
            switch unescapedDots(part.replacing("%3b", with: ";").prefix { $0 != ";" }) {
            case ".": continue
            case "..": depth -= 1
            default: depth += 1
            }
            if depth < 0 { return true }
        }
        return false
    }

    private static func unescapedDots(_ segment: some StringProtocol) -> String {
        segment.count <= 6 ? segment.lowercased().replacingOccurrences(of: "%2e", with: ".") : ""
    }
}

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
