import Foundation
import TestTraits
import Testing

@testable internal import Teapot
@testable internal import TeapotCache

/// The rules and the arithmetic of RFC 9111, without an exchange.
@Suite(.inTurn)
struct CacheRuleTests {
    typealias Fields = [String: String]

    /// Tue, 14 Nov 2023 22:13:20 GMT
    static let time = Moment(date: Date(timeIntervalSince1970: 1_700_000_000), elapsed: .zero)
    static let date = "Tue, 14 Nov 2023 22:13:20 GMT"
    static let url = URL(string: "http://api.example/notes")

    private func request(
        _ fields: Fields = [:],
        method: String = "GET",
        _ change: (inout TransportRequest) -> Void = { _ in }
    ) throws -> CacheableRequest? {
        var request = URLRequest(url: try #require(Self.url))
        request.httpMethod = method
        request.allHTTPHeaderFields = fields
        var sent = TransportRequest(request)
        change(&sent)
        return CacheableRequest(sent)
    }

    private func stored(
        _ fields: Fields,
        status: Int = 200,
        asked: Fields = [:],
        method: String = "GET",
        delay: TimeInterval = 0
    ) throws -> StoredResponse {
        let url = try #require(Self.url)
        let head = ResponseHead(url: url, status: status, lines: FieldLines(fields))
        let asked = try #require(try request(asked, method: method))
        return StoredResponse(head, to: asked, Self.time - delay, Self.time)
    }

    // MARK: - Section 4.2.1

    static let lifetimes: [(Fields, TimeInterval)] = [
        (["Cache-Control": "max-age=60"], 60),
        (["cache-control": "Public , MAX-AGE = 60"], 60),
        (["Cache-Control": "max-age=\"60\""], 60),
        (["Cache-Control": "private=\"a\\\", max-age=1\", max-age=60"], 60),
        (["Cache-Control": ",,no-transform=, max-age=60;"], 60),
        // Not the syntax of the RFC, but the meaning is clear.
        (["Cache-Control": "public; max-age=60"], 60),
        // The first one counts, and one that is not a number makes the response stale.
        (["Cache-Control": "max-age=60, max-age=10"], 60),
        (["Cache-Control": "max-age=-1"], 0),
        (["Cache-Control": "max-age=1.5"], 0),
        (["Cache-Control": "max-age"], 0),
        (["Cache-Control": "max-age="], 0),
        // A number that is too large means a long time (section 1.2.2).
        (["Cache-Control": "max-age=99999999999999999999"], 2_147_483_648),
        // A shared cache's directive says nothing to a private one (section 5.2.2.10).
        (["Cache-Control": "s-maxage=60"], 0),
        // `max-age` goes before `Expires` (section 5.3).
        (["Cache-Control": "max-age=60", "Expires": "Tue, 14 Nov 2023 22:15:20 GMT", "Date": date], 60),
        (["Expires": "Tue, 14 Nov 2023 22:15:20 GMT", "Date": date], 120),
        (["Expires": "Tuesday, 14-Nov-23 22:15:20 GMT", "Date": "Tue Nov 14 22:14:20 2023"], 60),
        // Not dates of HTTP (RFC 9110, section 5.6.7).
        (["Expires": "Tue, 14 Nov 2023 22:15:20 +1000", "Date": date], 0),
        (["Expires": "Tue, 14 Nov 23 22:15:20 GMT", "Date": date], 0),
        (["Expires": "Tue, 14 Nov 2023 22:15:20 GMT, Tue, 14 Nov 2023 22:15:21 GMT", "Date": date], 0),
        (["Expires": "Tue, 14 Nov 2023 22:15:20 GMT, Tue, 14 Nov 2023 22:15:20 GMT", "Date": date], 120),
        // The time of reception instead of a date that is none.
        (["Expires": "Tue, 14 Nov 2023 22:15:20 GMT", "Date": "Tue, 14 Nov 2023 22:13:20 +0800"], 120),
        // Without a `Date`, that of reception (RFC 9110, section 6.6.1).
        (["Expires": "Tue, 14 Nov 2023 22:15:20 GMT"], 120),
        (["Expires": "Tue, 14 Nov 2023 22:10:20 GMT"], 0),
        // An invalid date, `0` above all, is one in the past (section 5.3).
        (["Expires": "0"], 0),
        (["Expires": "-1"], 0),
        // There is no other source of freshness.
        (["Last-Modified": "Tue, 14 Nov 2000 22:13:20 GMT", "Date": date], 0),
        ([:], 0),
    ]

    @Test(arguments: brief(lifetimes))
    func `lifetime is what the server says`(_ argument: Brief<(Fields, TimeInterval)>) throws {
        let (fields, lifetime) = argument.value
        #expect(try stored(fields).lifetime == lifetime)
    }

    // MARK: - Section 4.2.3

    /// Fields, seconds from request to response, seconds since then, and the age.
    static let ages: [(Fields, TimeInterval, TimeInterval, TimeInterval)] = [
        (["Date": date], 0, 0, 0),
        (["Date": date], 0, 30, 30),
        // Without a `Date`, that of reception.
        ([:], 0, 30, 30),
        // The delay of the response counts only on top of what caches before have counted.
        ([:], 4, 30, 34),
        (["Age": "10", "Date": date], 4, 30, 44),
        (["Age": "10, 20"], 0, 0, 10),
        (["Age": "x"], 0, 5, 5),
        (["Age": "-3"], 0, 5, 5),
        // A server whose clock is behind, or a cache that did not count.
        (["Date": "Tue, 14 Nov 2023 22:12:20 GMT"], 0, 30, 90),
        (["Date": "Tue, 14 Nov 2023 22:12:20 GMT", "Age": "50"], 4, 30, 90),
        (["Date": "Tue, 14 Nov 2023 22:12:20 GMT", "Age": "80"], 4, 30, 114),
        // One whose clock is ahead.
        (["Date": "Tue, 14 Nov 2023 23:13:20 GMT"], 0, 30, 30),
        // A clock that was set back.
        ([:], 0, -60, 0),
        ([:], -60, 0, 0),
    ]

    @Test(arguments: ages) func `age is calculated`(
        _ fields: Fields,
        _ delay: TimeInterval,
        _ since: TimeInterval,
        _ age: TimeInterval
    ) throws {
        #expect(try stored(fields, delay: delay).age(at: Self.time + since) == age)
    }

    /// Seconds by the two clocks.
    @Test(arguments: [(0.0, 0, 0.0), (30, 30, 30), (-3_600, 30, 30), (-3_590, 10, 10), (60, 30, 60)])
    func `a clock that is set back makes nothing younger`(_ date: Double, _ elapsed: Int, _ age: Double) throws {
        let now = Moment(date: Self.time.date + date, elapsed: .seconds(elapsed))
        #expect(try stored([:]).age(at: now) == age)
    }

    // MARK: - Section 4.3.1

    /// The fields of a response, and whether its date of modification is used to validate it.
    @Test(
        arguments: [
            (["Last-Modified": "Tue, 14 Nov 2023 22:13:19 GMT", "Date": date], true),
            (["Last-Modified": date, "Date": date], false), (["Last-Modified": date], false),
            (["Last-Modified": "Tue, 14 Nov 2023 22:13:21 GMT", "Date": date], false),
            (["Last-Modified": "Tuesday, 14-Nov-23 22:13:19 GMT", "Date": date], true),
            (["Last-Modified": "yesterday", "Date": date], false), (["Last-Modified": date, "Date": "today"], false),
            (["Last-Modified": date, "Date": date, "ETag": "\"1\""], false),
        ] as [(Fields, Bool)]
    )
    func `a date validates if it tells versions apart`(fields: Fields, isUsed: Bool) throws {
        let validators = try Dictionary(uniqueKeysWithValues: stored(fields).validators.map { ($0.name, $0.value) })
        #expect(validators["If-Modified-Since"] == (isUsed ? fields["Last-Modified"] : nil))
        #expect(validators["If-None-Match"] == fields["ETag"])
    }

    // MARK: - Section 3

    static let storable: [(Fields, Int, asked: Fields, Bool)] = [
        (["Cache-Control": "max-age=60"], 200, [:], true),
        (["Cache-Control": "private, max-age=60"], 200, [:], true),
        (["ETag": "\"1\""], 200, [:], true),
        (["Last-Modified": date, "Date": "Tue, 14 Nov 2023 22:13:21 GMT"], 404, [:], true),
        // A file that changed again in the same second would have the same date.
        (["Last-Modified": date, "Date": date], 200, [:], false), (["Last-Modified": date], 200, [:], false),
        (["Cache-Control": "no-cache", "ETag": "\"1\""], 200, [:], true),
        (["Cache-Control": "stale-while-revalidate=10"], 200, [:], true),
        (["Cache-Control": "max-age=0, stale-if-error=10"], 200, [:], true),
        // Of no use.
        ([:], 200, [:], false),
        (["Cache-Control": "max-age=0"], 200, [:], false),
        (["Cache-Control": "no-store, max-age=60"], 200, [:], false),
        (["Cache-Control": "NO-STORE", "ETag": "\"1\""], 200, [:], false),
        (["Cache-Control": "max-age=60", "Vary": "*"], 200, [:], false),
        (["Cache-Control": "max-age=60", "Vary": "Accept, *"], 200, [:], false),
        // New cookies may belong to what the body contains; others had sent the same request.
        (["Cache-Control": "max-age=60", "Set-Cookie": "a=b"], 200, [:], false),
        (["Cache-Control": "max-age=60", "Set-Cookie": "a=b"], 200, ["Authorization": "Bearer a"], false),
        (["Cache-Control": "max-age=60", "Set-Cookie": "a=b; Path=/"], 200, ["Cookie": "x=y; a=b"], true),
        (["Cache-Control": "max-age=60", "Set-Cookie": "a=b; Path=/"], 200, ["Cookie": "x=y; a=1"], false),
        (["Cache-Control": "max-age=60", "Set-Cookie": "a=b; Path=/"], 200, ["Cookie": "a="], false),
        (["Cache-Control": "max-age=60", "Set-Cookie": "a=b; Path=/, c=d"], 200, ["Cookie": "x=y; a=b"], false),
        (["Cache-Control": "max-age=60", "Set-Cookie": "a=b; Path=/, x=y"], 200, ["Cookie": "x=y; a=b"], true),
        (["Cache-Control": "max-age=60", "Set-Cookie": "a=b"], 200, ["Cookie": "aa=b"], false),
        (["Cache-Control": "max-age=60", "Set-Cookie": "A=b"], 200, ["Cookie": "a=b"], false),
        // Statuses.
        (["Cache-Control": "max-age=60"], 204, [:], true),
        (["Cache-Control": "max-age=60"], 301, [:], true),
        (["Cache-Control": "max-age=60"], 302, [:], false),
        (["Cache-Control": "max-age=60"], 206, [:], false),
        (["Cache-Control": "max-age=60"], 401, [:], false),
        (["Cache-Control": "max-age=60"], 500, [:], false),
        // Both are for caches that know the status.
        (["Cache-Control": "max-age=60, no-store, must-understand"], 200, [:], true),
        (["Cache-Control": "max-age=60, no-store, must-understand"], 299, [:], false),
        // Section 3.5 is for shared caches.
        (["Cache-Control": "max-age=60"], 200, ["Authorization": "Bearer a"], true),
        (["Cache-Control": "private, max-age=0", "ETag": "\"1\""], 200, ["Authorization": "Bearer a"], true),
        (["Cache-Control": "max-age=60, no-store"], 200, ["Authorization": "Bearer a"], false),
        (["Cache-Control": "s-maxage=60"], 200, ["Authorization": "Bearer a"], false),
        (["Cache-Control": "max-age=60"], 200, ["X-API-Key": "a"], true),
        (["Cache-Control": "max-age=60"], 200, ["Cookie": "a=b"], true),
    ]

    @Test(arguments: storable)
    func `may be stored`(_ fields: Fields, _ status: Int, asked: Fields, _ isStorable: Bool) throws {
        let fields = fields.merging(["Content-Length": "0"]) { given, _ in given }
        #expect(try stored(fields, status: status, asked: asked).isStorable == isStorable)
    }

    @Test(arguments: [(64, true), (65, false), (20_000, false)])
    func `Vary may have so many names`(_ count: Int, _ isStorable: Bool) throws {
        let names = (0..<count).map { "X-\($0)" }.joined(separator: ",")
        let fields = ["Cache-Control": "max-age=60", "Content-Length": "0", "Vary": names]
        #expect(try stored(fields).isStorable == isStorable)
    }

    @Test func `the names and values of Vary, secrets and header fields count`() throws {
        let text = String(repeating: "x", count: 1_000)
        let plain = try stored([:]).size
        #expect(try stored(["X-Text": text]).size >= plain + 1_000)
        #expect(try stored([:], asked: ["X-Text": text]).size == plain)
        #expect(try stored([:], asked: ["Authorization": text]).size >= plain + 1_000)
        #expect(try stored(["Vary": text]).size >= plain + 2_000)
        #expect(try stored(["Vary": "X-Text"], asked: ["X-Text": text]).size >= plain + 1_000)
        // Each takes some memory, however short it is.
        let short = Dictionary(uniqueKeysWithValues: (0..<50).map { ("X-\($0)", "") })
        #expect(try stored(short).size >= plain + 10_000)
        #expect(try stored(["Vary": short.keys.joined(separator: ",")]).size >= plain + 10_000)
    }

    // MARK: - Section 3.3

    static let ends: [(Fields, Int, String, Bool)] = [
        (["Content-Length": "3"], 200, "GET", true), (["content-length": "0"], 404, "GET", true),
        (["Transfer-Encoding": "chunked"], 200, "GET", true),
        (["transfer-encoding": "gzip, Chunked "], 200, "GET", true),
        (["Transfer-Encoding": "chunked, gzip"], 200, "GET", false),
        (["Transfer-Encoding": "identity"], 200, "GET", false), (["Transfer-Encoding": ""], 200, "GET", false),
        // It ends where the connection or the stream does, or where it breaks.
        ([:], 200, "GET", false), (["Connection": "close"], 301, "GET", false),
        (["Content-Length": "3, 5"], 200, "GET", false), (["Content-Length": "x"], 200, "GET", false),
        (["Content-Length": "-1"], 200, "GET", false), (["Content-Length": ""], 200, "GET", false),
        // There is no body.
        ([:], 200, "HEAD", true), ([:], 204, "GET", true),
    ]

    @Test(arguments: ends)
    func `the end of a body is certain`(_ fields: Fields, _ status: Int, _ method: String, _ isCertain: Bool) throws {
        #expect(try stored(fields, status: status, method: method).isEndCertain == isCertain)
    }

    // MARK: - Section 3.1

    @Test func `fields of the connection are not stored`() throws {
        let fields = [
            "Connection": "X-Hop , Vary,Cache-Control", "Keep-Alive": "timeout=5", "Transfer-Encoding": "chunked",
            "X-Hop": "a", "x-kept": "b", "Vary": "Accept", "Cache-Control": "max-age=60", "Upgrade": "h2c",
            "Proxy-Authenticate": "Basic", "Set-Cookie": "a=b",
        ]
        let asked = try #require(try request(["Cookie": "a=b", "Accept": "a/b"]))
        let arrived = try stored(fields, asked: ["Cookie": "a=b", "Accept": "a/b"])
        let response = arrived.stored(with: Data(), to: asked, Self.time)
        // Whatever `Connection` names: these fields keep a response from being used.
        #expect(
            Set(Teapot.HeaderFields(response.head).map { $0.name.lowercased() }) == ["x-kept", "vary", "cache-control"]
        )
        #expect(response.matches(asked))
        #expect(try !response.matches(#require(try request(["Cookie": "a=b", "Accept": "c/d"]))))
    }

