import Foundation

/// A base URL in parts, to which paths are joined.
final class BaseURL: Sendable {
    /// The credential from the user information of the URL, which never appears in a request's URL.
    let credential: Credential?
    /// Its `Authorization`.
    var authorization: String? { credential?.value }

    private let origin: Origin
    /// Scheme and authority, without user information: `http://127.0.0.1:8080`.
    private let root: String
    /// The normalized path.
    private let ownPath: String
    /// The path without a slash at its end.
    private let path: String
    private let query: String?
    /// ``root`` and ``path`` with a slash at the end.
    private let directory: String

    /// Splits a base URL; `nil` unless it is an http or https URL with a host and a valid port, and any user information can be
    /// expressed in the Basic scheme.
    init?(_ url: URL) {
        guard let origin = Origin(url.absoluteURL),
            let components = URLComponents(url: url, resolvingAgainstBaseURL: true), let host = components.encodedHost
        else { return nil }
        self.origin = origin
        root = "\(origin.scheme)://\(host.lowercased())" + (components.port.map { ":\($0)" } ?? "")
        ownPath = RequestPath.normalized(components.percentEncodedPath)
        path = String(ownPath.reversed().drop { $0 == "/" }.reversed())
        query = components.percentEncodedQuery
        directory = root + path + "/"
        let user = components.user ?? ""
        let password = components.password ?? ""
        guard !user.isEmpty || !password.isEmpty else {
            credential = nil
            return
        }
        let basic = Credential.basic(username: user, password: password)
        guard basic.value != nil else { return nil }
        credential = basic
    }

    /// Appends a path, with or without a query, or an absolute URL of the same origin; then query items.
    /// - Returns: An absolute URL without user information.
    /// - Throws: `invalidRequestPath`, with the reason.
    func appending(_ path: Teapot.Path, query items: Teapot.QueryItems = []) throws(TeapotError) -> URL {
        if let fault = path.fault { throw .invalidRequestPath(reason: fault) }
        let text = path.text
        // Most paths need no second look.
        if items.items.isEmpty, query == nil, let first = text.utf8.first, first != UInt8(ascii: "/"),
            RequestPath.isPlain(text), let url = URL(string: directory + text)
        {
            return url
        }
        guard !text.holdsControlCharacters else {
            throw .invalidRequestPath(reason: "the path contains a control character")
        }
        guard PercentEncoding.hasOnlyWholeEscapes(text) else {
            throw .invalidRequestPath(reason: "the path contains a % that is not followed by two hexadecimal digits")
        }
        let joined = Self.isAbsolute(text) ? try followLink(text) : try join(text)
        guard let url = URL(string: Self.add(items, to: joined)) else {
            throw .invalidRequestPath(reason: "the base URL and the path do not form a valid URL")
        }
        return url
    }

    /// Whether the text is an absolute URL. A path may contain a colon (`documents:search`), so only a scheme followed by `//`
    /// makes an absolute URL, or `http` and `https` with any syntax.
    private static func isAbsolute(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), colon != text.startIndex else { return false }
        let scheme = text[..<colon].lowercased()
        guard scheme.utf8.allSatisfy(schemeBytes.contains) else { return false }
        return scheme == "http" || scheme == "https" || text[colon...].hasPrefix("://")
    }

    /// RFC 3986, section 3.1.
    private static let schemeBytes = ByteSet(ByteSet.alphanumerics + "+-.")

    private func join(_ text: String) throws(TeapotError) -> String {
        guard !text.utf8.starts(with: "//".utf8) else {
            throw .invalidRequestPath(reason: "the path begins with //, which names another host")
        }
        let reference = PathReference(text[...])
        var joined = try reference.path.isEmpty ? root + ownPath : directory + reference.path.resolved()
        let queries = [query, reference.query].compactMap(\.self)
        // An empty query is sent, too.
        if !queries.isEmpty { joined += "?" + queries.filter { !$0.isEmpty }.joined(separator: "&") }
        return joined + reference.fragment
    }

    /// Follows an absolute URL, for example a server's link to the next page, which must have the same origin.
    private func followLink(_ text: String) throws(TeapotError) -> String {
        let authorityStart = text.range(of: "://")?.upperBound ?? text.endIndex
        let pathStart =
            text.unicodeScalars[authorityStart...].firstIndex { "/?#".unicodeScalars.contains($0) } ?? text.endIndex
        guard let url = URL(string: String(text[..<pathStart])), Origin(url) == origin else {
            throw .invalidRequestPath(reason: "the URL has a different origin than the base URL")
        }
        guard url.user(percentEncoded: true) == nil else {
            throw .invalidRequestPath(reason: "the URL contains user information")
        }
        let reference = PathReference(text[pathStart...])
        let target = try reference.path.resolved(below: path)
        return root + "/" + target + (reference.query.map { "?" + $0 } ?? "") + reference.fragment
    }

    private static func add(_ items: Teapot.QueryItems, to url: String) -> String {
        guard !items.items.isEmpty else { return url }
        let fragmentStart = url.utf8.firstIndex(of: UInt8(ascii: "#")) ?? url.endIndex
        var target = String(url[..<fragmentStart])
        let query = target.utf8.firstIndex(of: UInt8(ascii: "?")).map { target.utf8[$0...].dropFirst() }
        var separator = query.map { $0.isEmpty ? "" : "&" } ?? "?"
        for item in items.items {
            target += separator
            target += PercentEncoding.encodeAll(item.name)
            if let value = item.value {
                target += "="
                target += PercentEncoding.encodeAll(value)
            }
            separator = "&"
        }
        return target + url[fragmentStart...]
    }
}
