import Foundation
import TestSupport
import TestTraits
import Testing

import Teapot
@testable internal import TeapotCache

/// Stale responses, as far as RFC 5861 allows them.
@Suite(.inTurn)
struct StaleResponseTests {
    /// A server that answers once, and then when it is told to, and a client with a cache in front of it.
    private final class Trial: Sendable {
        let server: ManualTransport
        let teapot: Teapot
        let now: Locked<Date>

        init(_ control: String, _ fields: [String: String] = [:]) async throws {
            let (isFirst, now) = (Locked(true), Locked(Date(timeIntervalSince1970: 1_700_000_000)))
            let headers = fields.merging(["Cache-Control": control, "ETag": "\"1\"", "Content-Length": "3"]) { $1 }
            server = ManualTransport { hop in
                let answers = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                if answers { hop.answer(200, headers: headers, body: "one") }
            }
            self.now = now
            let baseURL = try #require(URL(string: "http://api.example/v1"))
            let cache = CachingTransport(wrapping: server) { now.withLock { $0 } }
            teapot = Teapot(baseURL: baseURL, transport: cache, clock: StoppedClock())
            try await teapot.get("a")
        }

        func pass(_ seconds: TimeInterval) { now.withLock { $0 += seconds } }

        /// The outcome of a call whose request gets an answer.
        func get(
            _ fields: [String: String] = [:],
            _ answer: (ManualTransport.Hop) -> Void
        ) async -> Result<Teapot.Response, any Error> {
            let count = server.hops.count
            let call = Task { try await teapot.get("a", headerFields: fields) }
            await eventually { server.hops.count > count }
            if let hop = server.hops.last { answer(hop) }
            return await call.result
        }
    }

    // MARK: - stale-if-error

    @Test(arguments: [500, 502, 503, 504])
    func `a server that fails is answered for`(_ status: Int) async throws {
        let trial = try await Trial("max-age=60, stale-if-error=30")
        trial.teapot.retryPolicy = RetryPolicy()
        trial.pass(89)
        for _ in 0..<2 {
            let response = try await trial.get { $0.answer(status, headers: ["X-New": "a"], body: "failed") }.get()
            #expect(response.data == Data("one".utf8))
            #expect(response.isFromCache)
            #expect(response.status == 200)
            #expect(response.headerFields["Age"] == "89")
            #expect(response.headerFields["X-New"] == nil)
        }
        #expect(trial.server.hops.last?.request.value(forHTTPHeaderField: "If-None-Match") == "\"1\"")
        trial.pass(1)
        trial.teapot.retryPolicy = nil
        await #expect(throws: TeapotError.self) { try await trial.get { $0.answer(status) }.get() }
    }

    @Test func `a server that cannot be reached is answered for`() async throws {
        let trial = try await Trial("max-age=60, stale-if-error=30")
        trial.pass(60)
        let failures: [(ManualTransport.Hop) -> Void] = [
            { $0.report(.finished(URLError(.cannotConnectToHost))) },
            { $0.report(.finished(CocoaError(.fileReadUnknown))) },
            { hop in
                hop.respond(503, headers: ["Content-Length": "9"])
                hop.report(.data(Data("fail".utf8)))
                hop.report(.finished(URLError(.networkConnectionLost)))
            },
            { hop in
                hop.respond(304)
                hop.report(.finished(URLError(.networkConnectionLost)))
            },
        ]
        for failure in failures {
            let response = try await trial.get([:], failure).get()
            #expect(response.data == Data("one".utf8))
            #expect(response.isFromCache)
        }
        let bytes = Task { try await trial.teapot.bytes("a") }
        await eventually { trial.server.hops.count == failures.count + 2 }
        trial.server.hops.last?.report(.finished(URLError(.cannotConnectToHost)))
        var data = Data()
        for try await byte in try await bytes.value { data.append(byte) }
        #expect(data == Data("one".utf8))
    }

    @Test(arguments: [400, 404, 429, 501, 505])
    func `other statuses are those of the server`(_ status: Int) async throws {
        let trial = try await Trial("max-age=60, stale-if-error=30")
        trial.pass(60)
        await #expect(throws: TeapotError.self) { try await trial.get { $0.answer(status) }.get() }
    }

    @Test func `a response that is cut off fails`() async throws {
        let trial = try await Trial("max-age=60, stale-if-error=30")
        trial.pass(60)
        let result = await trial.get { hop in
            hop.respond(200, headers: ["Content-Length": "9"])
            hop.report(.data(Data("half".utf8)))
            hop.report(.finished(URLError(.networkConnectionLost)))
        }
        let error = #expect(throws: TeapotError.self) { try result.get() }
        #expect(error?.data == Data("half".utf8))
    }

    @Test func `a validation that fails fails the call`() async throws {
        let result = try await Trial("no-cache").get { hop in
            hop.respond(304)
            hop.report(.finished(URLError(.networkConnectionLost)))
        }
        #expect(throws: TeapotError.self) { try result.get() }
    }

