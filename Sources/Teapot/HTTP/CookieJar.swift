internal import TeapotFoundation

/// The cookies of one Teapot (RFC 6265).
///
/// Which of them go where is decided here, and they are kept here, too, unless a caller brings a storage: on Linux
/// `HTTPCookieStorage` sends secure cookies in the clear, does not mind the path, knows no `Max-Age`, and takes some
/// cookies for others (`ab` at `/`, `b` at `/a`).
package final class CookieJar: Sendable {
    private let kept = Locked(MemoryCookieStore())
    /// A caller's own.
    private let storage: HTTPCookieStorage?

    /// Makes a jar over the storage of a caller's configuration, or one in memory; `nil` when the configuration wants no
    /// cookies.
    package init?(configuration: URLSessionConfiguration? = nil) {
        if let configuration {
            guard configuration.httpShouldSetCookies, configuration.httpCookieAcceptPolicy != .never else { return nil }
            guard configuration.httpCookieStorage != nil else { return nil }
        }
        storage = configuration?.httpCookieStorage
    }

    /// The `Cookie` header field for a URL (RFC 6265, section 5.4); `nil` if there is nothing to send.
    package func header(for url: URL, at now: Date = Date()) -> String? {
        let sent = cookies(for: url, at: now)
        return sent.isEmpty ? nil : sent.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    /// The cookies for a URL, those of the longest path first.
    func cookies(for url: URL, at now: Date = Date()) -> [HTTPCookie] {
        let all = all(at: now)
        guard !all.isEmpty, let host = url.host()?.lowercased() else { return [] }
        let path = url.path(percentEncoded: true).isEmpty ? "/" : url.path(percentEncoded: true)
        let isSecure = url.scheme?.lowercased() == "https"
        let sent = all.filter { cookie in
            Self.matches(host, domain: cookie.domain) && Self.matches(path, cookiePath: cookie.path)
                && (isSecure || !cookie.isSecure)
        }
        return sent.sorted { ($1.path.count, $0.name) < ($0.path.count, $1.name) }
    }

    /// Those that have not expired.
    func all(at now: Date = Date()) -> [HTTPCookie] {
        let all = storage.map { $0.cookies ?? [] } ?? kept.withLock { $0.all }
        return all.filter { !$0.hasExpired(at: now) }
    }

    func removeAll() {
        kept.withLock { $0 = MemoryCookieStore() }
        for cookie in storage?.cookies ?? [] { storage?.deleteCookie(cookie) }
    }

    /// Keeps the cookies that a response sets (RFC 6265, section 5.3).
    package func store(_ response: HTTPURLResponse, from url: URL, at now: Date = Date()) {
        let isSecure = url.scheme?.lowercased() == "https"
        for cookie in SetCookie.parse(response).compactMap({ $0.cookie(from: url, at: now) }) {
            keep(cookie, isSecure: isSecure, at: now)
        }
    }

    /// Keeps a cookie, or removes the one that it ends. Only one that came over https, or of the caller, replaces a secure one.
    func keep(_ cookie: HTTPCookie, isSecure: Bool, at now: Date) {
        guard let storage else { return kept.withLock { $0.take(cookie, isSecure: isSecure, at: now) } }
        guard isSecure || !Self.overlays(cookie, storage.cookies ?? [], at: now) else { return }
        cookie.hasExpired(at: now) ? storage.deleteCookie(cookie) : storage.setCookie(cookie)
    }

    /// Whether a cookie that came over http would replace, or be sent in front of, a secure one: whoever can change what comes
    /// over http could set it (RFC 6265bis, section 5.7).
    static func overlays(_ cookie: HTTPCookie, _ all: [HTTPCookie], at now: Date) -> Bool {
        all.contains { secure in
            secure.isSecure && secure.name == cookie.name && !secure.hasExpired(at: now)
                && matches(cookie.path, cookiePath: secure.path)
                && (matches(String(cookie.domainWithoutDot), domain: secure.domain)
                    || matches(String(secure.domainWithoutDot), domain: cookie.domain))
        }
    }

    /// RFC 6265, section 5.1.3; a domain without a leading dot is that of one host only.
    private static func matches(_ host: String, domain: String) -> Bool {
        let domain = domain.lowercased()
        guard domain.hasPrefix(".") else { return host == domain }
        return host == domain.dropFirst() || host.hasSuffix(domain) && !SetCookie.isAddress(host)
    }

    /// RFC 6265, section 5.1.4.
    private static func matches(_ path: String, cookiePath: String) -> Bool {
        path == cookiePath || path.hasPrefix(cookiePath.hasSuffix("/") ? cookiePath : cookiePath + "/")
    }
}

/// The cookies that a jar has in memory: so many and no more, whatever servers set (RFC 6265, section 6.1).
///
/// Where there are too many those go that have expired, then the one that was set longest ago, one that is not secure first
/// (RFC 6265bis, section 5.7): what comes over http cannot push out what came over https.
struct MemoryCookieStore {
    static let limitOfDomain = 50
    static let limit = 3_000

    /// In the order in which they were set.
    private(set) var all: [HTTPCookie] = []

    /// Keeps a cookie, or removes the one that it ends.
    mutating func take(_ cookie: HTTPCookie, isSecure: Bool, at now: Date) {
        guard isSecure || !CookieJar.overlays(cookie, all, at: now) else { return }
        all.removeAll { $0.domain == cookie.domain && $0.path == cookie.path && $0.name == cookie.name }
        guard !cookie.hasExpired(at: now) else { return }
        all.append(cookie)
        let domain = cookie.domainWithoutDot
        makeRoom(Self.limitOfDomain, at: now) { $0.domainWithoutDot == domain }
        makeRoom(Self.limit, at: now) { _ in true }
    }

    private mutating func makeRoom(_ limit: Int, at now: Date, among isCounted: (HTTPCookie) -> Bool) {
        guard all.count > limit, all.count(where: isCounted) > limit else { return }
        all.removeAll { isCounted($0) && $0.hasExpired(at: now) }
        guard all.count(where: isCounted) > limit else { return }
        let next = all.firstIndex { isCounted($0) && !$0.isSecure } ?? all.firstIndex(where: isCounted)
        if let next { all.remove(at: next) }
    }
}

extension HTTPCookie {
    /// The same whether it is for one host or for all of a domain.
    var domainWithoutDot: Substring { domain.drop { $0 == "." } }

    func hasExpired(at now: Date) -> Bool { expiresDate.map { $0 <= now } ?? false }
}
