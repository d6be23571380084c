import Teapot

/// A stored response (RFC 9111, section 3).
struct StoredResponse: Sendable {
    private(set) var http: HTTPURLResponse
    var body = Data()
    let control: CacheControl
    private let responseTime: Moment
    private(set) var method: String
    /// In seconds (section 4.2.1). Zero unless the server states one.
    let lifetime: TimeInterval
    private let ageOnArrival: TimeInterval
    /// The parts of a request that must be equal: its secrets, and the fields that `Vary` names (section 4.1).
    private let secrets: [FieldName: String]
    private let varied: [String: String?]
    /// Whether others can get it, although it sets cookies.
    private let mayBeShared: Bool

    /// Makes a response. Its method is that of the request, unless it is that of a stored one: a stored `GET` also answers a
    /// `HEAD`.
    init(_ http: HTTPURLResponse, to asked: CacheableRequest, _ requestTime: Moment, _ now: Moment) {
        self.http = http
        method = asked.method
        responseTime = now
        control = CacheControl(http.field("Cache-Control"))
        let date = http.field("Date").flatMap(HTTPDate.parseExactly) ?? now.date
        // One that is not a date of HTTP has passed (section 5.3).
        let expires = http.field("Expires").flatMap(HTTPDate.parseExactly) ?? date
        lifetime = control.seconds("max-age") ?? max(expires.timeIntervalSince(date), 0)
        let ageValue = http.field("Age").flatMap(CacheControl.seconds) ?? 0
        ageOnArrival = max(now.date.timeIntervalSince(date), ageValue + now.time(since: requestTime))
        secrets = asked.secrets
        mayBeShared = asked.has(cookies: http.setCookieFields)
        // Not too many, as all of them are compared with each request.
        let names = (http.field("Vary") ?? "").split(separator: ",", maxSplits: 64).map { "\($0.withoutOuterBlanks)" }
        let varying = names.count > 64 ? ["*"] : names.map { $0.lowercased() }
        varied = Dictionary(varying.map { ($0, asked.value(of: $0)) }) { first, _ in first }
    }

