internal import TeapotFoundation

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
