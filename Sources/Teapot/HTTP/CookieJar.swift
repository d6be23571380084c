import TeapotFoundation

/// The cookies of one Teapot (RFC 6265), in memory unless a caller provides a storage.
/// The jar selects the cookies to send because `HTTPCookieStorage` on Linux sends secure cookies in the clear, ignores the path and
/// `Max-Age`, and confuses some cookies (`ab` at `/` with `b` at `/a`).
final class CookieJar: Sendable {
    private let kept = Locked(MemoryCookieStore())
    private let storage: HTTPCookieStorage?

    /// Makes a jar over the storage of a caller's configuration, or in memory; `nil` if the configuration does not accept cookies.
    init?(configuration: URLSessionConfiguration? = nil) {
        storage = configuration?.httpCookieStorage
        guard let configuration else { return }
        let accepts = configuration.httpShouldSetCookies && configuration.httpCookieAcceptPolicy != .never
        guard accepts, storage != nil else { return nil }
    }

    /// The `Cookie` header field for a URL (RFC 6265, section 5.4); `nil` if there is nothing to send.
    func header(for url: URL, at now: Date? = nil) -> String? {
        if storage == nil, kept.withLock({ $0.isEmpty }) { return nil }
        let sent = cookies(for: url, at: now ?? Date())
        return sent.isEmpty ? nil : sent.map { $0.name + "=" + $0.value }.joined(separator: "; ")
    }

    /// The cookies for a URL, those of the longest path first, and otherwise in the order of their creation.
    func cookies(for url: URL, at now: Date = Date()) -> [Teapot.Cookie] {
        let all = all(at: now)
        guard !all.isEmpty, let host = url.host()?.lowercased() else { return [] }
        let path = url.path(percentEncoded: true)
        // Once, as it may be long.
        let normalPath = path.isEmpty ? "/" : PercentEncoding.uppercaseEscapes(path)
        let isSecure = url.scheme?.lowercased() == "https"
        let sent = all.filter { cookie in
            Self.matches(host, domain: cookie.domain) && Self.matches(normalPath: normalPath, cookie.path)
                && (isSecure || !cookie.isSecure)
        }
        return sent.sorted(byPlace: { sent[$0].path.utf8.count > sent[$1].path.utf8.count })
    }

    func all(at now: Date = Date()) -> [Teapot.Cookie] {
        (stored ?? kept.withLock { $0.all }).filter { !$0.hasExpired(at: now) }
    }

    func removeAll() {
        kept.withLock { $0 = MemoryCookieStore() }
        for cookie in storage?.cookies ?? [] { storage?.deleteCookie(cookie) }
    }

    /// Keeps the cookies that a response sets (RFC 6265, section 5.3).
    func store(_ response: ResponseHead, from url: URL, at now: Date = Date()) {
        for set in SetCookie.parse(response) {
            let isSecure = url.scheme?.lowercased() == "https"
            for cookie in set.cookies(from: url, at: now) { keep(cookie, isSecure: isSecure, at: now) }
        }
    }

    /// Stores a cookie, or removes the one that it expires. Only https or the caller can replace a secure one.
    @inline(never) func keep(_ cookie: Teapot.Cookie, isSecure: Bool, at now: Date) {
        guard let storage else { return kept.withLock { $0.take(cookie, isSecure: isSecure, at: now) } }
        guard isSecure || !Self.overlays(cookie, in: stored ?? [], at: now), let new = cookie.forStorage else { return }
        cookie.hasExpired(at: now) ? storage.deleteCookie(new) : storage.setCookie(new)
    }

    /// The cookies of the storage, in the order of their creation, and otherwise by name. On Linux, an update is a creation.
    private var stored: [Teapot.Cookie]? {
        guard let all = storage?.cookies else { return nil }
        // The properties are made at each call.
        let created = all.map { $0.properties?[HTTPCookiePropertyKey("Created")] as? Double ?? 0 }
        return all.map { Teapot.Cookie($0) }.sorted(byPlace: { one, other in
            created[one] == created[other] ? all[one].name < all[other].name : created[one] < created[other]
        })
    }

