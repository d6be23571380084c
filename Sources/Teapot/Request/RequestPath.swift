import Foundation

/// A caller's path in the form in which it is checked and sent: percent-encoded, with its query and fragment apart.
/// Servers, FoundationNetworking and each version of libcurl treat `..` and `%2e%2e` differently, and libcurl 8.23
/// writes escapes in uppercase. All leave a path unchanged that has no dot segments and uppercase escapes.
package struct RequestPath {
    let path: String
    /// The text after the first `?`; `nil` without one.
    let query: String?
    /// `#` and the text after it, or nothing. It is never sent (RFC 9110, section 7.1).
    let fragment: String

    init(_ text: Substring) {
        let (target, fragment) = Self.split(text, at: UInt8(ascii: "#"))
        let (path, query) = Self.split(target, at: UInt8(ascii: "?"))
        self.path = PercentEncoding.uppercaseEscapes(PercentEncoding.encodeStray(path))
        self.query = query.map(PercentEncoding.encodeStray)
        self.fragment = if let fragment, !fragment.isEmpty { "#" + PercentEncoding.encodeStray(fragment) } else { "" }
    }

    /// Splits by bytes: a delimiter with a combining character after it is another `Character`, but still a delimiter.
    fileprivate static func split(_ text: Substring, at delimiter: UInt8) -> (Substring, Substring?) {
        guard let index = text.utf8.firstIndex(of: delimiter) else { return (text, nil) }
        return (text[..<index], Substring(text.utf8[index...].dropFirst()))
    }

    /// The path without leading slash and dot segments (RFC 3986, section 5.2.4). A base at its beginning is its root.
    /// Throws `invalidRequestPath` if the dot segments climb above the root, or if there is an encoded NUL, at which
    /// some servers cut off the path: `..%00` would become `..` there.
    func resolved(below base: String = "") throws(TeapotError) -> String {
        let relative = path.hasPrefix("/") ? String(path.dropFirst()) : path
        guard !Self.isPlain(relative) else { return relative }
        guard !relative.contains("%00") else {
            throw .invalidRequestPath(reason: "the path contains an encoded NUL, %00")
        }
        let isBelow = !base.isEmpty && "/\(relative)/".hasPrefix(base + "/")
        let fixed = isBelow ? Self.segments(of: base).count - 1 : 0
        let (kept, climbs) = Self.withoutDotSegments(Self.segments(of: relative), below: fixed)
        guard !climbs, !Self.climbsOnceDecoded(Array(kept.dropFirst(fixed))) else {
            throw .invalidRequestPath(reason: "the dot segments climb above the base URL's path")
        }
        return kept.joined(separator: "/")
    }

    /// Resolves dot segments, none of which climbs above the root, and writes escapes in uppercase: for the path of a
    /// base URL, a redirect, a plugin or a recording.
    package static func normalized(_ path: String) -> String {
        guard !isPlain(path) else { return path }
        let segments = segments(of: PercentEncoding.uppercaseEscapes(path))
        let fixed = path.utf8.first == UInt8(ascii: "/") ? 1 : 0
        return withoutDotSegments(segments, below: fixed).kept.joined(separator: "/")
    }

    private static func segments(of path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { String(Substring($0)) }
    }

    /// RFC 3986, section 5.2.4; an encoded dot is a dot (section 6.2.2.2).
    private static func withoutDotSegments(_ segments: [String], below fixed: Int) -> (kept: [String], climbs: Bool) {
        var kept: [String] = []
        var climbs = false
        for segment in segments {
            switch kept.count < fixed ? "" : unescapedDots(segment) {
            case ".": continue
            case "..": if kept.count > fixed { kept.removeLast() } else { climbs = true }
            default: kept.append(segment)
            }
        }
        // A dot segment at the end leaves a slash.
        if segments.count > fixed, let last = segments.last, [".", ".."].contains(unescapedDots(last)) {
            kept.append("")
        }
        return (kept, climbs)
    }

    /// Whether a path has, as most, only unreserved characters (RFC 3986, section 2.3) and no dot beginning a segment.
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
    private static func climbsOnceDecoded(_ segments: [String]) -> Bool {
        var path = segments.joined(separator: "/").lowercased()
        for (escape, character) in [("%2f", "/"), ("%5c", "/"), ("%3b", ";")] {
            path = path.replacingOccurrences(of: escape, with: character)
        }
        let parts = Self.segments(of: path).filter { !$0.isEmpty }.map { $0.components(separatedBy: ";").first ?? "" }
        return withoutDotSegments(parts, below: 0).climbs
    }

    private static func unescapedDots(_ segment: String) -> String {
        segment.utf8.count <= 6 ? segment.lowercased().replacingOccurrences(of: "%2e", with: ".") : ""
    }
}

extension URL {
    /// The URL with the path that all versions of libcurl send as it is.
    var withNormalizedPath: URL {
        let own = path(percentEncoded: true)
        let path = RequestPath.normalized(own)
        guard path != own, var components = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return self }
        components.percentEncodedPath = path
        return components.url ?? self
    }

    /// The URL of a reference in a response (RFC 3986, section 5), if valid, without user information and fragment.
    package func resolving(_ reference: String) -> URL? {
        guard !reference.holdsControlCharacters else { return nil }
        let (target, _) = RequestPath.split(reference[...], at: UInt8(ascii: "#"))
        // Brackets are allowed in a URL only around an IPv6 address.
        let address =
            target.contains("[")
            ? target.prefixMatch(of: /([A-Za-z][A-Za-z0-9+.\-]*:)?\/\/\[[0-9A-Fa-f:.]+\]/)?.output.0 ?? "" : ""
        let encoded = String(address) + PercentEncoding.encodeStray(target.dropFirst(address.count))
        // Foundation makes no URL from an empty text, which stands for the same document.
        let resolved = encoded.isEmpty ? self : URL(string: encoded, relativeTo: self)?.absoluteURL
        guard let resolved, var parts = URLComponents(url: resolved, resolvingAgainstBaseURL: true) else { return nil }
        parts.scheme = parts.scheme?.lowercased()
        return parts.url?.withoutUserInformation.withNormalizedPath
    }
}