    // MARK: - Section 4.3.5

    static let heads: [(Fields, Int, Bool)] = [
        ([:], 200, false), (["ETag": "W/\"1\"", "Content-Length": "3", "Last-Modified": date], 200, false),
        (["ETag": "\"2\""], 200, true), (["Last-Modified": "Tue, 14 Nov 2023 22:13:21 GMT"], 200, true),
        (["Content-Length": "4"], 200, true), (["ETag": "\"1\""], 404, true),
    ]

    @Test(arguments: heads)
    func `a HEAD shows what is out of date`(_ fields: Fields, _ status: Int, _ isOutdated: Bool) throws {
        let stored = try stored(["ETag": "\"1\"", "Content-Length": "3", "Last-Modified": Self.date])
        let head = try self.stored(fields, status: status, method: "HEAD").head
        #expect(stored.isOutdated(by: head) == isOutdated)
        // It shows nothing of a field that was not stored.
        let other = try self.stored(["Transfer-Encoding": "chunked"])
        #expect(other.isOutdated(by: head) == (status == 404 || fields["ETag"] != nil))
    }

    // MARK: - Requests

    static let passing: [(Fields, String, Bool)] = [
        ([:], "GET", true), ([:], "HEAD", true), ([:], "POST", false), ([:], "OPTIONS", false),
        (["Range": "bytes=0-1"], "GET", false), (["If-None-Match": "*"], "GET", false),
        (["if-match": "*"], "GET", false), (["If-Range": "\"1\""], "GET", false),
        (["If-Modified-Since": date], "GET", false), (["If-Unmodified-Since": date], "GET", false),
        (["Cache-Control": "no-store"], "GET", false), (["Cache-Control": "no-cache"], "GET", true),
    ]

