import Foundation
import LoopbackServer
import TestSupport
import TestTraits
import Testing

import Teapot
@testable internal import TeapotCache

/// Requests that go to the server, and those that the cache answers.
@Suite(.inTurn)
struct CachingTransportTests {
    typealias Fields = [String: String]

    private static let time = Date(timeIntervalSince1970: 1_700_000_000)

    /// A server that answers by path, and a client with a cache in front of it.
    private final class Trial: Sendable {
        typealias Answer = (status: Int, headers: [String: String], body: String)

        let teapot: Teapot
        let cache: CachingTransport
        let server: ManualTransport
        let now: Locked<Date>
        let answers: Locked<[String: Answer]>

        init(maximumSize: Int = 1_000_000, servesOneUser: Bool = false, _ answers: [String: Answer]) throws {
            let (now, stored) = (Locked(CachingTransportTests.time), Locked(answers))
            let server = ManualTransport { hop in
                let name = hop.request.url?.lastPathComponent ?? ""
                var answer: Answer = stored.withLock { $0[name] } ?? (404, [:], "")
                let length = ["Content-Length": "\(answer.body.utf8.count)"]
                answer.headers.merge(length) { given, _ in given }
                if let tag = answer.headers["ETag"], hop.request.value(forHTTPHeaderField: "If-None-Match") == tag {
                    hop.answer(304, headers: answer.headers)
                } else {
                    hop.answer(answer.status, headers: answer.headers, body: answer.body)
                }
            }
            (self.server, self.now, self.answers) = (server, now, stored)
            cache = CachingTransport(wrapping: server, maximumSize: maximumSize, servesOneUser: servesOneUser) {
                now.withLock { $0 }
            }
            let baseURL = try #require(URL(string: "http://api.example/v1"))
            teapot = Teapot(baseURL: baseURL, transport: cache)
        }

        func pass(_ seconds: TimeInterval) { now.withLock { $0 += seconds } }

        func get(_ path: String, _ fields: [String: String] = [:]) async throws -> String {
            let response = try await teapot.get(Teapot.Path(path), headerFields: fields)
            return String(decoding: response.data, as: UTF8.self) + (response.isFromCache ? " (cache)" : "")
        }

        var count: Int { server.hops.count }
        func sent(_ field: String) -> [String?] { server.hops.map { $0.request.value(forHTTPHeaderField: field) } }
    }

    private static func teapot(_ server: ManualTransport) throws -> Teapot {
        let baseURL = try #require(URL(string: "http://api.example/v1"))
        return Teapot(baseURL: baseURL, transport: CachingTransport(wrapping: server))
    }

    // MARK: - Freshness and validation

    @Test func `a fresh response comes from the cache, and has an age`() async throws {
        let trial = try Trial(["a": (200, ["Cache-Control": "max-age=60", "X-Tea": "green"], "one")])
        #expect(try await trial.get("a") == "one")
        trial.pass(59)
        let response = try await trial.teapot.get("a#part")
        #expect(response.isFromCache)
        #expect(response.data == Data("one".utf8))
        #expect(response.headerFields["Age"] == "59")
        #expect(response.headerFields["X-Tea"] == "green")
        #expect(response.status == 200)
        #expect(trial.count == 1)
        trial.answers.withLock { $0["a"]?.body = "two" }
        trial.pass(1)
        #expect(try await trial.get("a") == "two")
        #expect(try await trial.get("a") == "two (cache)")
        #expect(try await trial.get("a?q") == "two")
        #expect(trial.count == 3)
    }

    @Test func `a stale response is revalidated, and a 304 makes it fresh`() async throws {
        let modified = "Tue, 14 Nov 2023 22:13:19 GMT"
        let fields = [
            "Cache-Control": "max-age=60", "ETag": "\"1\"", "Last-Modified": modified,
            "Date": "Tue, 14 Nov 2023 22:13:20 GMT",
        ]
        let trial = try Trial(["a": (200, fields, "one")])
        #expect(try await trial.get("a") == "one")
        trial.pass(60)
        trial.answers.withLock {
            $0["a"]?.headers.merge(["X-New": "b", "Date": "Tue, 14 Nov 2023 22:14:20 GMT"]) { $1 }
        }
        let response = try await trial.teapot.get("a")
        #expect(response.isFromCache)
        #expect(response.status == 200)
        #expect(response.data == Data("one".utf8))
        #expect(response.headerFields["X-New"] == "b")
        #expect(trial.sent("If-None-Match") == [nil, "\"1\""])
        #expect(trial.sent("If-Modified-Since") == [nil, modified])
        trial.pass(59)
        #expect(try await trial.get("a") == "one (cache)")
        #expect(trial.count == 2)
        trial.answers.withLock { $0["a"] = (200, ["ETag": "\"2\""], "two") }
        #expect(try await trial.get("a", ["Cache-Control": "no-cache"]) == "two")
        #expect(try await trial.get("a") == "two (cache)")
        #expect(trial.sent("If-None-Match").suffix(2) == ["\"1\"", "\"2\""])
    }

