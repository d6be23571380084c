import Teapot

/// A stored response (RFC 9111, section 3), or one that may be stored.
final class StoredResponse: Sendable {
    let head: ResponseHead
    let body: Data
    let control: CacheControl
    /// The method of the request. A stored response to `GET` also answers a `HEAD`.
    let method: String
    /// In seconds (section 4.2.1). Zero unless the server states one.
    let lifetime: TimeInterval
    private let responseTime: Moment
    private let ageOnArrival: TimeInterval
    /// The parts of a request that must be equal: its secrets, and the fields that `Vary` names (section 4.1).
    private let secrets: [String]
    private let varied: [(name: String, value: String?)]
    /// Whether others can get the response, although it sets cookies.
    private let mayBeShared: Bool
    /// The `Last-Modified` that an earlier `Date` has shown to tell versions apart (RFC 9110, section 8.8.2.2), if a 304 had no `Date`.
    private let earlierLastModified: String?

    init(
        _ head: ResponseHead,
        _ body: Data = Data(),
        to asked: CacheableRequest,
        _ start: Moment,
        _ now: Moment,
        method: String? = nil,
        earlierLastModified: String? = nil
    ) {
        self.head = head
        self.body = body
        self.method = method ?? asked.method
        self.earlierLastModified = earlierLastModified
        responseTime = now
        control = CacheControl(head.field("Cache-Control"))
        let date = head.field("Date").flatMap(HTTPDate.parseExactly) ?? now.date
        // An `Expires` that is not a date of HTTP has passed (section 5.3).
        let expires = head.field("Expires").flatMap(HTTPDate.parseExactly) ?? date
        lifetime = control.seconds("max-age") ?? max(expires.timeIntervalSince(date), 0)
        let ageValue = head.field("Age").flatMap(CacheControl.seconds) ?? 0
        ageOnArrival = max(now.date.timeIntervalSince(date), ageValue + now.time(since: start))
        secrets = asked.secrets
        mayBeShared = asked.has(cookies: head.setCookieFields)
        // The number is limited, since all of them are compared with each request.
        let names = Self.elements(of: head.field("Vary"), maxSplits: 64)
        varied = (names.count > 64 ? ["*"] : names).map { ($0, asked.value(of: $0)) }
    }

    /// The elements of a list in lower case.
    private static func elements(of field: String?, maxSplits: Int = .max) -> [String] {
        let elements = field?.lowercased().split(separator: ",", maxSplits: maxSplits) ?? []
        return elements.map { String($0.withoutOuterBlanks) }
    }