    @Test func `a failure ends the wait of equal requests, and all are answered`() async throws {
        let trial = try await Trial("max-age=60, stale-if-error=30")
        trial.pass(60)
        let calls = (0..<3).map { _ in Task { try await trial.teapot.get("a") } }
        await eventually { trial.server.hops.count == 2 }
        trial.server.hops.last?.report(.finished(URLError(.cannotConnectToHost)))
        // The others may have begun to wait, or come later.
        let answered = Locked(2)
        await eventually {
            for hop in trial.server.hops.dropFirst(answered.withLock { $0 }) {
                answered.withLock { $0 += 1 }
                hop.answer(503)
            }
            return answered.withLock { $0 } == 4
        }
        for call in calls { #expect(try await call.value.isFromCache) }
    }

    // MARK: - stale-while-revalidate

    @Test func `a stale response is used at once, and validated once`() async throws {
        let trial = try await Trial("max-age=60, stale-while-revalidate=30")
        trial.pass(89)
        for _ in 0..<3 {
            let response = try await trial.teapot.get("a")
            #expect(response.data == Data("one".utf8))
            #expect(response.isFromCache)
            #expect(response.headerFields["Age"] == "89")
        }
        #expect(trial.server.hops.map { $0.request.value(forHTTPHeaderField: "If-None-Match") } == [nil, "\"1\""])
        trial.server.hops.last?.answer(
            200,
            headers: ["Cache-Control": "max-age=60", "Content-Length": "3"],
            body: "two"
        )
        let response = try await trial.teapot.get("a")
        #expect(response.data == Data("two".utf8))
        #expect(response.headerFields["Age"] == "0")
        #expect(trial.server.hops.count == 2)
    }

    @Test func `a validation that fails is tried again by the next request, until the time is over`() async throws {
        let trial = try await Trial("max-age=60, stale-while-revalidate=30")
        trial.pass(60)
        for number in 2..<5 {
            #expect(try await trial.teapot.get("a").isFromCache)
            #expect(trial.server.hops.count == number)
            number == 2
                ? trial.server.hops.last?.answer(503) : trial.server.hops.last?.report(.finished(URLError(.timedOut)))
        }
        trial.pass(30)
        let error = await #expect(throws: TeapotError.self) { try await trial.get { $0.answer(503) }.get() }
        #expect(error?.responseStatus == 503)
    }

    @Test func `a response that is too old waits for the validation under way`() async throws {
        let trial = try await Trial("max-age=60, stale-while-revalidate=30")
        trial.pass(89)
        #expect(try await trial.teapot.get("a").isFromCache)
        trial.pass(1)
        let call = Task { try await trial.teapot.get("a") }
        await Task.yield()
        trial.server.hops.last?.answer(304, headers: ["ETag": "\"1\""])
        #expect(try await call.value.headerFields["Age"] == "1")
        #expect(trial.server.hops.count == 2)
    }

    @Test func `only-if-cached sends nothing`() async throws {
        let trial = try await Trial("max-age=60, stale-while-revalidate=30")
        trial.pass(60)
        let fields = ["Cache-Control": "only-if-cached"]
        await #expect(throws: TeapotError.self) { try await trial.teapot.get("a", headerFields: fields) }
        #expect(trial.server.hops.count == 1)
    }

    @Test func `the validation ends with the cache`() async throws {
        let server: ManualTransport
        do {
            let trial = try await Trial("max-age=60, stale-while-revalidate=30")
            trial.pass(60)
            #expect(try await trial.teapot.get("a").isFromCache)
            server = trial.server
            #expect(server.hops.map(\.isCancelled) == [false, false])
        }
        await eventually { server.hops.last?.isCancelled == true }
        #expect(server.hops.last?.isCancelled == true)
        server.hops.last?.answer(304)
    }

    @Test func `the validation has a timeout`() async throws {
        let server = ManualTransport()
        let now = Locked(Date(timeIntervalSince1970: 1_700_000_000))
        let cache = CachingTransport(wrapping: server) { now.withLock { $0 } }
        var request = URLRequest(url: try #require(URL(string: "http://api.example/a")))
        request.timeoutInterval = 0.001
        _ = cache.start(TransportRequest(request)) { _ in }
        let control = ["Cache-Control": "max-age=60, stale-while-revalidate=30", "Content-Length": "0"]
        server.hops.last?.answer(200, headers: control)
        now.withLock { $0 += 60 }
        let isFinished = Locked(false)
        #expect(
            cache.start(TransportRequest(request)) { event in if event.isFinished { isFinished.withLock { $0 = true } }
            } == nil
        )
        #expect(isFinished.withLock { $0 })
        await eventually { server.hops.last?.isCancelled == true }
        #expect(server.hops.map(\.isCancelled) == [false, true])
        withExtendedLifetime(cache) {}
    }
}
