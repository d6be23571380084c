import Foundation

/// A base URL in parts, to which paths are joined.
final class BaseURL: Sendable {
    /// The credential from the user information of the URL, which never appears in a request's URL.
    let credential: Credential?
    private let origin: Origin
    /// Scheme and authority, without user information: `http://127.0.0.1:8080`.
    private let root: String
    /// The normalized path.
    private let ownPath: String
    /// The path without a slash at its end.
    private let path: String
    private let query: String?
    /// Root and path with a slash at the end.
    private let directory: String

    /// Splits a base URL; `nil` unless it is an http or https URL with a host and a valid port, and the Basic scheme can express any user
    /// information.
    init?(_ url: URL) {
        guard let origin = Origin(url.absoluteURL),
            let components = URLComponents(url: url, resolvingAgainstBaseURL: true), let host = components.encodedHost
        else { return nil }
        self.origin = origin
        var root = origin.scheme + "://" + host.lowercased()
        if let port = components.port { root += ":\(port)" }
        ownPath = RequestPath.normalized(components.percentEncodedPath)
        var path = ownPath
        while path.hasSuffix("/") { path.removeLast() }
        self.root = root
        self.path = path
        query = components.percentEncodedQuery
        directory = root + path + "/"
        let user = components.user ?? ""
        let password = components.password ?? ""
        credential = user.isEmpty && password.isEmpty ? nil : .basic(username: user, password: password)
        if let credential, credential.value == nil { return nil }
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
        let url = try Self.isAbsolute(text) ? followLink(text, adding: items) : join(text, adding: items)
        guard let url else { throw .invalidRequestPath(reason: "the base URL and the path do not form a valid URL") }
        return url
    }

    /// Whether the text is an absolute URL. A path may contain a colon (`documents:search`), so only a scheme followed by `//`
    /// makes an absolute URL, or `http` and `https` with any syntax.
    private static func isAbsolute(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), colon != text.startIndex else { return false }
        let scheme = text[..<colon].lowercased()
        guard schemeBytes.contains(allOf: scheme) else { return false }
        return scheme == "http" || scheme == "https" || text[colon...].hasPrefix("://")
    }

    /// RFC 3986, section 3.1.
    private static let schemeBytes = ByteSet(ByteSet.alphanumerics + "+-.")

    private func join(_ text: String, adding items: Teapot.QueryItems) throws(TeapotError) -> URL? {
        let reference = RequestPath(text[...])
        guard !reference.path.hasPrefix("//") else {
            throw .invalidRequestPath(reason: "the path begins with //, which names another host")
        }
        let target = try reference.path.isEmpty ? root + ownPath : directory + reference.resolved()
        guard let query, let own = reference.query else {
            return reference.url(target, query ?? reference.query, items)
        }
        return reference.url(target, query.isEmpty || own.isEmpty ? query + own : query + "&" + own, items)
    }

    /// Follows an absolute URL, for example a server's link to the next page, which must have the same origin.
    private func followLink(_ text: String, adding items: Teapot.QueryItems) throws(TeapotError) -> URL? {
        let authorityStart = text.range(of: "://")?.upperBound ?? text.endIndex
        let authorityEnds = ByteSet("/?#")
        let pathStart = text.utf8[authorityStart...].firstIndex { authorityEnds.contains($0) } ?? text.endIndex
        guard let url = URL(string: String(text[..<pathStart])), Origin(url) == origin else {
            throw .invalidRequestPath(reason: "the URL has a different origin than the base URL")
        }
        guard url.user(percentEncoded: true) == nil else {
            throw .invalidRequestPath(reason: "the URL contains user information")
        }
        let reference = RequestPath(text[pathStart...])
        return try reference.url(root + "/" + reference.resolved(below: path), reference.query, items)
    }
}

extension RequestPath {
    /// The URL of a target with a query, which is sent even if it is empty, further query items, and the fragment.
    fileprivate func url(_ target: String, _ query: String?, _ items: Teapot.QueryItems) -> URL? {
        var text = target
        if let query { text += "?" + query }
        if !items.items.isEmpty {
            if query?.isEmpty != true { text += query == nil ? "?" : "&" }
            text += items.joined { part, _ in PercentEncoding.encodeAll(part) }
        }
        return URL(string: text + fragment)
    }
}