    /// Whether the response can be stored (section 3), and is useful. Section 3.5 is for shared caches; this cache separates the users.
    var isStorable: Bool {
        let statuses = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]
        guard statuses.contains(head.status), head.url != nil, mayBeShared else { return false }
        // A cache that knows a status, as it does all of these, may ignore `no-store` (section 5.2.2.3).
        guard !control.has("no-store") || control.has("must-understand") else { return false }
        for (name, _) in varied where name == "*" { return false }
        return lifetime > 0 || !validators.isEmpty || control.has("stale-while-revalidate")
            || control.has("stale-if-error")
    }

    /// Whether the end of the body is certain. A body without a length or chunks ends where the connection or the stream ends, or
    /// breaks: HTTP/1 cannot tell these apart (RFC 9112, section 8), and libcurl does not always do so over HTTP/2.
    var isEndCertain: Bool {
        method == "HEAD" || head.status == 204 || length != nil
            || Self.elements(of: head.field("Transfer-Encoding")).last == "chunked"
    }

    /// The length of the encoded body in bytes, as the server states it.
    var length: Int? { head.field("Content-Length").flatMap(CacheControl.number) }

    /// Whether a body is not shorter than the server said (section 3.3). A body that was decoded may have any length.
    func isComplete(with body: Data) -> Bool {
        if method == "HEAD" { return true }
        return head.field("Content-Encoding") == nil ? body.count >= length ?? 0 : !body.isEmpty || !head.promisesBody
    }

    /// Whether the response can answer a request (section 4).
    func matches(_ asked: CacheableRequest) -> Bool {
        guard method == asked.method || method == "GET", secrets == asked.secrets else { return false }
        return varied.allSatisfy { asked.value(of: $0.name) == $0.value }
    }

    /// In seconds (section 4.2.3).
    func age(at now: Moment) -> TimeInterval { ageOnArrival + now.time(since: responseTime) }

    // MARK: - Validation

    private var lastModified: String? { earlierLastModified ?? head.strongLastModified }

    /// The header fields that ask whether the response is still valid (section 4.3.1).
    var validators: [(name: String, value: String)] {
        let fields = [("If-None-Match", head.field("ETag")), ("If-Modified-Since", lastModified)]
        // A transport of another author may let a line break through, which would begin another field of the request.
        return fields.compactMap { name, value in value.flatMap { HeaderFieldRules.isValue($0) ? (name, $0) : nil } }
    }

    /// Whether a 304 refers to this response, as far as the 304 says (section 4.3.4).
    func isConfirmed(by notModified: ResponseHead) -> Bool {
        guard let tag = notModified.field("ETag") else { return true }
        return Self.opaque(tag) == Self.opaque(head.field("ETag") ?? "")
    }

    private static func opaque(_ tag: String) -> String { tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag }

    /// Whether the response to a `HEAD` shows that the resource has changed (section 4.3.5).
    func isOutdated(by other: ResponseHead) -> Bool {
        guard other.status == head.status, isConfirmed(by: other) else { return true }
        return ["Last-Modified", "Content-Length"].contains { name in
            if let new = other.field(name), let old = head.field(name) { new != old } else { false }
        }
    }

    /// This response, updated by a 304 (section 3.2).
    func updated(by notModified: ResponseHead, to asked: CacheableRequest, _ start: Moment, _ now: Moment)
        -> StoredResponse
    {
        var lines = head.lines
        // The fields of the received body do not change.
        let kept = Self.fields(notModified, ["content-length", "content-encoding", "content-range"])
        let new = notModified.lines.all.filter { !kept.contains(FieldName($0.name)) }
        // The stored age and date are out of date.
        lines.remove(Set(new.map { FieldName($0.name) } + ["age", "date"]))
        for (name, value) in new { lines.append(name, value) }
        let response = head(with: lines, hasSeparateCookies: notModified.separateCookies != nil)
        let hasSameDates = notModified.field("Date") == nil && response.field("Last-Modified") == lastModified
        let earlier = hasSameDates ? lastModified : nil
        return StoredResponse(response, body, to: asked, start, now, method: method, earlierLastModified: earlier)
    }

    /// The response to store with a body: without the fields of the connection (section 3.1), and without the cookies,
    /// which are set once.
    func stored(with body: Data, to asked: CacheableRequest, _ start: Moment) -> StoredResponse {
        var lines = head.lines
        lines.remove(Self.fields(head, ["set-cookie"]))
        let (head, earlier) = (head(with: lines, hasSeparateCookies: false), earlierLastModified)
        return StoredResponse(head, body, to: asked, start, responseTime, method: method, earlierLastModified: earlier)
    }

    /// Some fields, the fields for the connection, and the fields that `Connection` names (RFC 9110, section 7.6.1). Fields that say who
    /// gets a response, and for how long, are never among them.
    private static func fields(_ head: ResponseHead, _ others: [String]) -> Set<FieldName> {
        let kept = ["cache-control", "vary", "age", "date", "expires"]
        let named = elements(of: head.field("Connection")).filter { !kept.contains($0) }
        let connection = [
            "connection", "keep-alive", "te", "transfer-encoding", "upgrade", "trailer", "proxy-connection",
            "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
        ]
        return Set((connection + others + named).map { FieldName($0) })
    }

    // MARK: - Use

    private func head(with lines: FieldLines, hasSeparateCookies: Bool) -> ResponseHead {
        guard let url = head.url else { return head }
        return ResponseHead(url: url, status: head.status, lines: lines, hasSeparateCookies: hasSeparateCookies)
    }

    /// The events that a transport reports for the response.
    func events(for method: String, at now: Moment, _ timings: Teapot.Timings = Teapot.Timings()) -> [TransportEvent] {
        var timings = timings
        timings.isFromCache = true
        var lines = head.lines
        lines.replace("Age", with: [String(Int(exactly: age(at: now).rounded(.down)) ?? 0)])
        let head = head(with: lines, hasSeparateCookies: head.separateCookies != nil)
        var events = [TransportEvent(.response(head))]
        if method != "HEAD", !body.isEmpty { events.append(.data(body)) }
        return events + [.measured(timings), .finished(nil)]
    }

    /// The approximate number of bytes in memory. Each text takes more than its bytes.
    var size: Int {
        var size = body.count + 1_000
        for (name, value) in head.lines.all { size += 200 + name.utf8.count + value.utf8.count }
        for line in secrets { size += 200 + line.utf8.count }
        for (name, value) in varied { size += 200 + name.utf8.count + (value ?? "").utf8.count }
        return size
    }
}
