import Teapot

/// A stored response (RFC 9111, section 3).
final class StoredResponse: Sendable {
    let http: HTTPURLResponse
    let body: Data
    let control: CacheControl
    let requestTime: Date
    let responseTime: Date
    let method: String
    /// In seconds (section 4.2.1).
    let lifetime: TimeInterval
    private let ageOnArrival: TimeInterval
    /// The parts of a request that must be equal: its secrets, and the fields that `Vary` names (section 4.1).
    private let secrets: [FieldName: String]
    private let varied: [String: String?]
    /// Whether nobody else can get it, if it sets cookies.
    private let isOwn: Bool

    /// Makes a response. Its method is that of the request, unless it is that of a stored one: a stored `GET` also answers a
    /// `HEAD`.
    init(
        _ http: HTTPURLResponse,
        to asked: CacheableRequest,
        _ requestTime: Date,
        _ now: Date,
        body: Data = Data(),
        method: String? = nil
    ) {
        (self.http, self.requestTime, responseTime, self.body) = (http, requestTime, now, body)
        self.method = method ?? asked.method
        control = CacheControl(http.field("Cache-Control"))
        let date = http.field("Date").flatMap(HTTPDate.parseExactly) ?? now
        lifetime = Self.lifetime(http, control, date)
        let ageValue = http.field("Age").flatMap(CacheControl.seconds) ?? 0
        let delay = max(now.timeIntervalSince(requestTime), 0)
        ageOnArrival = max(now.timeIntervalSince(date), ageValue + delay, 0)
        (secrets, isOwn) = (asked.secrets, asked.isOwn(setting: http.setCookieFields))
        let names = Self.varying(http)
        varied = Dictionary(names.map { ($0, asked.request.value(forHTTPHeaderField: $0)) }) { first, _ in first }
    }

    /// The names in `Vary`; `*` if there are too many.
    private static func varying(_ http: HTTPURLResponse) -> [String] {
        let names = (http.field("Vary") ?? "").split(separator: ",", maxSplits: maximumVaryingCount)
        guard names.count <= maximumVaryingCount else { return ["*"] }
        return names.map { $0.withoutOuterBlanks.lowercased() }
    }

    /// The maximum number of fields that `Vary` names: all of them are compared with each request.
    private static let maximumVaryingCount = 64

