import Teapot

/// A request that can be answered from a cache, and whose response can be stored.
struct CacheableRequest: Sendable {
    let request: URLRequest
    let method: String
    let key: String
    let control: CacheControl
    /// The fields that separate users: a stored response is used only for requests with the same ones.
    let secrets: [FieldName: String]
    /// The fields of equal requests.
    let equalFields: [FieldName: String]
    private let servesOneUser: Bool

    /// Fields that tell requests apart, or show where they come from, but no server responds to.
    private static let tracing: Set<FieldName> = ["traceparent", "tracestate", "baggage", "b3", "x-request-id"]

    /// If the cache serves one user, neither cookies nor the values of credentials separate. But a request without the field of a
    /// credential never gets the response to one that has it, in case the user has signed out.
    ///
    /// - Returns: `nil` for requests that bypass the cache: those with other methods, with a body, for a range, with the
    ///   caller's own host or condition, and with `no-store` (RFC 9111, section 5.2.1.5).
    init?(_ sent: TransportRequest, servesOneUser: Bool = false) {
        let request = sent.urlRequest
        let method = request.httpMethod ?? "GET"
        guard let url = request.url, ["GET", "HEAD"].contains(method), sent.bodyFile == nil, sent.bodyPieces == nil
        else { return nil }
        let isOwn = [
            "Host", "Range", "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range",
        ]
        .contains { request.value(forHTTPHeaderField: $0) != nil }
        control = CacheControl(request.value(forHTTPHeaderField: "Cache-Control"))
        guard request.httpBody == nil, !isOwn, !control.has("no-store") else { return nil }
        self.request = request
        self.method = method
        key = Self.key(of: url)
        let credentials = SecretPolicy.standard.adding(sent.credentials.map(\.name))
        var (secrets, others): ([FieldName: String], [FieldName: String]) = ([:], [:])
        for (text, value) in Teapot.HeaderFields(request) {
            let name = FieldName(text)
            let isCredential = credentials.separatesUsers(text)
            if isCredential || sent.secrets.separatesUsers(text) {
                if servesOneUser, name == "Cookie" { continue }
                let value = servesOneUser && isCredential ? "" : value
                // Names that differ only in case are one field.
                secrets[name] = secrets[name].map { "\($0)\n\(value)" } ?? value
            } else if !Self.tracing.contains(name) {
                others[name] = value
            }
        }
        self.secrets = secrets
        self.servesOneUser = servesOneUser
        equalFields = others.merging(secrets) { $1 }
    }

    /// The URL with its origin in one form, and without a fragment.
    static func key(of url: URL) -> String {
        let text = "\(Substring(url.absoluteString.utf8.prefix { $0 != UInt8(ascii: "#") }))"
        guard let origin = Origin(url), url.user(percentEncoded: true) == nil else { return text }
        let (path, query) = (url.path(percentEncoded: true), url.query(percentEncoded: true).map { "?\($0)" } ?? "")
        return "\(origin.scheme)://\(origin.host):\(origin.port)\(path.isEmpty ? "/" : path)\(query)"
    }

    /// The value of a field that `Vary` names (section 4.1), without what has no meaning (RFC 9110, sections 12.5.3 and 12.5.4).
    func value(of name: String) -> String? {
        let value = request.value(forHTTPHeaderField: name)
        let isPlain = !["accept-language", "accept-encoding"].contains(name)
        return isPlain ? value : value?.lowercased().filter { $0 != " " && $0 != "\t" }
    }

    /// Whether a response with this status leaves the stored one, as it says nothing about the resource: the server fails or has
    /// too many requests, a proxy asks for a credential, or the server does, and gets a new one of the same user.
    func keepsStored(after status: Int) -> Bool {
        status >= 500 || [407, 408, 425, 429].contains(status) || servesOneUser && status == 401
    }

    /// Whether it has these cookies, with the same values, or there is one user. A response that sets others may contain what
    /// belongs to them, such as a token of a new session, and other users may have sent the same request.
    func has(cookies: [String]) -> Bool {
        let own = Set(secrets["Cookie"]?.split(separator: ";").map(\.withoutOuterBlanks) ?? [])
        let pair = { (cookie: String) in Substring(cookie.utf8.prefix { $0 != UInt8(ascii: ";") }).withoutOuterBlanks }
        return servesOneUser || cookies.allSatisfy { own.contains(pair($0)) }
    }

    /// Whether the response to an equal request can answer it, as far as it and the response stored so far show.
    func mayBeAnswered(after stored: StoredResponse?) -> Bool {
        guard !control.has("no-cache"), control.seconds("max-age") != 0 else { return false }
        return stored.map { !$0.control.has("no-cache") && $0.lifetime > 0 } ?? true
    }

    /// Whether a stored response can be used unchanged (RFC 9111, sections 4.2, 5.2.1 and 5.2.2).
    func accepts(_ stored: StoredResponse, at now: Moment) -> Bool {
        guard !control.has("no-cache"), !stored.control.has("no-cache") else { return false }
        let age = stored.age(at: now)
        // The server has promised that it will not change (RFC 8246).
        let isYoung = stored.control.has("immutable") || age <= control.seconds("max-age") ?? age
        return isYoung && stored.lifetime > age
    }

    /// Whether a stored response can be used although it is stale: while it is validated, or because the server fails (RFC 5861,
    /// sections 3 and 4).
    func accepts(_ stored: StoredResponse, at now: Moment, onError: Bool) -> Bool {
        let isRefused = ["no-cache", "max-age"].contains(where: control.has)
        guard !isRefused, !["no-cache", "must-revalidate"].contains(where: stored.control.has) else { return false }
        let own = onError ? control.seconds("stale-if-error") : nil
        let seconds = own ?? stored.control.seconds(onError ? "stale-if-error" : "stale-while-revalidate")
        return stored.age(at: now) < stored.lifetime + (seconds ?? 0)
    }
}
