import Teapot

/// A request that can be answered from a cache, and whose response can be stored.
struct CacheableRequest: Sendable {
    let request: URLRequest
    let method: String
    let key: String
    let control: CacheControl
    /// The secret fields by their names in lower case: a stored response is used only for requests with the same ones.
    let secrets: [FieldName: String]

    /// - Returns: `nil` for requests that bypass the cache: those with other methods, with a body, for a range, with the
    ///   caller's own host or condition, and with `no-store` (RFC 9111, section 5.2.1.5).
    init?(_ sent: TransportRequest) {
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
        (self.request, self.method, key) = (request, method, Self.key(of: url))
        let policy = sent.secrets.adding(sent.credentials.map(\.name))
        let fields = HeaderFields(request).filter { policy.separatesUsers($0.name) }
        // Names that differ only in case are one field.
        secrets = Dictionary(fields.map { (FieldName($0.name), $0.value) }) { "\($0)\n\($1)" }
    }

    static func key(of url: URL) -> String { "\(url.absoluteString.prefix { $0 != "#" })" }

    /// Whether the response to an equal request can answer it, as far as it and the response stored so far show.
    func mayBeAnswered(after stored: StoredResponse?) -> Bool {
        guard !control.has("no-cache"), control.seconds("max-age") != 0 else { return false }
        return stored.map { !$0.control.has("no-cache") && $0.lifetime > 0 } ?? true
    }

    /// Whether a stored response can be used unchanged (RFC 9111, sections 4.2, 5.2.1 and 5.2.2).
    func accepts(_ stored: StoredResponse, at now: Date) -> Bool {
        guard !control.has("no-cache"), !stored.control.has("no-cache") else { return false }
        let age = stored.age(at: now)
        return age <= control.seconds("max-age") ?? age && stored.lifetime > age
    }

    /// Whether a stored response can be used although it is stale: while it is validated, or because the server fails (RFC 5861,
    /// sections 3 and 4).
    func accepts(_ stored: StoredResponse, at now: Date, onError: Bool) -> Bool {
        let isRefused = ["no-cache", "max-age"].contains(where: control.has)
        guard !isRefused, !["no-cache", "must-revalidate"].contains(where: stored.control.has) else { return false }
        let own = onError ? control.seconds("stale-if-error") : nil
        let seconds = own ?? stored.control.seconds(onError ? "stale-if-error" : "stale-while-revalidate")
        return stored.age(at: now) < stored.lifetime + (seconds ?? 0)
    }
}
