import Foundation
import TestSupport
import TestTraits
import Testing

@testable import Teapot
import TeapotCache
import TeapotMock

/// Equal requests at the same time.
@Suite(.inTurn)
struct EqualRequestsTests {
    typealias Fields = [String: String]

    private static let fresh = ["Cache-Control": "max-age=60", "Content-Length": "3"]

    /// A server that answers when it is told to, and a client with a cache in front of it. Time stands still.
    private final class Trial: Sendable {
        let server: ManualTransport
        let cache: CachingTransport
        let clock = TestClock()
        let teapot: Teapot
        /// The number of requests that have begun to wait.
        let waits = Locked(0)

        init(servesOneUser: Bool = false) throws {
            server = ManualTransport()
            let time = Date(timeIntervalSince1970: 1_700_000_000)
            cache = CachingTransport(wrapping: server, servesOneUser: servesOneUser) { time }
            let baseURL = try #require(URL(string: "http://api.example/v1"))
            let waits = waits
            let watching = WatchingTransport(base: cache) { event in
                if event.response == nil, event.data == nil, !event.isFinished { waits.withLock { $0 += 1 } }
            }
            teapot = Teapot(baseURL: baseURL, transport: watching, clock: clock)
        }

        /// Starts a call; returns once its request is sent, or waits.
        func start(_ path: String = "a", _ fields: Fields = [:], timeout: TimeInterval = .infinity) async
            -> Task<Teapot.Response, any Error>
        {
            let before = server.hops.count + waits.withLock { $0 }
            let task = Task {
                try await teapot.send(
                    Teapot.Request(path: Teapot.Path(path), headerFields: fields).with { $0.timeoutInterval = timeout }
                )
            }
            await eventually { server.hops.count + waits.withLock { $0 } > before }
            return task
        }
    }

    /// Shows the events of another transport.
    private struct WatchingTransport: Transport {
        let base: any Transport
        let watch: @Sendable (TransportEvent) -> Void

        func start(
            _ request: TransportRequest,
            receive: @escaping @Sendable (TransportEvent) -> Void
        ) -> (any TransportTask)? {
            base.start(request) { event in
                receive(event)
                watch(event)
            }
        }
    }

    @Test func `one of equal requests is sent, and answers all`() async throws {
        let trial = try Trial()
        var calls: [Task<Teapot.Response, any Error>] = []
        for _ in 0..<50 { calls.append(await trial.start()) }
        #expect(trial.server.hops.count == 1)
        trial.server.hops.first?.answer(200, headers: Self.fresh, body: "one")
        for (number, call) in calls.enumerated() {
            let response = try await call.value
            #expect(response.data == Data("one".utf8))
            #expect(response.isFromCache == (number > 0))
        }
        #expect(trial.server.hops.count == 1)
    }