    @Test func `an outage keeps the stored response, and a new response replaces it`() async throws {
        let trial = try Trial(["a": (200, ["Cache-Control": "max-age=60"], "one")])
        #expect(try await trial.get("a") == "one")
        trial.answers.withLock { $0["a"] = (503, [:], "") }
        await #expect(throws: TeapotError.self) { try await trial.get("a", ["Cache-Control": "no-cache"]) }
        #expect(try await trial.get("a") == "one (cache)")
        trial.answers.withLock { $0["a"] = (410, [:], "") }
        await #expect(throws: TeapotError.self) { try await trial.get("a", ["Cache-Control": "no-cache"]) }
        await #expect(throws: TeapotError.self) { try await trial.get("a") }
        #expect(trial.count == 4)
    }

    @Test func `a 304 that says no-store is the last`() async throws {
        let trial = try Trial(["a": (200, ["ETag": "\"1\""], "one")])
        #expect(try await trial.get("a") == "one")
        trial.answers.withLock { $0["a"]?.headers["Cache-Control"] = "no-store" }
        #expect(try await trial.get("a") == "one (cache)")
        #expect(try await trial.get("a") == "one")
    }

    @Test func `the caller's conditions and ranges pass`() async throws {
        let trial = try Trial(["a": (200, ["Cache-Control": "max-age=60", "ETag": "\"1\""], "one")])
        for fields in [
            ["If-None-Match": "\"0\""], ["Range": "bytes=0-9"], ["Cache-Control": "no-store"], ["Host": "b"],
        ] {
            #expect(try await trial.get("a", fields) == "one")
        }
        #expect(try await trial.get("a") == "one")
        let error = await thrown { () throws(TeapotError) in
            try await trial.teapot.get("a", headerFields: ["If-None-Match": "\"1\""])
        }
        #expect(error?.responseStatus == 304)
    }

    @Test func `only-if-cached does not ask the server`() async throws {
        let trial = try Trial(["a": (200, ["Cache-Control": "max-age=60"], "one")])
        trial.teapot.retryPolicy = RetryPolicy()
        let error = await thrown { () throws(TeapotError) in
            try await trial.teapot.get("a", headerFields: ["Cache-Control": "only-if-cached"])
        }
        #expect(error?.responseStatus == 504)
        #expect(error?.attempts == 1)
        // Nothing was stored.
        let request = Teapot.Request(path: "a", headerFields: ["Cache-Control": "only-if-cached"])
        var accepting = request
        accepting.acceptedStatuses = [504]
        #expect(try await !trial.teapot.send(accepting).isFromCache)
        // Nor do requests that pass the cache get to the server then.
        for fields in [
            ["Range": "bytes=0-1"], ["If-None-Match": "\"1\""], ["Cache-Control": "only-if-cached, no-store"],
        ] {
            accepting.headerFields = ["Cache-Control": "only-if-cached"].merging(fields) { $1 }
            #expect(try await trial.teapot.send(accepting).status == 504)
        }
        var post = Teapot.Request(.post, path: "a", headerFields: request.headerFields)
        post.acceptedStatuses = [504]
        #expect(try await trial.teapot.send(post).status == 504)
        #expect(trial.count == 0)
        #expect(try await trial.get("a") == "one")
        #expect(try await trial.get("a", ["Cache-Control": "only-if-cached"]) == "one (cache)")
    }

