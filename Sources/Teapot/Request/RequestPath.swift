import Foundation

/// A percent-encoded path in the form in which it is checked and sent.
///
/// Servers, FoundationNetworking and each version of libcurl treat `..` and `%2e%2e` differently, and libcurl 8.23 writes escapes
/// in uppercase. A path that Teapot sends has no dot segments and uppercase escapes, so that all of them leave it unchanged.
package struct RequestPath {
    /// Whether the path is empty, without even a slash.
    let isEmpty: Bool
    /// The path without its leading slash.
    private let relative: Substring

    init(_ encoded: String) {
        isEmpty = encoded.isEmpty
        let encoded = PercentEncoding.uppercaseEscapes(encoded)
        relative = encoded.utf8.first == UInt8(ascii: "/") ? encoded.dropFirst() : encoded[...]
    }

    /// The path without leading slash and dot segments (RFC 3986, section 5.2.4). A base at its beginning is its root.
    /// - Throws: `invalidRequestPath` if the dot segments climb above the root, or if there is an encoded NUL, at which some
    ///   servers cut off the path: `..%00` would become `..` there.
    func resolved(below base: String = "") throws(TeapotError) -> String {
        let plain = String(relative)
        guard !Self.isPlain(plain) else { return plain }
        guard !relative.contains("%00") else {
            throw .invalidRequestPath(reason: "the path contains an encoded NUL, %00")
        }
        let segments = relative.split(separator: "/", omittingEmptySubsequences: false)
        let floor = base.isEmpty ? [] : base.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        let fixed = segments.starts(with: floor) ? floor.count : 0
        let (kept, climbs) = Self.withoutDotSegments(segments, below: fixed)
        guard !climbs, !Self.climbsOnceDecoded(kept.dropFirst(fixed)) else {
            throw .invalidRequestPath(reason: "the dot segments climb above the base URL's path")
        }
        return kept.joined(separator: "/")
    }

    /// Resolves dot segments, none of which climbs above the root, and writes escapes in uppercase: for the path of a base URL, a
    /// redirect, a plugin or a recording.
    package static func normalized(_ path: String) -> String {
        guard !isPlain(path) else { return path }
        let segments = PercentEncoding.uppercaseEscapes(path).utf8
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(Substring.init)
        return withoutDotSegments(segments, below: path.utf8.first == UInt8(ascii: "/") ? 1 : 0).kept.joined(
            separator: "/"
        )
    }

    /// RFC 3986, section 5.2.4; an encoded dot is a dot (section 6.2.2.2).
    private static func withoutDotSegments(_ segments: [Substring], below fixed: Int) -> (
        kept: [Substring], climbs: Bool
    ) {
        var kept = Array(segments.prefix(fixed))
        var climbs = false
        for (index, segment) in segments.enumerated().dropFirst(fixed) {
            let isLast = index == segments.count - 1
            switch unescapedDots(segment) {
            case ".": if isLast { kept.append("") }
            case "..":
                if kept.count > fixed { kept.removeLast() } else { climbs = true }
                if isLast { kept.append("") }
            default: kept.append(segment)
            }
        }
        return (kept, climbs)
    }

    /// Whether a text is a path of unreserved characters (RFC 3986, section 2.3) in which no segment begins with a dot. Most
    /// are, and need no second look.
    static func isPlain(_ text: String) -> Bool {
        var isAtStart = true
        for byte in text.utf8 {
            guard plainBytes.contains(byte), !isAtStart || byte != UInt8(ascii: ".") else { return false }
            isAtStart = byte == UInt8(ascii: "/")
        }
        return true
    }

    private static let plainBytes = ByteSet(ByteSet.alphanumerics + "/-._~")

    /// Whether the segments climb above the root on a server that decodes before it splits, where an encoded slash or backslash
    /// is a separator, or that collapses slashes, or that drops parameters after a semicolon (RFC 3986, section 3.3).
    private static func climbsOnceDecoded(_ segments: ArraySlice<Substring>) -> Bool {
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

    private static func unescapedDots(_ segment: Substring) -> String {
        segment.utf8.count <= 6 ? segment.lowercased().replacingOccurrences(of: "%2e", with: ".") : ""
    }
}