    @Test func `a stale response is validated once for all`() async throws {
        let trial = try Trial()
        let stale = Self.fresh.merging(["ETag": "\"1\"", "Age": "60"]) { $1 }
        let first = await trial.start()
        trial.server.hops.first?.answer(200, headers: stale, body: "one")
        _ = try await first.value
        let calls = [await trial.start(), await trial.start(), await trial.start()]
        #expect(trial.server.hops.map { $0.request.value(forHTTPHeaderField: "If-None-Match") } == [nil, "\"1\""])
        trial.server.hops.last?.answer(304, headers: ["ETag": "\"1\"", "Cache-Control": "max-age=60"])
        for call in calls { #expect(try await call.value.data == Data("one".utf8)) }
        #expect(trial.server.hops.count == 2)
    }

    @Test func `other requests do not wait`() async throws {
        let trial = try Trial()
        let headers = Self.fresh.merging(["Vary": "Accept-Language"]) { $1 }
        let calls = [
            await trial.start("a", ["Accept-Language": "en"]), await trial.start("a", ["Accept-Language": "de"]),
            await trial.start("b", ["Accept-Language": "en"]), await trial.start("a?q", ["Accept-Language": "en"]),
            await trial.start("a", ["Authorization": "Bearer a"]), await trial.start("a"),
        ]
        #expect(trial.server.hops.count == 6)
        trial.server.hops.forEach { $0.answer(200, headers: headers, body: "one") }
        for call in calls { #expect(try await !call.value.isFromCache) }
    }

    @Test(arguments: [false, true], ["Authorization", "X-Api-Key", "Cookie"])
    func `those with other credentials wait only if there is one user`(_ isOne: Bool, _ name: String) async throws {
        let trial = try Trial(servesOneUser: isOne)
        let calls = [await trial.start("a", [name: "a=1"]), await trial.start("a", [name: "a=2"])]
        #expect(trial.server.hops.count == (isOne ? 1 : 2))
        for (hop, body) in zip(trial.server.hops, ["Ada", "Bob"]) { hop.answer(200, headers: Self.fresh, body: body) }
        #expect(try await calls[0].value.data == Data("Ada".utf8))
        #expect(try await calls[1].value.data == Data((isOne ? "Ada" : "Bob").utf8))
    }

    /// The user has signed out.
    @Test func `a request that waited while all was removed is not stored`() async throws {
        let trial = try Trial(servesOneUser: true)
        let calls = [
            await trial.start("a", ["Authorization": "a"]), await trial.start("a", ["Authorization": "a"]),
        ]
        trial.cache.removeAll()
        trial.server.hops[0].answer(200, headers: Self.fresh, body: "Ada")
        await eventually { trial.server.hops.count == 2 }
        trial.server.hops[1].answer(200, headers: Self.fresh, body: "Ada")
        for call in calls { #expect(try await call.value.data == Data("Ada".utf8)) }
        let next = await trial.start("a", ["Authorization": "b"])
        try #require(trial.server.hops.count == 3)
        trial.server.hops[2].answer(200, headers: Self.fresh, body: "Bob")
        #expect(try await next.value.data == Data("Bob".utf8))
    }

    /// Its response will not be stored, so that nobody waits for all of it.
    @Test func `requests go on if their URL has changed`() async throws {
        let trial = try Trial()
        let calls = [await trial.start(), await trial.start()]
        trial.cache.removeAll()
        trial.server.hops[0].respond(200, headers: Self.fresh)
        await eventually { trial.server.hops.count == 2 }
        trial.server.hops[0].report(.data(Data("one".utf8)))
        trial.server.hops[0].report(.finished(nil))
        trial.server.hops[1].answer(200, headers: Self.fresh, body: "two")
        #expect(try await calls[0].value.data == Data("one".utf8))
        #expect(try await calls[1].value.data == Data("two".utf8))
    }

    /// `Vary` shows it once the response is there.
    @Test func `a request that waited never gets the variant of another`() async throws {
        let trial = try Trial(servesOneUser: true)
        let fields = Self.fresh.merging(["Vary": "Authorization"]) { $1 }
        let calls = [
            await trial.start("a", ["Authorization": "a"]), await trial.start("a", ["Authorization": "b"]),
        ]
        trial.server.hops[0].answer(200, headers: fields, body: "Ada")
        await eventually { trial.server.hops.count == 2 }
        trial.server.hops[1].answer(200, headers: fields, body: "Bob")
        #expect(try await calls[0].value.data == Data("Ada".utf8))
        #expect(try await calls[1].value.data == Data("Bob".utf8))
    }

    /// Each request has its own, so that no two would be equal.
    @Test(arguments: ["traceparent", "TraceState", "X-Request-ID"])
    func `fields that trace a request do not make it another`(_ name: String) async throws {
        let trial = try Trial()
        let calls = [await trial.start("a", [name: "1"]), await trial.start("a", [name: "2"])]
        #expect(trial.server.hops.count == 1)
        trial.server.hops.first?.answer(200, headers: Self.fresh, body: "one")
        for call in calls { #expect(try await call.value.data == Data("one".utf8)) }
    }

    /// Those that the store cannot answer.
    @Test(arguments: [
        ["Cache-Control": "no-cache"], ["Cache-Control": "max-age=0"], ["Cache-Control": "no-store"],
        ["Range": "bytes=0-2"],
    ])
    func `requests that want a new response do not wait`(_ fields: Fields) async throws {
        let trial = try Trial()
        let calls = [await trial.start("a", fields), await trial.start("a", fields)]
        #expect(trial.server.hops.count == 2)
        trial.server.hops.forEach { $0.answer(200, headers: Self.fresh, body: "one") }
        for call in calls { #expect(try await !call.value.isFromCache) }
    }

    @Test func `nobody waits for a response that is older than a change`() async throws {
        let trial = try Trial()
        let old = await trial.start()
        trial.cache.removeAll()
        let new = await trial.start()
        #expect(trial.server.hops.count == 2)
        trial.server.hops.last?.answer(200, headers: Self.fresh, body: "new")
        #expect(try await new.value.data == Data("new".utf8))
        trial.server.hops.first?.answer(200, headers: Self.fresh, body: "old")
        #expect(try await old.value.data == Data("old".utf8))
        // Nor is it stored.
        #expect(try await trial.teapot.get("a").data == Data("new".utf8))
    }

    // MARK: - The first ends otherwise

    /// The header of a response that does not answer the others.
    static let useless: [(Int, Fields)] = [
        (200, ["Content-Length": "3"]), (200, ["Cache-Control": "no-store, max-age=60", "Content-Length": "3"]),
        (200, ["Cache-Control": "max-age=60"]), (503, fresh), (302, fresh), (200, fresh.merging(["Vary": "*"]) { $1 }),
        (200, fresh.merging(["Content-Length": "5000000"]) { $1 }), (200, fresh.merging(["Set-Cookie": "a=b"]) { $1 }),
        // They are stored, but the server wants to be asked each time.
        (200, ["ETag": "\"1\"", "Content-Length": "3"]),
        (200, fresh.merging(["Cache-Control": "max-age=60, no-cache", "ETag": "\"1\""]) { $1 }),
        (200, fresh.merging(["Age": "60"]) { $1 }),
    ]

    @Test(arguments: brief(useless))
    func `the others go on once the header shows that it is of no use to them`(_ argument: Brief<(Int, Fields)>)
        async throws
    {
        let (status, headers) = argument.value
        let trial = try Trial()
        let calls = [await trial.start(), await trial.start(), await trial.start()]
        #expect(trial.server.hops.count == 1)
        trial.server.hops.first?.respond(status, headers: headers)
        // Without its end.
        await eventually { trial.server.hops.count == 3 }
        for hop in trial.server.hops.dropFirst() { hop.answer(200, headers: Self.fresh, body: "two") }
        for call in calls.dropFirst() { #expect(try await call.value.data == Data("two".utf8)) }
        calls[0].cancel()
        await #expect(throws: TeapotError.self) { try await calls[0].value }
    }

    static let endings: [(name: String, end: @Sendable (ManualTransport.Hop) -> Void)] = [
        ("a failure", { $0.report(.finished(URLError(.timedOut))) }),
        ("a body that is too short", { $0.answer(200, headers: fresh, body: "on") }),
    ]

    @Test(arguments: brief(endings.indices) { endings[$0].name })
    func `an ending that is of no use to the others is the first one's own`(row: Brief<Int>) async throws {
        let trial = try Trial()
        let calls = [await trial.start(), await trial.start(), await trial.start()]
        Self.endings[row.value].end(try #require(trial.server.hops.first))
        await eventually { trial.server.hops.count == 3 }
        trial.server.hops[1].answer(200, headers: Self.fresh, body: "two")
        trial.server.hops[2].answer(404)
        let statuses = await [calls[1].result, calls[2].result].map { result in
            if case .failure(let error as TeapotError) = result { error.responseStatus } else { 200 }
        }
        #expect(Set(statuses) == [200, 404])
        _ = await calls[0].result
    }

    /// The transport of a cancelled call need not have reported its end.
    @Test func `the first is cancelled, and the others go on`() async throws {
        let trial = try Trial()
        let calls = [await trial.start(), await trial.start(), await trial.start()]
        calls[0].cancel()
        await #expect(throws: TeapotError.self) { try await calls[0].value }
        await eventually { trial.server.hops.count == 3 }
        #expect(trial.server.hops.map(\.isCancelled) == [true, false, false])
        let next = await trial.start()
        #expect(trial.server.hops.count == 4)
        trial.server.hops.forEach { $0.answer(200, headers: Self.fresh, body: "two") }
        for call in calls.dropFirst() + [next] { #expect(try await call.value.data == Data("two".utf8)) }
    }

    @Test func `a waiting request is cancelled alone`() async throws {
        let trial = try Trial()
        let calls = [await trial.start(), await trial.start(), await trial.start()]
        calls[1].cancel()
        await #expect(throws: TeapotError.self) { try await calls[1].value }
        trial.server.hops.first?.answer(200, headers: Self.fresh, body: "one")
        #expect(try await calls[0].value.data == Data("one".utf8))
        #expect(try await calls[2].value.isFromCache)
        #expect(trial.server.hops.map(\.isCancelled) == [false])
    }

    @Test func `a request that waits reports its cancellation once, and sends nothing`() async throws {
        let trial = try Trial()
        let first = await trial.start()
        let request = URLRequest(url: try #require(URL(string: "http://api.example/v1/a")))
        var fields = URLRequest(url: try #require(request.url))
        fields.allHTTPHeaderFields = trial.server.hops.first?.request.allHTTPHeaderFields
        let events = Locked<[TransportEvent]>([])
        let task = trial.cache.start(TransportRequest(fields)) { event in events.withLock { $0.append(event) } }
        for _ in 0..<3 { task?.cancel() }
        await eventually { events.withLock { $0.last?.isFinished } == true }
        trial.server.hops.first?.answer(200, headers: Self.fresh, body: "one")
        _ = try await first.value
        task?.cancel()
        #expect(events.withLock { $0.filter(\.isFinished).map { ($0.error as? URLError)?.code } } == [.cancelled])
        #expect(trial.server.hops.count == 1)
    }

    @Test func `a request after the wait can be cancelled`() async throws {
        let trial = try Trial()
        let calls = [await trial.start(), await trial.start()]
        trial.server.hops.first?.report(.finished(URLError(.cannotConnectToHost)))
        await eventually { trial.server.hops.count == 2 }
        calls[1].cancel()
        await #expect(throws: TeapotError.self) { try await calls[1].value }
        await eventually { trial.server.hops[1].isCancelled }
        #expect(trial.server.hops[1].isCancelled)
        _ = await calls[0].result
    }

    @Test func `a reader that is slow holds up nobody`() async throws {
        let trial = try Trial()
        let response = Task {
            try await trial.teapot.bytes(Teapot.Request(path: "a").with { $0.timeoutInterval = .infinity })
        }
        await eventually { trial.server.hops.count == 1 }
        let length = 3_000_000
        let hop = try #require(trial.server.hops.first)
        hop.respond(200, headers: ["Cache-Control": "max-age=60", "Content-Length": "\(length)"])
        let bytes = try await response.value
        let call = await trial.start()
        #expect(trial.server.hops.count == 1)
        hop.report(.data(Data(count: length - 1)))
        await hop.paused.wait()
        await eventually { trial.server.hops.count == 2 }
        trial.server.hops.last?.answer(200, headers: Self.fresh, body: "two")
        #expect(try await call.value.data == Data("two".utf8))
        withExtendedLifetime(bytes) {}
    }

    // MARK: - Time

    @Test func `nobody waits for the end of an endless body`() async throws {
        let trial = try Trial()
        let endless = ["Cache-Control": "max-age=60", "Transfer-Encoding": "chunked"]
        let response = Task {
            try await trial.teapot.bytes(Teapot.Request(path: "a").with { $0.timeoutInterval = .infinity })
        }
        await eventually { trial.server.hops.count == 1 }
        let early = await trial.start()
        trial.server.hops.first?.respond(200, headers: endless)
        let bytes = try await response.value
        let late = await trial.start()
        #expect(trial.server.hops.count == 1)
        await eventually {
            trial.server.hops.first?.report(.data(Data("x".utf8)))
            trial.clock.advance(by: .seconds(1))
            return trial.server.hops.count == 3
        }
        for hop in trial.server.hops.dropFirst() { hop.answer(200, headers: Self.fresh, body: "two") }
        #expect(try await early.value.data == Data("two".utf8))
        #expect(try await late.value.data == Data("two".utf8))
        withExtendedLifetime(bytes) {}
    }

    @Test func `a waiting request has its own timeout, and the progress of the first`() async throws {
        let trial = try Trial()
        let first = await trial.start()
        let waiting = await trial.start(timeout: 10)
        for _ in 0..<3 {
            trial.clock.advance(by: .seconds(9))
            let before = trial.waits.withLock { $0 }
            trial.server.hops.first?.report(.sent(0))
            // Both have got it.
            await eventually { trial.waits.withLock { $0 } == before + 2 }
        }
        #expect(trial.server.hops.count == 1)
        trial.clock.advance(by: .seconds(10))
        let error = await #expect(throws: TeapotError.self) { try await waiting.value }
        #expect(error?.code == .timedOut)
        trial.server.hops.first?.answer(200, headers: Self.fresh, body: "one")
        #expect(try await first.value.data == Data("one".utf8))
        #expect(trial.server.hops.count == 1)
    }

    @Test func `a request that waited for one in line has its timeout when it goes on`() async throws {
        let trial = try Trial()
        let first = await trial.start()
        let origin = try #require(Origin(trial.teapot.baseURL))
        trial.server.hops.first?.report(TransportEvent(.queued(origin, connections: 1)))
        let waiting = await trial.start(timeout: 10)
        first.cancel()
        await eventually { trial.server.hops.count == 2 }
        await eventually {
            trial.clock.advance(by: .seconds(10))
            return trial.server.hops.last?.isCancelled == true
        }
        let error = await #expect(throws: TeapotError.self) { try await waiting.value }
        #expect(error?.code == .timedOut)
        _ = await first.result
    }

    // MARK: - Kinds of calls

    @Test func `a blocking call waits, too`() async throws {
        let trial = try Trial()
        let first = await trial.start()
        let blocking = Task {
            await onThread {
                try? trial.teapot.sendAndWait(Teapot.Request(path: "a").with { $0.timeoutInterval = .infinity })
            }
        }
        await eventually { trial.waits.withLock { $0 } == 1 }
        trial.server.hops.first?.answer(200, headers: Self.fresh, body: "one")
        #expect(await blocking.value?.isFromCache == true)
        _ = try await first.value
        #expect(trial.server.hops.count == 1)
    }
}
