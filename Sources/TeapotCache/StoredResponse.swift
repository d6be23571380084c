import Teapot

/// A stored response (RFC 9111, section 3).
struct StoredResponse: Sendable {
    private(set) var head: ResponseHead
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
    /// The `Last-Modified` that can tell versions apart by an earlier `Date` (RFC 9110, section 8.8.2.2), if a 304 had none.
    private var earlierLastModified: String?

    /// Makes a response. Its method is that of the request, unless it is that of a stored one: a stored `GET` also answers a
    /// `HEAD`.
    init(_ head: ResponseHead, to asked: CacheableRequest, _ requestTime: Moment, _ now: Moment) {
        self.head = head
        method = asked.method
        responseTime = now
        control = CacheControl(head.field("Cache-Control"))
        let date = head.field("Date").flatMap(HTTPDate.parseExactly) ?? now.date
        // One that is not a date of HTTP has passed (section 5.3).
        let expires = head.field("Expires").flatMap(HTTPDate.parseExactly) ?? date
        lifetime = control.seconds("max-age") ?? max(expires.timeIntervalSince(date), 0)
        let ageValue = head.field("Age").flatMap(CacheControl.seconds) ?? 0
        ageOnArrival = max(now.date.timeIntervalSince(date), ageValue + now.time(since: requestTime))
        secrets = asked.secrets
        mayBeShared = asked.has(cookies: head.setCookieFields)
        // Not too many, as all of them are compared with each request.
        let names = (head.field("Vary") ?? "").split(separator: ",", maxSplits: 64).map { "\($0.withoutOuterBlanks)" }
        let varying = names.count > 64 ? ["*"] : names.map { $0.lowercased() }
        varied = Dictionary(varying.map { ($0, asked.value(of: $0)) }) { first, _ in first }
    }

    /// Whether it can be stored (section 3), and is useful. Section 3.5 is for shared caches: this one separates the users.
    var isStorable: Bool {
        let statuses = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]
        guard statuses.contains(head.status), head.url != nil, mayBeShared else { return false }
        // Of a status that it knows, such as these, section 5.2.2.3 allows both.
        let mayStore = !control.has("no-store") || control.has("must-understand")
        guard mayStore, varied["*"] == nil else { return false }
        let isOfUseStale = ["stale-while-revalidate", "stale-if-error"].contains(where: control.has)
        return !validators.isEmpty || lifetime > 0 || isOfUseStale
    }

    /// Whether the end of the body is certain. With neither a length nor chunks it is where the connection or the stream ends, or
    /// breaks: HTTP/1 cannot tell these apart (RFC 9112, section 8), and libcurl does not always do so over HTTP/2.
    var isEndCertain: Bool {
        if method == "HEAD" || head.status == 204 || length != nil { return true }
        let coding = head.field("Transfer-Encoding")?.split(separator: ",").last
        return coding?.withoutOuterBlanks.lowercased() == "chunked"
    }

    /// The length of the encoded body in bytes, as the server states it.
    var length: Int? { head.field("Content-Length").flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 } }

    /// Whether the body is not shorter than the server said (section 3.3). A body that was decoded may have any length.
    var isComplete: Bool {
        if method == "HEAD" { return true }
        return head.field("Content-Encoding") == nil ? body.count >= length ?? 0 : !body.isEmpty || !head.promisesBody
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

    private var lastModified: String? { earlierLastModified ?? head.strongLastModified }

    /// The header fields that ask whether it is still valid (section 4.3.1).
    var validators: [String: String] {
        let fields = ["If-None-Match": head.field("ETag"), "If-Modified-Since": lastModified]
        // A transport of another author may let a line break through, which would begin another field of the request.
        return fields.compactMapValues(\.self).filter { HeaderFieldRules.isValue($0.value) }
    }

    /// Whether a 304 refers to this response, as far as it says (section 4.3.4).
    func isConfirmed(by notModified: ResponseHead) -> Bool {
        guard let tag = notModified.field("ETag") else { return true }
        let tags = [tag, head.field("ETag") ?? ""].map { $0.hasPrefix("W/") ? String($0.dropFirst(2)) : $0 }
        return tags[0] == tags[1]
    }

    /// Whether the response to a `HEAD` shows that the resource has changed (section 4.3.5).
    func isOutdated(by other: ResponseHead) -> Bool {
        let isOther = { (name: String) in Set([other, head].compactMap { $0.field(name) }).count > 1 }
        return other.status != head.status || !isConfirmed(by: other)
            || ["Last-Modified", "Content-Length"].contains(where: isOther)
    }

    /// This response, updated by a 304 (section 3.2).
    func updated(by notModified: ResponseHead, to asked: CacheableRequest, _ start: Moment, _ now: Moment) -> Self {
        var lines = head.lines
        // The fields of the received body do not change.
        let kept = Self.connectionFields(notModified).union(["content-length", "content-encoding", "content-range"])
        let new = notModified.lines.all.filter { !kept.contains(FieldName($0.name)) }
        // The stored values are out of date.
        lines.remove(Set(new.map { FieldName($0.name) }).union(["age", "date"]))
        for (name, value) in new { lines.append(name, value) }
        let response = head.with(lines, hasSeparateCookies: notModified.separateCookies != nil)
        var updated = Self(response, to: asked, start, now)
        updated.body = body
        updated.method = method
        if let lastModified, notModified.field("Date") == nil, updated.head.field("Last-Modified") == lastModified {
            updated.earlierLastModified = lastModified
        }
        return updated
    }

    /// The part of it that is stored: not the fields of the connection (section 3.1), and not the cookies, which are set once.
    var stored: StoredResponse {
        var stored = self
        var lines = head.lines
        lines.remove(Self.connectionFields(head).union(["set-cookie"]))
        stored.head = head.with(lines, hasSeparateCookies: false)
        return stored
    }

    /// The fields for the connection, and those that `Connection` names (RFC 9110, section 7.6.1), except those that say who gets a
    /// response, and how long.
    private static func connectionFields(_ head: ResponseHead) -> Set<FieldName> {
        let named = (head.field("Connection") ?? "").split(separator: ",").map { FieldName("\($0.withoutOuterBlanks)") }
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
        let age = "\(Int(exactly: age(at: now).rounded(.down)) ?? 0)"
        var lines = head.lines
        lines.replace("Age", with: [age])
        let head = head.with(lines, hasSeparateCookies: head.separateCookies != nil)
        let data = method == "HEAD" || body.isEmpty ? [] : [TransportEvent.data(body)]
        return [TransportEvent(.response(head))] + data + [.measured(timings), .finished(nil)]
    }

    /// The approximate number of bytes in memory.
    var size: Int {
        let fields =
            head.lines.all.map { ($0.name, $0.value) } + secrets.map { ($0.key.lowercased, $0.value) }
            + varied.map { ($0.key, $0.value ?? "") }
        // In a dictionary, each takes some more.
        return fields.reduce(body.count + 1_000) { $0 + 200 + $1.0.utf8.count + $1.1.utf8.count }
    }
}

extension ResponseHead {
    /// The same with other header fields.
    fileprivate func with(_ lines: FieldLines, hasSeparateCookies: Bool) -> ResponseHead {
        url.map { ResponseHead(url: $0, status: status, lines: lines, hasSeparateCookies: hasSeparateCookies) } ?? self
    }
}
