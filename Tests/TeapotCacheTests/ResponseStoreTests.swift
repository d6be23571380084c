import Foundation
import TestSupport
import TestTraits
import Testing

import Teapot
import TeapotCache

/// What is stored while other requests are under way.
@Suite(.inTurn)
struct ResponseStoreTests {
    private static let fresh = ["Cache-Control": "max-age=60", "Content-Length": "3"]

    /// A server that answers when it is told to, and a cache in front of it.
    private final class Trial: Sendable {
        let server = ManualTransport()
        let cache: CachingTransport
        let now = Locked(Date(timeIntervalSince1970: 1_700_000_000))

        init(maximumSize: Int = 1_000_000) {
            let now = now
            cache = CachingTransport(wrapping: server, maximumSize: maximumSize) { now.withLock { $0 } }
        }

        /// Starts a request; returns its exchange, unless it was answered from the cache or waits for another.
        @discardableResult func start(
            _ url: String,
            _ method: String = "GET",
            _ fields: [String: String] = [:]
        ) throws -> ManualTransport.Hop? {
            let count = server.hops.count
            var request = URLRequest(url: try #require(URL(string: url)))
            (request.httpMethod, request.allHTTPHeaderFields) = (method, fields)
            _ = cache.start(TransportRequest(request)) { _ in }
            return server.hops.count > count ? server.hops.last : nil
        }

        /// The body that is stored; `nil` if none is.
        func stored(_ url: String, _ fields: [String: String] = [:]) throws -> String? {
            let body = Locked(Data())
            let status = Locked(0)
            var request = URLRequest(url: try #require(URL(string: url)))
            request.allHTTPHeaderFields = fields
            request.setValue("only-if-cached", forHTTPHeaderField: "Cache-Control")
            _ = cache.start(TransportRequest(request)) { event in
                if let response = event.response { status.withLock { $0 = response.statusCode } }
                if let data = event.data { body.withLock { $0 += data } }
            }
            return status.withLock { $0 } == 200 ? String(decoding: body.withLock { $0 }, as: UTF8.self) : nil
        }
    }

    // MARK: - Section 4.4

    @Test(arguments: ["http://other.example/a", "http://api.example/b", "http://api.example/a?q"])
    func `a change of another URL lets the others be stored, and joined`(_ changed: String) throws {
        let trial = Trial()
        let urls = (0..<5).map { "http://api.example/a" + ($0 == 0 ? "" : "\($0)") }
        let hops = try urls.map { try #require(try trial.start($0)) }
        try trial.start(changed, "POST")?.answer(200)
        for url in urls { #expect(try trial.start(url) == nil) }
        for hop in hops { hop.answer(200, headers: Self.fresh, body: "one") }
        for url in urls { #expect(try trial.stored(url) == "one") }
    }

    static let changes: [(String, [String: String])] = [
        ("http://api.example/a", [:]), ("http://api.example/b", ["Location": "/a"]),
        ("http://api.example/b", ["Content-Location": "a#part"]),
        ("http://api.example/b", ["Location": "http://API.example:80/a"]), ("http://API.EXAMPLE:80/a", [:]),
        ("http://api.example/b", ["Location": "/a#part"]),
    ]

    @Test(arguments: changes)
    func `a response that is older than a change of its URL is not stored`(_ url: String, _ headers: [String: String])
        throws
    {
        let trial = Trial()
        let old = try #require(try trial.start("http://api.example/a"))
        try trial.start(url, "POST")?.answer(201, headers: headers)
        let new = try #require(try trial.start("http://api.example/a"))
        new.answer(200, headers: Self.fresh, body: "new")
        old.answer(200, headers: Self.fresh, body: "old")
        #expect(try trial.stored("http://api.example/a") == "new")
        // A request that has ended leaves nothing behind.
        try trial.start("http://api.example/a", "DELETE")?.answer(200)
        #expect(try trial.stored("http://api.example/a") == nil)
        try trial.start("http://api.example/a")?.answer(200, headers: Self.fresh, body: "two")
        #expect(try trial.stored("http://api.example/a") == "two")
    }

    @Test func `nothing that is arriving is stored after all was removed`() throws {
        let trial = Trial()
        let hop = try #require(try trial.start("http://api.example/a"))
        trial.cache.removeAll()
        hop.answer(200, headers: Self.fresh, body: "one")
        #expect(try trial.stored("http://api.example/a") == nil)
    }

    // MARK: - The latest request

    /// Whatever the first one ends with.
    @Test(arguments: [fresh, ["Cache-Control": "no-store"]], [0, -3_600])
    func `the later request counts, whatever the clock says`(_ headers: [String: String], _ seconds: Double) throws {
        let trial = Trial()
        let reload = ["Cache-Control": "no-cache"]
        let old = try #require(try trial.start("http://api.example/a", "GET", reload))
        trial.now.withLock { $0 += seconds }
        let new = try #require(try trial.start("http://api.example/a", "GET", reload))
        new.answer(200, headers: Self.fresh, body: "new")
        old.answer(200, headers: headers, body: "old")
        #expect(try trial.stored("http://api.example/a") == "new")
        trial.now.withLock { $0 += seconds }
        try trial.start("http://api.example/a", "GET", reload)?.answer(200, headers: Self.fresh, body: "two")
        #expect(try trial.stored("http://api.example/a") == "two")
    }

    static let removals: [(String, Int, [String: String])] = [
        ("GET", 404, [:]), ("GET", 410, ["Content-Length": "0"]), ("GET", 200, ["Cache-Control": "no-store"]),
        ("HEAD", 200, ["ETag": "\"2\""]), ("HEAD", 404, [:]),
    ]

    @Test(arguments: removals)
    func `nothing is stored that is older than what showed it to be out of date`(
        _ method: String,
        _ status: Int,
        _ headers: [String: String]
    ) throws {
        let trial = Trial()
        let reload = ["Cache-Control": "no-cache"]
        let old = try #require(try trial.start("http://api.example/a", "GET", reload))
        let new = try #require(try trial.start("http://api.example/a", method, reload))
        new.answer(status, headers: headers)
        old.answer(200, headers: Self.fresh, body: "old")
        #expect(try trial.stored("http://api.example/a") == nil)
        // Later ones are.
        try trial.start("http://api.example/a")?.answer(200, headers: Self.fresh, body: "two")
        #expect(try trial.stored("http://api.example/a") == "two")
    }

    /// The response to an older request is not stored, but what it replaces is out of date.
    @Test(arguments: [(404, [:]), (200, fresh)])
    func `a later request that ends otherwise keeps nothing that an older one replaces`(
        _ status: Int,
        _ headers: [String: String]
    ) throws {
        let trial = Trial()
        let reload = ["Cache-Control": "no-cache"]
        try trial.start("http://api.example/a")?.answer(200, headers: Self.fresh, body: "one")
        let first = try #require(try trial.start("http://api.example/a", "GET", reload))
        let second = try #require(try trial.start("http://api.example/a", "HEAD", reload))
        second.answer(200, headers: ["Content-Length": "3"])
        first.answer(status, headers: headers, body: "two")
        #expect(try trial.stored("http://api.example/a") == nil)
    }

    @Test(arguments: [404, 200])
    func `what is removed for one user is not removed for another`(_ status: Int) throws {
        let trial = Trial()
        let (ada, bob) = (["Authorization": "ada"], ["Authorization": "bob"])
        let slow = try #require(try trial.start("http://api.example/a", "GET", ada))
        try trial.start("http://api.example/a", "GET", bob)?.answer(404)
        slow.answer(200, headers: Self.fresh, body: "one")
        #expect(try trial.start("http://api.example/a", "GET", ada) == nil)
        let reload = ada.merging(["Cache-Control": "no-cache"]) { $1 }
        let again = try #require(try trial.start("http://api.example/a", "GET", reload))
        try trial.start("http://api.example/a", "GET", bob)?.answer(404)
        again.answer(status, headers: Self.fresh, body: "two")
        // A response with this status is fresh, too.
        #expect(try trial.stored("http://api.example/a", ada) == (status == 200 ? "two" : nil))
    }

    @Test func `what a header has shown counts if its body breaks off`() throws {
        let trial = Trial()
        try trial.start("http://api.example/a")?.answer(200, headers: Self.fresh, body: "one")
        let hop = try trial.start("http://api.example/a", "GET", ["Cache-Control": "no-cache"])
        hop?.respond(410, headers: ["Content-Length": "9"])
        hop?.report(.finished(URLError(.networkConnectionLost)))
        #expect(try trial.stored("http://api.example/a") == nil)
    }

    @Test(arguments: ["GET", "HEAD"])
    func `a 304 for another tag removes what is stored`(_ method: String) throws {
        let trial = Trial()
        let headers = ["ETag": "\"1\"", "Content-Length": "3"]
        try trial.start("http://api.example/a")?.answer(200, headers: headers, body: "one")
        let hop = try #require(try trial.start("http://api.example/a", method))
        #expect(hop.request.value(forHTTPHeaderField: "If-None-Match") == "\"1\"")
        hop.answer(304, headers: ["ETag": "\"2\""])
        let next = try #require(try trial.start("http://api.example/a"))
        #expect(next.request.value(forHTTPHeaderField: "If-None-Match") == nil)
    }

    @Test(arguments: [true, false])
    func `a response that a change has made invalid is not used after an error`(_ isChanged: Bool) throws {
        let trial = Trial()
        let headers = ["Cache-Control": "max-age=0, stale-if-error=600", "Content-Length": "3"]
        try trial.start("http://api.example/a")?.answer(200, headers: headers, body: "one")
        let status = Locked(0)
        let url = try #require(URL(string: "http://api.example/a"))
        _ = trial.cache.start(TransportRequest(URLRequest(url: url))) { event in
            if let response = event.response { status.withLock { $0 = response.statusCode } }
        }
        let hop = try #require(trial.server.hops.last)
        if isChanged { try trial.start("http://api.example/a", "POST")?.answer(204) }
        hop.answer(503)
        #expect(status.withLock { $0 } == (isChanged ? 503 : 200))
    }

    @Test func `each of many users has responses of a URL`() throws {
        let trial = Trial()
        for _ in 0..<2 {
            for user in 0..<40 {
                let fields = ["Authorization": "\(user)"]
                try trial.start("http://api.example/a", "GET", fields)?.answer(200, headers: Self.fresh, body: "one")
            }
        }
        #expect(trial.server.hops.count == 40)
        // Variants are limited, as a client can make any number of them.
        let headers = Self.fresh.merging(["Vary": "X-A"]) { $1 }
        let variants = try (0..<80).map { number in
            let fields = ["Authorization": "a", "X-A": "\(number % 40)"]
            return try trial.start("http://api.example/b", "GET", fields)
                .map { $0.answer(200, headers: headers, body: "one") }
        }
        #expect(variants.count { $0 != nil } == 80)
        #expect(try trial.start("http://api.example/b", "GET", ["Authorization": "a", "X-A": "24"]) == nil)
        #expect(try trial.start("http://api.example/b", "GET", ["Authorization": "a", "X-A": "23"]) != nil)
    }

    // MARK: - Bodies that are arriving

    @Test func `bodies that are arriving displace the least recently used`() throws {
        let trial = Trial(maximumSize: 16_000)
        for name in ["a", "b", "c", "d", "e", "f", "g"] {
            try trial.start("http://api.example/\(name)")?.answer(200, headers: Self.fresh, body: "one")
        }
        let headers = ["Cache-Control": "max-age=60", "Transfer-Encoding": "chunked"]
        let hops = try (0..<6).map { try #require(try trial.start("http://api.example/\($0)")) }
        for hop in hops {
            hop.respond(200, headers: headers)
            hop.report(.data(Data(count: 1_900)))
        }
        #expect(try trial.stored("http://api.example/a") == nil)
        #expect(try trial.stored("http://api.example/g") == "one")
        for hop in hops { hop.report(.finished(nil)) }
        // Half of the memory is for four of them.
        let stored = try (0..<6).map { try trial.stored("http://api.example/\($0)") != nil }
        #expect(stored == [true, true, true, true, false, false])
    }

    @Test func `the memory of a body that broke off is free again`() throws {
        let trial = Trial(maximumSize: 16_000)
        for number in 0..<20 {
            let hop = try trial.start("http://api.example/\(number)")
            hop?.respond(200, headers: ["Cache-Control": "max-age=60", "Content-Length": "2000"])
            hop?.report(.data(Data(count: 1_900)))
            hop?.report(.finished(URLError(.networkConnectionLost)))
        }
        // Tests keep the exchanges, and with them what they reserve, unless that is given back at the end.
        try trial.start("http://api.example/a")?.answer(200, headers: Self.fresh, body: "one")
        #expect(try trial.stored("http://api.example/a") == "one")
    }
}