    /// Whether a cookie from http, perhaps an attacker's, replaces or precedes a secure one (RFC 6265bis, section 5.7).
    static func overlays(_ cookie: Teapot.Cookie, in all: [Teapot.Cookie], at now: Date) -> Bool {
        all.contains { secure in
            secure.isSecure && secure.name == cookie.name && !secure.hasExpired(at: now)
                && matches(normalPath: PercentEncoding.uppercaseEscapes(cookie.path), secure.path)
                && (matches(String(cookie.domainWithoutDot), domain: secure.domain)
                    || matches(String(secure.domainWithoutDot), domain: cookie.domain))
        }
    }

    /// RFC 6265, section 5.1.3; a domain without a leading dot matches one host only.
    private static func matches(_ host: String, domain: String?) -> Bool {
        let domain = domain?.lowercased() ?? ""
        guard domain.hasPrefix(".") else { return host == domain }
        return host == domain.dropFirst() || host.hasSuffix(domain) && !SetCookie.isAddress(host)
    }

    /// RFC 6265, section 5.1.4, for a path with escapes in uppercase. A cookie that was stored elsewhere may have others.
    static func matches(normalPath path: String, _ cookiePath: String) -> Bool {
        let cookiePath = PercentEncoding.uppercaseEscapes(cookiePath)
        return path == cookiePath || path.hasPrefix(cookiePath.hasSuffix("/") ? cookiePath : cookiePath + "/")
    }
}

/// The cookies of a jar in memory, with a limit whatever servers set (RFC 6265, section 6.1).
/// Beyond the limit, expired cookies are removed first, then the oldest, those that are not secure first (RFC 6265bis, section 5.7), so
/// that cookies from http cannot displace those from https.
struct MemoryCookieStore {
    static let limitOfDomain = 50
    /// Of all domains.
    var limit = 3_000
    /// In the order of their creation, each with the number of the setting that was its last.
    private var kept: [(cookie: Teapot.Cookie, setting: Int)] = []
    private var settings = 0

    var all: [Teapot.Cookie] { kept.map(\.cookie) }
    var isEmpty: Bool { kept.isEmpty }

    /// Stores a cookie, or removes the one that it expires. A replaced one keeps its place (RFC 6265, section 5.3).
    mutating func take(_ cookie: Teapot.Cookie, isSecure: Bool, at now: Date) {
        guard isSecure || !CookieJar.overlays(cookie, in: all, at: now) else { return }
        settings += 1
        let index = kept.firstIndex { old, _ in
            old.domain == cookie.domain && old.path == cookie.path && old.name == cookie.name
        }
        if let index, !cookie.hasExpired(at: now), !kept[index].cookie.hasExpired(at: now) {
            return kept[index] = (cookie, settings)
        }
        if let index { kept.remove(at: index) }
        guard !cookie.hasExpired(at: now) else { return }
        kept.append((cookie, settings))
        makeRoom(Self.limitOfDomain, of: cookie.domainWithoutDot, at: now)
        makeRoom(limit, of: nil, at: now)
    }

    private mutating func makeRoom(_ limit: Int, of domain: Substring?, at now: Date) {
        guard kept.count > limit else { return }
        let places = kept.indices.filter { domain == nil || kept[$0].cookie.domainWithoutDot == domain }
        guard places.count > limit else { return }
        let expired = places.filter { kept[$0].cookie.hasExpired(at: now) }
        let oldest = places.min { one, other in
            let isSecure = kept[other].cookie.isSecure
            return kept[one].cookie.isSecure == isSecure ? kept[one].setting < kept[other].setting : isSecure
        }
        if expired.isEmpty, let oldest { kept.remove(at: oldest) }
        for index in expired.reversed() { kept.remove(at: index) }
    }
}