    /// Whether it can be stored (section 3), and is useful. Section 3.5 is for shared caches: this one separates the users.
    var isStorable: Bool {
        let statuses = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]
        guard statuses.contains(http.statusCode), http.url != nil, isOwn else { return false }
        guard !control.has("no-store"), varied["*"] == nil, isEndCertain else { return false }
        let isOfUseStale = ["stale-while-revalidate", "stale-if-error"].contains(where: control.has)
        return !validators.isEmpty || lifetime > 0 || isOfUseStale
    }

    /// Whether the end of the body is certain. With neither a length nor chunks it is where the connection or the stream ends, or
    /// breaks: HTTP/1 cannot tell these apart (RFC 9112, section 8), and libcurl does not always do so over HTTP/2.
    private var isEndCertain: Bool {
        if method == "HEAD" || http.statusCode == 204 || length != nil { return true }
        let coding = http.field("Transfer-Encoding")?.split(separator: ",").last
        return coding?.withoutOuterBlanks.lowercased() == "chunked"
    }

    /// The length of the encoded body in bytes, as the server states it.
    var length: Int? { http.field("Content-Length").flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 } }

    /// The number of bytes that are still to arrive, as far as it is known.
    var expectedSize: Int { method == "HEAD" ? 0 : length ?? 0 }

    /// Whether the body is not shorter than the server said (section 3.3). A body that was decoded may have any length.
    var isComplete: Bool {
        method == "HEAD" || http.field("Content-Encoding") != nil || body.count >= length ?? 0
    }

    /// Whether it can answer a request (section 4).
    func matches(_ asked: CacheableRequest) -> Bool {
        (method == asked.method || method == "GET") && secrets == asked.secrets
            && varied.allSatisfy { asked.request.value(forHTTPHeaderField: $0.key) == $0.value }
    }

    // MARK: - Freshness

    /// In seconds (section 4.2.1). Zero unless the server states one: an `Expires` that is not a date of HTTP has passed (section
    /// 5.3).
    private static func lifetime(_ http: HTTPURLResponse, _ control: CacheControl, _ date: Date) -> TimeInterval {
        if let maximum = control.seconds("max-age") { return maximum }
        let expires = http.field("Expires").flatMap(HTTPDate.parseExactly)
        return expires.map { max($0.timeIntervalSince(date), 0) } ?? 0
    }

    /// In seconds (section 4.2.3).
    func age(at now: Date) -> TimeInterval { ageOnArrival + max(now.timeIntervalSince(responseTime), 0) }

    // MARK: - Validation

    /// The header fields that ask whether it is still valid (section 4.3.1).
    var validators: [String: String] {
        var fields: [String: String] = [:]
        fields["If-None-Match"] = http.field("ETag")
        fields["If-Modified-Since"] = http.field("Last-Modified")
        return fields
    }

    /// Whether a 304 refers to this response, as far as it says (section 4.3.4).
    func isConfirmed(by notModified: HTTPURLResponse) -> Bool {
        guard let tag = notModified.field("ETag") else { return true }
        let tags = [tag, http.field("ETag") ?? ""].map { $0.hasPrefix("W/") ? String($0.dropFirst(2)) : $0 }
        return tags[0] == tags[1]
    }

    /// This response, updated by a 304 (section 3.2).
    func updated(
        by notModified: HTTPURLResponse,
        to asked: CacheableRequest,
        _ requestTime: Date,
        _ now: Date
    ) -> StoredResponse {
        // The stored values are out of date.
        var changes: [String: String?] = ["Age": nil, "Date": nil]
        for (name, value) in HeaderFields(notModified) where !Self.kept.contains(FieldName(name)) {
            changes[name] = value
        }
        let response = http.with(changes, cookies: notModified.separateCookies ?? [])
        return StoredResponse(response, to: asked, requestTime, now, body: body, method: method)
    }

    /// What is stored of it: cookies are set once.
    func stored(for asked: CacheableRequest) -> StoredResponse {
        let response = http.with(["Set-Cookie": nil], cookies: [])
        return StoredResponse(response, to: asked, requestTime, responseTime, body: body, method: method)
    }

    /// Fields that a 304 does not change: those of the connection, and those of the received body.
    private static let kept: Set<FieldName> = [
        "connection", "keep-alive", "te", "transfer-encoding", "upgrade", "trailer", "proxy-connection",
        "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
        "content-length", "content-encoding", "content-range",
    ]

    // MARK: - Use

    /// The events that a transport reports for it.
    func events(for method: String, at now: Date, _ timings: Teapot.Timings = Teapot.Timings()) -> [TransportEvent] {
        var timings = timings
        timings.isFromCache = true
        let age = "\(Int(exactly: age(at: now).rounded(.down)) ?? 0)"
        let response = http.with(["Age": age], cookies: http.separateCookies ?? [])
        let data = method == "HEAD" || body.isEmpty ? [] : [TransportEvent.data(body)]
        return [.response(response)] + data + [.measured(timings), .finished(nil)]
    }

    /// The approximate number of bytes in memory.
    var size: Int {
        let fields =
            HeaderFields(http).map { Self.size($0.name, $0.value) }
            + secrets.map { Self.size($0.key.lowercased, $0.value) }
            + varied.map { Self.size($0.key, $0.value ?? "") }
        return fields.reduce(body.count + 1_000, +)
    }

    /// The number of bytes that a name and a value take in a dictionary.
    private static func size(_ name: String, _ value: String) -> Int { 200 + name.utf8.count + value.utf8.count }
}

extension HTTPURLResponse {
    /// The same with other header fields, of which `nil` removes one, and with these `Set-Cookie` fields.
    fileprivate func with(_ changes: [String: String?], cookies: [String]) -> HTTPURLResponse {
        let names = Set(changes.keys.map { FieldName($0) })
        var fields = changes.compactMapValues(\.self)
        for (name, value) in HeaderFields(self) where !names.contains(FieldName(name)) { fields[name] = value }
        return url.flatMap {
            CookieResponse.make(
                url: $0,
                statusCode: statusCode,
                httpVersion: "HTTP/1.1",
                headerFields: fields,
                cookies: cookies
            )
        } ?? self
    }
}