    @Test func `the number of variants of a URL is limited`() async throws {
        let trial = try Trial(["a": (200, ["Cache-Control": "max-age=60", "Vary": "X-Tea"], "one")])
        for number in 0..<20 {
            trial.answers.withLock { $0["a"]?.body = "\(number)" }
            #expect(try await trial.get("a", ["X-Tea": "\(number)"]) == "\(number)")
        }
        for number in 18...19 { #expect(try await trial.get("a", ["X-Tea": "\(number)"]) == "\(number) (cache)") }
        #expect(try await trial.get("a", ["X-Tea": "0"]) == "19")
        #expect(try await trial.get("a") == "19")
    }

    @Test func `a HEAD is answered from a stored GET, without its body`() async throws {
        let trial = try Trial(["a": (200, ["Cache-Control": "max-age=60"], "one")])
        #expect(try await trial.teapot.head("a").status == 200)
        #expect(try await trial.get("a") == "one")
        let response = try await trial.teapot.head("a")
        #expect(response.isFromCache)
        #expect(response.data.isEmpty)
        #expect(try await trial.get("a") == "one (cache)")
        #expect(trial.count == 2)
    }

    @Test func `a HEAD with another tag makes a GET ask the server`() async throws {
        let trial = try Trial(["a": (200, ["Cache-Control": "max-age=60", "ETag": "\"1\""], "one")])
        #expect(try await trial.get("a") == "one")
        #expect(try await trial.teapot.head("a", headerFields: ["Cache-Control": "no-cache"]).status == 200)
        #expect(try await trial.get("a") == "one (cache)")
        trial.answers.withLock { $0["a"] = (200, ["Cache-Control": "no-store", "ETag": "\"2\""], "two") }
        #expect(try await trial.teapot.head("a", headerFields: ["Cache-Control": "no-cache"]).status == 200)
        #expect(try await trial.get("a") == "two")
    }

    /// The date that a test gives stands still, and the clocks of the system do not.
    @Test func `a clock that only goes forward counts, too`() throws {
        let (clock, ofTest) = (Moment.clock(nil), Moment.clock { Self.time })
        let (first, second) = (clock(), clock())
        #expect(second.elapsed >= first.elapsed)
        #expect(abs(first.date.timeIntervalSinceNow) < 600)
        #expect(ofTest().time(since: ofTest()) == 0)
    }

    // MARK: - Variants and credentials

    static let credentials = [
        Credential.bearer("ada-token"), .basic(username: "ada", password: "pass"),
        Credential(headerField: "X-Api-Key", value: "ada"), Credential(headerField: "X-Who", value: "ada"),
    ]

    /// GitHub's API, for example, answers so.
    @Test(arguments: credentials)
    func `a response to a request with a credential is validated`(_ credential: Credential) async throws {
        let fields = ["Cache-Control": "private, max-age=0", "ETag": "\"1\""]
        let trial = try Trial(["a": (200, fields, "Ada")])
        trial.teapot.plugins = [credential]
        #expect(try await trial.get("a") == "Ada")
        #expect(try await trial.get("a") == "Ada (cache)")
        #expect(trial.sent("If-None-Match") == [nil, "\"1\""])
        // Not with the tag of another's response, which might confirm it.
        trial.answers.withLock { $0["a"]?.body = "Bob" }
        trial.teapot.plugins = [Credential(headerField: credential.name, value: "bob")]
        #expect(try await trial.get("a") == "Bob")
        trial.teapot.plugins = []
        #expect(try await trial.get("a") == "Bob")
        #expect(trial.sent("If-None-Match").suffix(2) == [nil, nil])
        trial.teapot.plugins = [credential]
        #expect(try await trial.get("a") == "Ada (cache)")
    }

    /// A signature is another credential each time that it differs.
    @Test func `a signed request gets the response to one with the same signature only`() async throws {
        let trial = try Trial(["a": (200, ["Cache-Control": "max-age=60"], "one")])
        let signature = Locked("1")
        trial.teapot.plugins = [
            Credential.signing { request, _ in
                request.setValue(signature.withLock { $0 }, forHTTPHeaderField: "Authorization")
                request.setValue("sig", forHTTPHeaderField: "X-Amz-Date")
            }
        ]
        #expect(try await trial.get("a") == "one")
        #expect(try await trial.get("a") == "one (cache)")
        signature.withLock { $0 = "2" }
        #expect(try await trial.get("a") == "one")
        #expect(trial.count == 2)
    }

    @Test(arguments: ["max-age=60", "max-age=60, must-revalidate", "max-age=60, public", "max-age=60, private"])
    func `a credential never gets the response of another`(_ control: String) async throws {
        let trial = try Trial(["a": (200, ["Cache-Control": control], "Ada")])
        trial.teapot.plugins = [Credential.bearer("ada-token")]
        #expect(try await trial.get("a") == "Ada")
        #expect(try await trial.get("a") == "Ada (cache)")
        trial.answers.withLock { $0["a"]?.body = "Bob" }
        trial.teapot.plugins = [Credential.bearer("bob-token")]
        #expect(try await trial.get("a") == "Bob")
        trial.teapot.plugins = []
        #expect(try await trial.get("a") == "Bob")
        trial.teapot.plugins = [Credential(headerField: "X-Who", value: "ada")]
        #expect(try await trial.get("a") == "Bob")
        trial.teapot.plugins = [Credential.bearer("ada-token")]
        #expect(try await trial.get("a") == "Ada (cache)")
        trial.cache.removeAll()
        #expect(try await trial.get("a") == "Bob")
    }

    @Test func `other cookies get nothing either, and no cookie is set again`() async throws {
        let trial = try Trial([
            "a": (200, ["Cache-Control": "max-age=60"], "one"),
            "login": (200, ["Cache-Control": "max-age=60", "Set-Cookie": "session=1; Path=/"], ""),
        ])
        #expect(try await trial.get("a") == "one")
        #expect(try await trial.get("login").isEmpty)
        #expect(try await trial.get("a") == "one")
        #expect(try await trial.get("a") == "one (cache)")
        #expect(trial.sent("Cookie") == [nil, nil, "session=1"])
    }

    /// A server that renews the cookie of a session with each response.
    @Test func `a cookie that is renewed is obeyed once, and does not turn the cache off`() async throws {
        let trial = try Trial(["a": (200, ["Cache-Control": "max-age=60", "Set-Cookie": "session=1; Path=/"], "one")])
        // What comes with a new session may be its own. Others send the same first request.
        #expect(try await trial.get("a") == "one")
        let other = Teapot(baseURL: trial.teapot.baseURL, transport: trial.cache)
        #expect(try await !other.get("a").isFromCache)
        #expect(try await trial.get("a") == "one")
        let response = try await trial.teapot.get("a")
        #expect(response.isFromCache)
        #expect(response.headerFields["Set-Cookie"] == nil)
        #expect(trial.sent("Cookie") == [nil, nil, "session=1"])
        // It would be set again with each use.
        trial.teapot.cookies.removeAll()
        try trial.teapot.cookies.set([Teapot.Cookie(name: "session", value: "1", path: "/v1")])
        #expect(try await trial.get("a") == "one (cache)")
        #expect(trial.teapot.cookies.all.map(\.path) == ["/v1"])
        // A new value is another session by default.
        trial.answers.withLock { $0["b"] = (200, ["Set-Cookie": "session=2; Path=/"], "two") }
        #expect(try await trial.get("b") == "two")
        #expect(try await trial.get("a") == "one")
    }

    @Test func `the cache of one user keeps its responses for new tokens and cookies`() async throws {
        let trial = try Trial(
            servesOneUser: true,
            [
                "a": (200, ["Cache-Control": "max-age=60", "ETag": "\"1\"", "Set-Cookie": "session=1; Path=/"], "one"),
                "b": (200, ["Cache-Control": "max-age=60", "Vary": "Authorization"], "two"),
            ]
        )
        trial.teapot.plugins = [Credential.bearer("a")]
        #expect(try await trial.get("a") == "one")
        #expect(try await trial.get("b") == "two")
        trial.answers.withLock { $0["a"]?.headers["Set-Cookie"] = "session=2; Path=/" }
        trial.teapot.plugins = [Credential.bearer("b")]
        #expect(try await trial.get("a") == "one (cache)")
        #expect(try await trial.get("b") == "two")
        trial.pass(60)
        #expect(try await trial.get("a") == "one (cache)")
        #expect(try await trial.get("a") == "one (cache)")
        #expect(trial.sent("Cookie") == [nil, "session=1", "session=1", "session=1"])
        #expect(trial.teapot.cookies.all.map(\.value) == ["2"])
        // A request without a credential is not one of the user who has signed in.
        trial.teapot.plugins = []
        #expect(try await trial.get("a") == "one")
        #expect(trial.count == 5)
    }

    /// As they are without a cache: where fields were joined, the stricter reading counts.
    @Test(arguments: [false, true])
    func `the cookies of a 304 are set field by field`(areJoined: Bool) async throws {
        let isFirst = Locked(true)
        let server = ManualTransport { hop in
            let cookie = "theme=blue, red; Path=/"
            let fields = ["Cache-Control": "no-cache", "ETag": "1", "Content-Length": "0"]
            let isNew = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            let lines = FieldLines(isNew ? fields : fields.merging(["Set-Cookie": cookie]) { $1 })
            if let url = hop.request.url {
                let status = isNew ? 200 : 304
                let head = ResponseHead(url: url, status: status, lines: lines, hasSeparateCookies: !areJoined)
                hop.report(TransportEvent(.response(head)))
            }
            hop.report(.finished(nil))
        }
        let teapot = try Self.teapot(server)
        try await teapot.get("a/b")
        #expect(try await teapot.get("a/b").isFromCache)
        #expect(teapot.cookies.all.map(\.value) == [areJoined ? "blue" : "blue, red"])
        #expect(teapot.cookies.all.map(\.path) == [areJoined ? "/v1/a" : "/"])
    }

    // MARK: - Section 4.4

    @Test(arguments: ["PUT", "POST", "DELETE", "PATCH", "PURGE"], [200, 303, 404, 500])
    func `unsafe methods invalidate`(_ name: String, _ status: Int) async throws {
        let fresh: Trial.Answer = (200, ["Cache-Control": "max-age=60"], "one")
        let trial = try Trial(["a": fresh, "b": fresh, "c": fresh, "d": fresh])
        for path in ["a", "b", "c", "d", "a?q"] { #expect(try await trial.get(path) == "one") }
        let headers = ["Location": "/v1/b", "Content-Location": "c"]
        trial.answers.withLock { $0["a"] = (status, headers, "") }
        let method = try #require(Teapot.HTTPMethod(rawValue: name))
        _ = try? await trial.teapot.send(Teapot.Request(method, path: "a"))
        trial.answers.withLock { $0["a"] = fresh }
        let isSuccess = status < 400
        for path in ["a", "b", "c"] where !(status == 303 && path == "b") {
            #expect(try await trial.get(path) == (isSuccess ? "one" : "one (cache)"), "\(path)")
        }
        #expect(try await trial.get("d") == "one (cache)")
        #expect(try await trial.get("a?q") == "one (cache)")
    }

    @Test func `safe methods and other origins invalidate nothing`() async throws {
        let fresh: Trial.Answer = (200, ["Cache-Control": "max-age=60"], "one")
        let trial = try Trial(["a": fresh, "b": fresh])
        #expect(try await trial.get("a") == "one")
        let other = "http://other.example/v1/a"
        let neighbor = Teapot(baseURL: try #require(URL(string: "http://other.example/v1")), transport: trial.cache)
        #expect(try await !neighbor.get("a").isFromCache)
        trial.answers.withLock { $0["b"] = (201, ["Location": other, "Content-Location": "//[bad"], "") }
        _ = try await trial.teapot.send(Teapot.Request(.post, path: "b"))
        let options = try #require(Teapot.HTTPMethod(rawValue: "OPTIONS"))
        _ = try await trial.teapot.send(Teapot.Request(options, path: "a"))
        #expect(try await trial.get("a") == "one (cache)")
        #expect(try await neighbor.get("a").isFromCache)
    }

    // MARK: - Bounds

    @Test func `the least recently used go first, and large bodies are not stored`() async throws {
        let body = String(repeating: "x", count: 1_000)
        let fresh: Trial.Answer = (200, ["Cache-Control": "max-age=60"], body)
        let trial = try Trial(maximumSize: 12_000, ["a": fresh, "b": fresh, "c": fresh, "d": fresh, "e": fresh])
        trial.answers.withLock { $0["large"] = (200, fresh.headers, body + body) }
        // Each takes a little more than 2,400 bytes.
        for path in ["a", "b", "c", "d", "a", "large", "e"] { _ = try await trial.get(path) }
        #expect(trial.count == 6)
        #expect(try await trial.get("a") == body + " (cache)")
        #expect(try await trial.get("c") == body + " (cache)")
        #expect(try await trial.get("large") == body + body)
        #expect(try await trial.get("b") == body)
        #expect(trial.count == 8)
    }

    @Test func `an invalid time does not end the process`() async throws {
        let trial = try Trial(["a": (200, ["Cache-Control": "max-age=60"], "one")])
        for time in [-Double.infinity, .infinity, .nan, .greatestFiniteMagnitude] {
            trial.now.withLock { $0 = Date(timeIntervalSince1970: time) }
            for _ in 0..<2 { #expect(try await trial.get("a").hasPrefix("one")) }
        }
    }

    // MARK: - Exchanges that end otherwise

    static let lengths: [(Fields, isStored: Bool)] = [
        (["Content-Length": "3"], true), (["Content-Length": "4"], false), (["Content-Length": ""], false),
        (["Content-Length": "", "Transfer-Encoding": "chunked"], true),
        // Decoded by the transport.
        (["Content-Length": "2"], true), (["Content-Length": "4", "Content-Encoding": "gzip"], true),
    ]

    @Test(arguments: lengths)
    func `a body is stored only if it cannot have been cut off`(_ fields: Fields, _ isStored: Bool) async throws {
        let headers = fields.merging(["Cache-Control": "max-age=60"]) { $1 }
        let trial = try Trial(["a": (200, headers, "one")])
        #expect(try await trial.get("a") == "one")
        #expect(try await trial.get("a") == (isStored ? "one (cache)" : "one"))
    }

    @Test func `a body that is too large, or may have been cut off, removes what was stored before it`() async throws {
        let fresh: Trial.Answer = (200, ["Cache-Control": "max-age=60"], "one")
        let trial = try Trial(maximumSize: 8_000, ["a": fresh])
        #expect(try await trial.get("a") == "one")
        for (body, length) in [(String(repeating: "x", count: 2_000), "2000"), ("one", ""), ("one", "4")] {
            trial.answers.withLock { $0["a"] = (200, fresh.headers.merging(["Content-Length": length]) { $1 }, body) }
            #expect(try await trial.get("a", ["Cache-Control": "no-cache"]) == body)
            trial.answers.withLock { $0["a"] = fresh }
            #expect(try await trial.get("a") == "one")
        }
    }

    @Test func `the body is delivered while it is stored, and an incomplete one is not stored`() async throws {
        let server = ManualTransport { hop in
            hop.respond(200, headers: ["Cache-Control": "max-age=60", "Content-Length": "4"])
        }
        let teapot = try Self.teapot(server)
        for number in 0..<2 {
            var chunks = try await teapot.bytes(Teapot.Request(path: "a").with { $0.timeoutInterval = .infinity })
                .makeAsyncIterator()
            let hop = try #require(server.hops.last)
            hop.report(.data(Data("half".utf8)))
            #expect(try await chunks.next() == Data("half".utf8))
            hop.report(.finished(URLError(.networkConnectionLost)))
            await #expect(throws: TeapotError.self) { try await chunks.next() }
            #expect(server.hops.count == number + 1)
        }
    }

    @Test func `the timings of the transport are kept`() async throws {
        let server = ManualTransport { hop in
            var timings = Teapot.Timings()
            timings.bytesReceived = 7
            hop.respond(
                hop.request.value(forHTTPHeaderField: "If-None-Match") == nil ? 200 : 304,
                headers: ["ETag": "\"1\"", "Content-Length": "0"]
            )
            hop.report(.measured(timings))
            hop.report(.finished(nil))
        }
        let teapot = try Self.teapot(server)
        for isFromCache in [false, true] {
            let response = try await teapot.get("a")
            #expect(response.timings.bytesReceived == 7)
            #expect(response.isFromCache == isFromCache)
        }
    }

    @Test func `many calls at once are all answered`() async throws {
        let server = try LoopbackServer()
        let cache = CachingTransport(maximumSize: 8_000)
        let teapot = Teapot(baseURL: server.baseURL, transport: cache)
        await withTaskGroup { group in
            for number in 0..<64 {
                group.addTask {
                    let path = "response-headers?Cache-Control=max-age%3D60&number=\(number % 7)"
                    let response = try? await teapot.send(
                        Teapot.Request(path: Teapot.Path(path)).with { $0.timeoutInterval = 60 }
                    )
                    #expect(response?.headerFields["number"] == "\(number % 7)")
                    if number % 16 == 0 { cache.removeAll() }
                }
            }
        }
        #expect(server.requests.count >= 7)
    }
}