    @Test(arguments: passing) func `requests pass`(_ fields: Fields, _ method: String, _ isCacheable: Bool) throws {
        #expect(try (request(fields, method: method) != nil) == isCacheable)
    }

    @Test func `requests with bodies pass`() throws {
        var request = URLRequest(url: try #require(Self.url))
        request.httpBody = Data("{}".utf8)
        #expect(CacheableRequest(TransportRequest(request)) == nil)
    }

    static let accepted: [(Fields, stored: Fields, TimeInterval, Bool)] = [
        ([:], ["Cache-Control": "max-age=60"], 59, true),
        // Fresh is what is younger than its lifetime (section 4.2).
        ([:], ["Cache-Control": "max-age=60"], 60, false),
        (["Cache-Control": "max-age=30"], ["Cache-Control": "max-age=60"], 30, true),
        (["Cache-Control": "max-age=30"], ["Cache-Control": "max-age=60"], 31, false),
        (["Cache-Control": "max-age=90"], ["Cache-Control": "max-age=60"], 70, false),
        (["Cache-Control": "max-age=x"], ["Cache-Control": "max-age=60"], 1, false),
        (["Cache-Control": "max-age=0"], ["Cache-Control": "max-age=60, immutable"], 59, true),
        (["Cache-Control": "max-age=0"], ["Cache-Control": "max-age=60, immutable"], 60, false),
        (["Cache-Control": "no-cache"], ["Cache-Control": "max-age=60, immutable"], 1, false),
        (["Cache-Control": "no-cache"], ["Cache-Control": "max-age=60"], 0, false),
        ([:], ["Cache-Control": "max-age=60, no-cache"], 0, false),
        ([:], ["Cache-Control": "max-age=60, no-cache=\"X-Tea\""], 0, false),
        ([:], ["Cache-Control": "max-age=60, must-revalidate"], 59, true),
        ([:], ["Cache-Control": "max-age=60, must-revalidate"], 61, false),
        ([:], ["Cache-Control": "max-age=60", "Age": "50"], 10, false),
        ([:], ["ETag": "\"1\""], 0, false),
    ]

    @Test(arguments: accepted)
    func `answers without the server`(_ asked: Fields, stored: Fields, _ age: TimeInterval, _ isAccepted: Bool) throws {
        let request = try #require(try request(asked))
        #expect(try request.accepts(self.stored(stored), at: Self.time + age) == isAccepted)
    }

    // MARK: - RFC 5861

    private static let both = "max-age=60, stale-if-error=30, stale-while-revalidate=10"

    static let stale: [(Fields, stored: String, TimeInterval, error: Bool, revalidate: Bool)] = [
        ([:], both, 69, true, true), ([:], both, 70, true, false), ([:], both, 89, true, false),
        ([:], both, 90, false, false),
        ([:], "max-age=60", 60, false, false), ([:], "max-age=60, stale-if-error=x", 60, false, false),
        ([:], "stale-if-error=30", 29, true, false), ([:], "stale-while-revalidate=10", 9, false, true),
        ([:], "\(both), must-revalidate", 61, false, false), ([:], "\(both), no-cache", 61, false, false),
        ([:], "max-age=60, stale-if-error=99999999999999999999", 2_000_000_000, true, false),
        // The caller's own wish.
        (["Cache-Control": "no-cache"], both, 61, false, false),
        (["Cache-Control": "max-age=100"], both, 61, false, false),
        (["Cache-Control": "stale-if-error=40"], both, 99, true, false),
        (["Cache-Control": "stale-if-error=0"], both, 61, false, true),
        (["Cache-Control": "stale-if-error=40"], "max-age=60", 99, true, false),
        (["Cache-Control": "stale-if-error=40"], "max-age=60, must-revalidate", 61, false, false),
        (["Cache-Control": "stale-while-revalidate=40"], "max-age=60", 61, false, false),
    ]

    @Test(arguments: stale) func `answers although it is stale`(
        _ asked: Fields,
        _ stored: String,
        _ age: TimeInterval,
        _ onError: Bool,
        _ isRevalidated: Bool
    ) throws {
        let (request, stored) = (try #require(try request(asked)), try self.stored(["Cache-Control": stored]))
        #expect(request.accepts(stored, at: Self.time + age, onError: true) == onError)
        #expect(request.accepts(stored, at: Self.time + age, onError: false) == isRevalidated)
    }

    // MARK: - Section 4.1

    static let matching: [(Fields, stored: (response: Fields, request: Fields), Bool)] = [
        ([:], ([:], [:]), true),
        (["X-A": "1"], ([:], [:]), true),
        (["X-A": "1"], (["Vary": "x-a"], ["X-A": "1"]), true),
        (["x-a": "1", "X-B": "2"], (["Vary": "X-A, x-c"], ["X-A": "1"]), true),
        (["X-A": "2"], (["Vary": "x-a"], ["X-A": "1"]), false),
        ([:], (["Vary": "x-a"], ["X-A": "1"]), false),
        (["X-A": "1"], (["Vary": "x-a"], [:]), false),
        (["Accept-Language": "DE ,en"], (["Vary": "Accept-Language"], ["Accept-Language": "de, en"]), true),
        (["Accept-Language": "en, de"], (["Vary": "Accept-Language"], ["Accept-Language": "de, en"]), false),
        (["X-A": "a,b"], (["Vary": "X-A"], ["X-A": "a, b"]), false),
        (["Authorization": "Bearer a"], ([:], ["Authorization": "Bearer a"]), true),
        (["Authorization": "Bearer b"], ([:], ["Authorization": "Bearer a"]), false),
        (["Authorization": "Bearer b"], ([:], [:]), false),
        ([:], ([:], ["Authorization": "Bearer a"]), false),
        (["X-Api-Key": "b"], ([:], ["X-Api-Key": "a"]), false),
        // Only the capitals show that the name ends in a word for a secret.
        (["X-UserKey": "b"], ([:], ["X-UserKey": "a"]), false),
        (["Proxy-Authorization": "b"], (["Cache-Control": "public"], ["Proxy-Authorization": "a"]), false),
        (["Cookie": "a=1"], ([:], ["Cookie": "a=1"]), true),
        (["Cookie": "a=2"], ([:], ["Cookie": "a=1"]), false),
        ([:], ([:], ["Cookie": "a=1"]), false),
    ]

    @Test(arguments: brief(matching))
    func `answers the same request only`(
        _ argument: Brief<(Fields, (response: Fields, request: Fields), Bool)>
    ) throws {
        let (asked, stored, isSame) = argument.value
        let request = try #require(try request(asked))
        #expect(try self.stored(stored.response, asked: stored.request).matches(request) == isSame)
    }

    /// The fields of two requests of one user, those of the response to the first, and whether that answers the second.
    static let oneUser: [(Fields, Fields, stored: Fields, Bool)] = [
        (["Authorization": "Bearer a"], ["authorization": "Bearer b"], [:], true),
        (["Cookie": "a=1"], ["Cookie": "a=2"], [:], true), (["Cookie": "a=1"], [:], [:], true),
        ([:], ["Cookie": "a=1"], ["Set-Cookie": "a=1"], true),
        (["Authorization": "Bearer a"], ["Authorization": "Bearer b"], ["Vary": "Authorization"], false),
        (["Cookie": "a=1"], ["Cookie": "a=2"], ["Vary": "Cookie"], false),
        // The user may have signed out, or in.
        (["Authorization": "Bearer a"], [:], [:], false), ([:], ["Authorization": "Bearer a"], [:], false),
        (["X-Api-Key": "a"], ["Authorization": "Bearer a"], [:], false),
    ]

    @Test(arguments: brief(oneUser)) func `answers the requests of one user`(
        _ argument: Brief<(Fields, Fields, stored: Fields, Bool)>
    ) throws {
        let (first, second, fields, isSame) = argument.value
        let make = { (fields: Fields) in
            var request = URLRequest(url: try #require(Self.url))
            request.allHTTPHeaderFields = fields
            return try #require(CacheableRequest(TransportRequest(request), servesOneUser: true))
        }
        let headers = fields.merging(["Cache-Control": "max-age=60", "Content-Length": "0"]) { $1 }
        let url = try #require(Self.url)
        let head = ResponseHead(url: url, status: 200, lines: FieldLines(headers))
        let stored = StoredResponse(head, to: try make(first), Self.time, Self.time)
        #expect(stored.isStorable)
        #expect(try stored.stored(with: Data(), to: make(first), Self.time).head.field("Set-Cookie") == nil)
        #expect(try stored.matches(make(second)) == isSame)
        // Only a request that might be answered waits.
        if isSame { #expect(try make(first).equalFields == make(second).equalFields) }
    }

    /// The policy of a client can name what decides who gets what, besides credentials.
    @Test func `what a client names separates, although there is one user`() throws {
        let ask = { (tenant: String, token: String) in
            var request = URLRequest(url: try #require(Self.url))
            request.allHTTPHeaderFields = ["X-Tenant": tenant, "X-Auth-Token": token, "X-Key": token]
            var sent = TransportRequest(request)
            sent.secrets = .standard.adding(["X-Tenant"])
            sent.credentials = [Credential(headerField: "X-Key", value: token)]
            return try #require(CacheableRequest(sent, servesOneUser: true)).secrets
        }
        #expect(try ask("a", "1") == ask("a", "2"))
        #expect(try ask("a", "1") != ask("b", "1"))
    }

    static let silent: [(Int, oneUser: Bool, Bool)] = [
        (401, false, false), (401, true, true), (403, true, false), (404, true, false), (407, false, true),
        (429, false, true), (500, false, true), (503, true, true),
    ]

    @Test(arguments: silent)
    func `a status that says nothing about the resource keeps it`(_ status: Int, _ oneUser: Bool, _ isKept: Bool) throws
    {
        let request = TransportRequest(URLRequest(url: try #require(Self.url)))
        #expect(CacheableRequest(request, servesOneUser: oneUser)?.keepsStored(after: status) == isKept)
    }

    /// A credential may be in a field of any name. What separates users does not depend on what texts show.
    @Test(arguments: ["X-Who", "X-Api-Key", "PRIVATE-TOKEN", "X-Tenant"], [SecretPolicy.standard, .off])
    func `credentials of any name count`(_ name: String, _ policy: SecretPolicy) throws {
        let change: (inout TransportRequest) -> Void = { request in
            request.credentials = [Credential(headerField: "X-Who", value: "a")]
            request.secrets = policy.adding(["x-tenant"])
        }
        let one = try #require(try request([name: "a"], change))
        let other = try #require(try request([name: "b"], change))
        let none = try #require(try request([:], change))
        let url = try #require(Self.url)
        let head = ResponseHead(url: url, status: 200, lines: FieldLines(["Cache-Control": "max-age=1"]))
        let stored = StoredResponse(head, to: one, Self.time, Self.time)
        #expect(stored.matches(one))
        #expect(!stored.matches(other))
        #expect(!stored.matches(none))
    }

    // MARK: - Section 3.2

    @Test func `a 304 changes the fields`() throws {
        let asked = try #require(try request())
        let old = try stored([
            "ETag": "\"1\"", "Age": "50", "Date": "Tue, 14 Nov 2023 22:00:00 GMT", "Cache-Control": "max-age=1",
            "Content-Length": "7", "Content-Type": "text/plain", "X-Old": "a", "X-Both": "a",
        ])
        let url = try #require(Self.url)
        let lines = FieldLines([
            "ETag": "\"1\"", "Cache-Control": "max-age=60", "Content-Length": "0", "Content-Encoding": "gzip",
            "Connection": "close", "X-Both": "b", "X-New": "b",
        ])
        let head = ResponseHead(url: url, status: 304, lines: lines)
        let new = old.updated(by: head, to: asked, Self.time, Self.time)
        let fields = Dictionary(Teapot.HeaderFields(new.head).map { ($0.name.lowercased(), $0.value) }) { $1 }
        #expect(
            fields == [
                "etag": "\"1\"", "cache-control": "max-age=60", "content-length": "7", "content-type": "text/plain",
                "x-old": "a", "x-both": "b", "x-new": "b",
            ]
        )
        #expect(new.head.status == 200)
        #expect(new.lifetime == 60)
        #expect(new.age(at: Self.time) == 0)
    }

    /// Without a date of its own (RFC 9110, section 6.6.1).
    @Test func `a 304 without a date leaves the strength of a date as it was`() throws {
        let asked = try #require(try request())
        let fields = ["Last-Modified": "Tue, 14 Nov 2023 21:00:00 GMT"]
        let url = try #require(Self.url)
        for (date, isStrong) in [("Tue, 14 Nov 2023 22:00:00 GMT", true), ("Tue, 14 Nov 2023 21:00:00 GMT", false)] {
            let old = try stored(fields.merging(["Date": date, "Cache-Control": "max-age=1"]) { $1 })
            let head = ResponseHead(url: url, status: 304, lines: FieldLines([:]))
            let new = old.updated(by: head, to: asked, Self.time, Self.time)
            #expect(new.validators.map(\.name) == (isStrong ? ["If-Modified-Since"] : []))
            #expect(new.validators.map(\.value) == (isStrong ? ["Tue, 14 Nov 2023 21:00:00 GMT"] : []))
        }
    }

    static let tags: [(String?, String?, Bool)] = [
        ("\"1\"", "\"1\"", true), ("W/\"1\"", "\"1\"", true), ("\"2\"", "\"1\"", false), (nil, "\"1\"", true),
        ("\"1\"", nil, false), (nil, nil, true),
    ]

    @Test(arguments: tags) func `a 304 selects the stored response that it confirms`(
        _ tag: String?,
        _ stored: String?,
        _ isConfirmed: Bool
    ) throws {
        let head = try self.stored(tag.map { ["ETag": $0] } ?? [:], status: 304).head
        #expect(try self.stored(stored.map { ["ETag": $0] } ?? [:]).isConfirmed(by: head) == isConfirmed)
    }
}

extension Moment {
    fileprivate static func + (moment: Moment, seconds: TimeInterval) -> Moment {
        Moment(date: moment.date + seconds, elapsed: .zero)
    }

    fileprivate static func - (moment: Moment, seconds: TimeInterval) -> Moment { moment + -seconds }
}