    /// Whether it can be stored (section 3), and is useful. Section 3.5 is for shared caches: this one separates the users.
    var isStorable: Bool {
        let statuses = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]
        guard statuses.contains(http.statusCode), http.url != nil, mayBeShared else { return false }
        // Of a status that it knows, such as these, section 5.2.2.3 allows both.
        let mayStore = !control.has("no-store") || control.has("must-understand")
        guard mayStore, varied["*"] == nil else { return false }
        let isOfUseStale = ["stale-while-revalidate", "stale-if-error"].contains(where: control.has)
        return !validators.isEmpty || lifetime > 0 || isOfUseStale
    }

    /// Whether the end of the body is certain. With neither a length nor chunks it is where the connection or the stream ends, or
    /// breaks: HTTP/1 cannot tell these apart (RFC 9112, section 8), and libcurl does not always do so over HTTP/2.
    var isEndCertain: Bool {
        if method == "HEAD" || http.statusCode == 204 || length != nil { return true }
        let coding = http.field("Transfer-Encoding")?.split(separator: ",").last
        return coding?.withoutOuterBlanks.lowercased() == "chunked"
    }

    /// The length of the encoded body in bytes, as the server states it.
    var length: Int? { http.field("Content-Length").flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 } }

    /// Whether the body is not shorter than the server said (section 3.3). A body that was decoded may have any length.
    var isComplete: Bool {
        method == "HEAD" || http.field("Content-Encoding") != nil || body.count >= length ?? 0
    }

    /// Whether it can answer a request (section 4).
    func matches(_ asked: CacheableRequest) -> Bool {
        (method == asked.method || method == "GET") && secrets == asked.secrets
            && varied.allSatisfy { asked.value(of: $0.key) == $0.value }
    }

    // MARK: - Freshness

    /// In seconds (section 4.2.3).
    func age(at now: Moment) -> TimeInterval { ageOnArrival + now.time(since: responseTime) }

    // MARK: - Validation

    /// The header fields that ask whether it is still valid (section 4.3.1).
    var validators: [String: String] {
        let fields = ["If-None-Match": http.field("ETag"), "If-Modified-Since": http.field("Last-Modified")]
        return fields.compactMapValues(\.self)
    }

    /// Whether a 304 refers to this response, as far as it says (section 4.3.4).
    func isConfirmed(by notModified: HTTPURLResponse) -> Bool {
        guard let tag = notModified.field("ETag") else { return true }
        let tags = [tag, http.field("ETag") ?? ""].map { $0.hasPrefix("W/") ? String($0.dropFirst(2)) : $0 }
        return tags[0] == tags[1]
    }

    /// Whether the response to a `HEAD` shows that the resource has changed (section 4.3.5).
    func isOutdated(by head: HTTPURLResponse) -> Bool {
        let isOther = { (name: String) in Set([head, http].compactMap { $0.field(name) }).count > 1 }
        return head.statusCode != http.statusCode || !isConfirmed(by: head)
            || ["Last-Modified", "Content-Length"].contains(where: isOther)
    }

    /// This response, updated by a 304 (section 3.2).
    func updated(by notModified: HTTPURLResponse, to asked: CacheableRequest, _ start: Moment, _ now: Moment) -> Self {
        // The stored values are out of date.
        var changes: [String: String?] = ["Age": nil, "Date": nil]
        // Nor do the fields of the received body change.
        let kept = Self.connectionFields(notModified).union(["content-length", "content-encoding", "content-range"])
        for (name, value) in Teapot.HeaderFields(notModified) where !kept.contains(FieldName(name)) {
            changes[name] = value
        }
        let response = http.with(changes, cookies: notModified.separateCookies ?? [])
        var updated = Self(response, to: asked, start, now)
        updated.body = body
        updated.method = method
        return updated
    }

    /// The part of it that is stored: not the fields of the connection (section 3.1), and not the cookies, which are set once.
    var stored: StoredResponse {
        var stored = self
        let names = Self.connectionFields(http).union(["set-cookie"])
        stored.http = http.with(Dictionary(uniqueKeysWithValues: names.map { ($0.lowercased, nil) }), cookies: [])
        return stored
    }

    /// The fields for the connection, and those that `Connection` names (RFC 9110, section 7.6.1), except those that say who gets a
    /// response, and how long.
    private static func connectionFields(_ http: HTTPURLResponse) -> Set<FieldName> {
        let named = (http.field("Connection") ?? "").split(separator: ",").map { FieldName("\($0.withoutOuterBlanks)") }
        return connection.union(named).subtracting(["cache-control", "vary", "age", "date", "expires"])
    }

    private static let connection: Set<FieldName> = [
        "connection", "keep-alive", "te", "transfer-encoding", "upgrade", "trailer", "proxy-connection",
        "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
    ]

    /// The events that a transport reports for it.
    func events(for method: String, at now: Moment, _ timings: Teapot.Timings = Teapot.Timings()) -> [TransportEvent] {
        var timings = timings
        timings.isFromCache = true
        timings.isMadeByCache = true
        let age = "\(Int(exactly: age(at: now).rounded(.down)) ?? 0)"
        let response = http.with(["Age": age], cookies: http.separateCookies ?? [])
        let data = method == "HEAD" || body.isEmpty ? [] : [TransportEvent.data(body)]
        return [.response(response)] + data + [.measured(timings), .finished(nil)]
    }

    /// The approximate number of bytes in memory.
    var size: Int {
        let fields =
            Teapot.HeaderFields(http).map { ($0.name, $0.value) } + secrets.map { ($0.key.lowercased, $0.value) }
            + varied.map { ($0.key, $0.value ?? "") }
        // In a dictionary, each takes some more.
        return fields.reduce(body.count + 1_000) { $0 + 200 + $1.0.utf8.count + $1.1.utf8.count }
    }
}

extension HTTPURLResponse {
    /// The same with other header fields, of which `nil` removes one, and with these `Set-Cookie` fields.
    fileprivate func with(_ changes: [String: String?], cookies: [String]) -> HTTPURLResponse {
        let names = Set(changes.keys.map { FieldName($0) })
        var fields = changes.compactMapValues(\.self)
        for (name, value) in Teapot.HeaderFields(self) where !names.contains(FieldName(name)) { fields[name] = value }
        let make = { CookieResponse.make(url: $0, statusCode: self.statusCode, headerFields: fields, cookies: cookies) }
        return url.flatMap(make) ?? self
    }
}
