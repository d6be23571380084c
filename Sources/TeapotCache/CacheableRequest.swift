import Teapot

/// A request that can be answered from a cache, and whose response can be stored.
final class CacheableRequest: Sendable {
    let request: URLRequest
    let method: String
    let key: String
    let control: CacheControl
    /// The header fields that separate users, as lines in order: a stored response is used only for requests with the same ones.
    let secrets: [String]
    /// The header fields that equal requests have in common, as lines in order.
    let equalFields: [String]
    private let servesOneUser: Bool

    /// Header fields that identify one request among others, and that no server responds to.
    private static let tracing = ["traceparent", "tracestate", "baggage", "b3", "x-request-id"]
    /// With a range, or the host or conditions of the caller, a response is not the one that the cache would store.
    private static let ownFields = [
        "Host", "Range", "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range",
    ]

    /// If the cache serves one user, neither cookies nor the values of credentials separate requests. A request without a credential
    /// still never gets the response to a request with one, since the user may have signed out.
    /// - Returns: `nil` for requests that bypass the cache: requests with other methods than `GET` and `HEAD`, with a body, with a range,
    ///   host or condition of the caller, and with `no-store` (RFC 9111, section 5.2.1.5).
    init?(_ sent: TransportRequest, servesOneUser: Bool = false) {
        request = sent.urlRequest
        method = request.httpMethod ?? "GET"
        control = CacheControl(request.value(forHTTPHeaderField: "Cache-Control"))
        guard let url = request.url, ["GET", "HEAD"].contains(method), !control.has("no-store"),
            case .none = request.httpBody, sent.bodyFile == nil, sent.bodyPieces == nil
        else { return nil }
        for name in Self.ownFields where request.value(forHTTPHeaderField: name) != nil { return nil }
        key = Self.key(of: url)
        let credentials = SecretPolicy.standard.adding(sent.credentials.map(\.name))
        var secrets: [String] = []
        var others: [String] = []
        for (spelled, value) in Teapot.HeaderFields(request) {
            let name = spelled.lowercased()
            // Capitals show where a word of a name begins.
            let isCredential = credentials.separatesUsers(spelled)
            if isCredential || sent.secrets.separatesUsers(spelled) {
                if servesOneUser, name == "cookie" { continue }
                secrets.addInOrder(name + ": " + (servesOneUser && isCredential ? "" : value))
            } else if !Self.tracing.contains(name) {
                others.addInOrder(name + ": " + value)
            }
        }
        self.secrets = secrets
        self.servesOneUser = servesOneUser
        equalFields = secrets + others
    }

    /// The URL with its origin in one form, and without a fragment.
    static func key(of url: URL) -> String {
        guard let origin = Origin(url), url.user(percentEncoded: true) == nil else {
            return String(Substring(url.absoluteString.utf8.prefix { $0 != UInt8(ascii: "#") }))
        }
        let path = url.path(percentEncoded: true)
        let target = (path.isEmpty ? "/" : path) + (url.query(percentEncoded: true).map { "?" + $0 } ?? "")
        return origin.scheme + "://" + origin.host + ":" + String(origin.port) + target
    }

    /// The value of a field that `Vary` names (section 4.1). In languages and codings, capitals and blanks have no meaning (RFC 9110,
    /// sections 12.5.3 and 12.5.4).
    func value(of name: String) -> String? {
        let value = request.value(forHTTPHeaderField: name)
        let isPlain = !["accept-language", "accept-encoding"].contains(name)
        return isPlain ? value : value?.lowercased().filter { $0 != " " && $0 != "\t" }
    }

    /// Whether a response with this status leaves the stored one in place, since it says nothing about the resource:
    /// the server fails or has too many requests, or a proxy or, for one user, the server asks for a new credential.
    func keepsStored(after status: Int) -> Bool {
        status >= 500 || [407, 408, 425, 429].contains(status) || servesOneUser && status == 401
    }

    /// Whether the request has these cookies, with the same values, or the cache serves one user. A response that sets other cookies may
    /// contain what belongs to them, such as a token of a new session, and other users may have sent the same request.
    func has(cookies: [String]) -> Bool {
        if servesOneUser || cookies.isEmpty { return true }
        let own = request.value(forHTTPHeaderField: "Cookie")?.split(separator: ";").map(\.withoutOuterBlanks) ?? []
        return cookies.allSatisfy { cookie in own.contains(cookie.prefix { $0 != ";" }.withoutOuterBlanks) }
    }

    /// Whether the response to an equal request can answer this one, as far as this request and the response stored so far show.
    func mayBeAnswered(after stored: StoredResponse?) -> Bool {
        guard !control.has("no-cache"), control.seconds("max-age") != 0 else { return false }
        return stored.map { !$0.control.has("no-cache") && $0.lifetime > 0 } ?? true
    }

    /// Whether a stored response can be used unchanged (RFC 9111, sections 4.2, 5.2.1 and 5.2.2).
    func accepts(_ stored: StoredResponse, at now: Moment) -> Bool {
        guard !control.has("no-cache"), !stored.control.has("no-cache") else { return false }
        let age = stored.age(at: now)
        // The server promises that an immutable response will not change (RFC 8246).
        let isYoung = stored.control.has("immutable") || age <= control.seconds("max-age") ?? age
        return isYoung && stored.lifetime > age
    }

    /// Whether a stale response can be used: while it is validated, or on an error (RFC 5861, sections 3 and 4).
    func accepts(_ stored: StoredResponse, at now: Moment, onError: Bool) -> Bool {
        guard !control.has("no-cache"), !control.has("max-age"), !stored.control.has("no-cache"),
            !stored.control.has("must-revalidate")
        else { return false }
        let own = onError ? control.seconds("stale-if-error") : nil
        let seconds = own ?? stored.control.seconds(onError ? "stale-if-error" : "stale-while-revalidate")
        return stored.age(at: now) < stored.lifetime + (seconds ?? 0)
    }
}

extension [String] {
    /// Adds a line before the first greater one, so that equal requests have equal lines however they spell the names.
    fileprivate mutating func addInOrder(_ line: String) { insert(line, at: firstIndex { line < $0 } ?? endIndex) }
}
