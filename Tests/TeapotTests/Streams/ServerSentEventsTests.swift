import Foundation
import LoopbackServer
import TeapotCurl
import TeapotMock
import TestSupport
import TestTraits
import Testing

@testable internal import Teapot

/// Streams of events, over connections that fail and end.
@Suite(.inTurn)
struct ServerSentEventsTests {
    typealias Event = Teapot.ServerSentEvent

    private static let stream = ["Content-Type": "text/event-stream"]
    private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
    #if os(Linux)
        static let transports: [any Transport] = [URLSessionTransport(), CurlTransport()]
    #else
        static let transports: [any Transport] = [URLSessionTransport()]
    #endif
    private static let gone = "HTTP/1.1 204 No Content\r\n\r\n"

    private func all(_ events: Teapot.Elements<Event>) async throws -> [Event] {
        var all: [Event] = []
        for try await event in events { all.append(event) }
        return all
    }

    private func server(_ answers: [String], ending end: Script.Step = .close) throws -> LoopbackServer {
        try LoopbackServer(scripts: answers.map { Script([.readRequest, .send($0), end]) })
    }

    private func teapot(_ transport: ManualTransport, clock: TestClock? = nil) throws -> Teapot {
        Teapot(baseURL: try #require(URL(string: "http://api.example/v1")), transport: transport, clock: clock)
    }

    // MARK: - Connections

    @Test(arguments: transports)
    func `connects again with the last ID, until a 204`(_ transport: any Transport) async throws {
        let server = try server([
            Self.head + "Content-Length: 100\r\n\r\nretry: 1\nid: ü1\ndata: a\n\nid: 2\ndata: cut off here",
            Self.head + "\r\nevent: tea\ndata: b\r\n\r\nid: 3\n\n",
            Self.head + "\r\n",
            Self.gone,
        ])
        let events = try await all(Teapot(baseURL: server.baseURL, transport: transport).events("stream"))
        #expect(events == [Event(data: "a", id: "ü1"), Event(data: "b", type: "tea", id: "ü1")])
        let requests = server.requests
        #expect(requests.map { $0.header("Last-Event-ID") } == [nil, "ü1", "3", "3"])
        #expect(requests.allSatisfy { $0.header("Accept") == "text/event-stream" })
        #expect(requests.allSatisfy { $0.header("Cache-Control") == "no-store" })
    }

    @Test func `the caller's header fields win`() async throws {
        let transport = ManualTransport { $0.answer(204) }
        let fields = ["accept": "*/*", "cache-control": "no-cache", "last-event-id": "9"]
        #expect(try await all(teapot(transport).events(Teapot.Request(path: "stream", headerFields: fields))).isEmpty)
        #expect(transport.hops.map { $0.request.value(forHTTPHeaderField: "Accept") } == ["*/*"])
        #expect(transport.hops.map { $0.request.value(forHTTPHeaderField: "Cache-Control") } == ["no-cache"])
        #expect(transport.hops.map { $0.request.value(forHTTPHeaderField: "Last-Event-ID") } == ["9"])
    }

    @Test func `an ID that the stream resets is not sent`() async throws {
        let transport = ManualTransport { hop in
            let isFirst = hop.request.value(forHTTPHeaderField: "Last-Event-ID") != nil
            isFirst
                ? hop.answer(200, headers: ["Content-Type": "Text/Event-Stream ; x=y"], body: "retry: 0\nid\n\n")
                : hop.answer(204)
        }
        #expect(
            try await all(
                teapot(transport).events(
                    Teapot.Request(path: "stream", headerFields: ["Last-Event-ID": "9"]),
                    maximumReconnects: 3
                )
            ).isEmpty
        )
        #expect(transport.hops.count == 2)
    }

    // MARK: - Time

    /// Bodies of streams, `nil` for a connection that fails, and the delay after each.
    static let delays: [[(body: String?, delay: Duration)]] = [
        [("", .seconds(3)), (nil, .seconds(3)), ("retry: 7000\n", .seconds(7))],
        // A server that asks for no delay, and fails, is left alone for longer each time.
        [100, 200, 400, 800].map { ("retry: 0\n", .milliseconds($0)) },
    ]

    @Test(arguments: brief(delays.indices) { "\(delays[$0].map(\.delay))" })
    func `waits for three seconds, or for as long as the stream says, on the Teapot's clock`(row: Brief<Int>)
        async throws
    {
        let clock = TestClock()
        let transport = ManualTransport()
        let teapot = try teapot(transport, clock: clock)
        // Without a timeout, nothing but the delay waits on the clock.
        let request = Teapot.Request(path: "stream").with { $0.timeoutInterval = .infinity }
        let task = Task { try await all(teapot.events(request)) }
        for (number, (body, delay)) in Self.delays[row.value].enumerated() {
            await eventually { transport.hops.count == number + 1 }
            let hop = try #require(transport.hops.last)
            if let body {
                hop.answer(200, headers: Self.stream, body: body)
            } else {
                hop.report(.finished(URLError(.cannotConnectToHost)))
            }
            await clock.waits(1)
            clock.advance(by: delay - .nanoseconds(1))
            #expect(clock.waitCount == 1)
            #expect(transport.hops.count == number + 1)
            clock.advance(by: .nanoseconds(1))
        }
        await eventually { transport.hops.count == Self.delays[row.value].count + 1 }
        transport.hops.last?.answer(204)
        #expect(try await task.value.isEmpty)
        #expect(clock.waitCount == 0)
    }

    @Test func `comments are progress, and a silent connection counts as lost`() async throws {
        let clock = TestClock()
        let transport = ManualTransport { $0.respond(200, headers: Self.stream) }
        let teapot = try teapot(transport, clock: clock)
        teapot.maximumResponseSize = 40
        // The stream is longer than both limits.
        teapot.deadline = .seconds(60)
        let task = Task { try await all(teapot.events("stream", maximumReconnects: 0)) }
        await eventually { transport.hops.count == 1 }
        let hop = try #require(transport.hops.first)
        for _ in 0..<10 {
            await clock.waits(1)
            clock.advance(by: .seconds(299))
            hop.report(.data(Data(": still here\n".utf8)))
        }
        clock.advance(by: .seconds(299))
        #expect(!hop.isCancelled)
        clock.advance(by: .seconds(1))
        #expect(hop.isCancelled)
        let error = await #expect(throws: TeapotError.self) { try await task.value }
        #expect(error?.code == .timedOut)
    }

    // MARK: - The end

    @Test(arguments: [0, 1, 3]) func `stops after the maximum number of attempts`(_ maximum: Int) async throws {
        let failing = ManualTransport { $0.report(.finished(URLError(.networkConnectionLost))) }
        let baseURL = try #require(URL(string: "http://api.example"))
        let teapot = Teapot(baseURL: baseURL, transport: failing, clock: ImmediateClock())
        let error = await #expect(throws: TeapotError.self) {
            try await all(teapot.events("stream", maximumReconnects: maximum))
        }
        #expect(error?.type == .noResponse)
        #expect(failing.hops.count == maximum + 1)

        let ending = ManualTransport { $0.answer(200, headers: Self.stream) }
        let other = Teapot(baseURL: baseURL, transport: ending, clock: ImmediateClock())
        #expect(try await all(other.events("stream", maximumReconnects: maximum)).isEmpty)
        #expect(ending.hops.count == maximum + 1)
    }

    @Test func `an event resets the number of attempts`() async throws {
        let count = Locked(0)
        let transport = ManualTransport { hop in
            let number = count.withLock { count in
                count += 1
                return count
            }
            hop.answer(200, headers: Self.stream, body: number < 5 ? "data: \(number)\n\n" : "")
        }
        let baseURL = try #require(URL(string: "http://api.example"))
        let teapot = Teapot(baseURL: baseURL, transport: transport, clock: ImmediateClock())
        #expect(try await all(teapot.events("stream", maximumReconnects: 1)).map(\.data) == ["1", "2", "3", "4"])
        #expect(transport.hops.count == 5)
    }

    @Test(arguments: [
        (400, TeapotError.ErrorType.invalidResponseStatus), (503, .invalidResponseStatus), (200, .decodingFailed),
    ])
    func `a response that is not a stream ends it`(_ status: Int, _ type: TeapotError.ErrorType) async throws {
        let transport = ManualTransport { $0.answer(status, headers: ["Content-Type": "application/json"], body: "{}") }
        var events = try teapot(transport).events("stream").makeAsyncIterator()
        let error = await thrown { () throws(TeapotError) in try await events.next() }
        #expect(error?.type == type)
        #expect(error?.responseStatus == status)
        if status == 200 {
            #expect(error?.failureReason == "the media type is application/json, not text/event-stream")
            #expect(error?.requestLine == "GET http://api.example/v1/stream")
        }
        #expect(try await events.next() == nil)
        #expect(transport.hops.count == 1)
    }

    /// On this clock, the second for it is over at once.
    @Test func `the error has what has arrived of another body`() async throws {
        let baseURL = try #require(URL(string: "http://api.example/v1"))
        for _ in 0..<50 {
            let transport = ManualTransport { hop in
                hop.respond(200, headers: ["Content-Type": "text/html"])
                for _ in 0..<200 { hop.report(.data(Data("Log in".utf8))) }
            }
            let teapot = Teapot(baseURL: baseURL, transport: transport, clock: ImmediateClock())
            var events = teapot.events(Teapot.Request(path: "stream").with { $0.timeoutInterval = .infinity })
                .makeAsyncIterator()
            let error = await thrown { () throws(TeapotError) in try await events.next() }
            #expect(error?.data == Data(String(repeating: "Log in", count: 200).utf8))
            await eventually { transport.hops.first?.isCancelled == true }
        }
    }

    /// The last one is permanent only as the first connection: a mistyped host must not look like a silent stream.
    @Test(arguments: [URLError.Code.serverCertificateUntrusted, .unsupportedURL, .cannotFindHost])
    func `a permanent failure ends the events`(_ code: URLError.Code) async throws {
        let transport = ManualTransport { $0.report(.finished(URLError(code))) }
        let error = await #expect(throws: TeapotError.self) { try await all(teapot(transport).events("stream")) }
        #expect(error?.code == code)
        #expect(transport.hops.count == 1)
    }

    @Test(arguments: [(16, 16), (nil, 16_777_216)] as [(Int?, Int)])
    func `an event that is too large ends it`(_ maximum: Int?, _ limit: Int) async throws {
        let transport = ManualTransport { hop in
            hop.respond(200, headers: Self.stream)
            hop.report(.data(Data("data: a\n\ndata: ".utf8)))
            hop.report(.data(Data(repeating: 0x61, count: limit)))
        }
        let teapot = try teapot(transport)
        teapot.maximumResponseSize = maximum
        var events = teapot.events(Teapot.Request(path: "stream").with { $0.timeoutInterval = .infinity })
            .makeAsyncIterator()
        #expect(try await events.next() == Event(data: "a"))
        let error = await thrown { () throws(TeapotError) in try await events.next() }
        #expect(error?.type == .responseTooLarge)
        #expect(error?.failureReason == "an event has more than \(limit) bytes")
        await eventually { transport.hops.first?.isCancelled == true }
        #expect(try await events.next() == nil)
    }

    @Test func `the body of an error is bounded`() async throws {
        let transport = ManualTransport { $0.answer(500, body: "more than four") }
        let teapot = try teapot(transport)
        teapot.maximumResponseSize = 4
        let error = await #expect(throws: TeapotError.self) { try await all(teapot.events("stream")) }
        #expect(error?.type == .responseTooLarge)
    }

    @Test(arguments: [false, true])
    func `cancelling the task ends the events, between connections, too`(_ isBetween: Bool) async throws {
        let clock = TestClock()
        let transport = ManualTransport { hop in
            if isBetween { hop.answer(200, headers: Self.stream) }
        }
        let teapot = try teapot(transport, clock: clock)
        let task = Task { try await all(teapot.events("stream")) }
        await clock.waits(1)
        task.cancel()
        let error = await #expect(throws: TeapotError.self) { try await task.value }
        #expect(error?.type == .cancelled)
        #expect(error?.requestLine == "GET http://api.example/v1/stream")
        #expect(transport.hops.count == 1)
        await eventually { clock.waitCount == 0 }
    }

    // MARK: - With the rest

    @Test func `a POST is sent once`() async throws {
        let transport = ManualTransport { $0.answer(200, headers: Self.stream, body: "data: {\"n\":1}\n\n") }
        let request = Teapot.Request(.post, path: "chat", body: .json(["q": "tea?"]))
        let events = try await all(teapot(transport).events(request))
        #expect(try events.map { try $0.decode([String: Int].self) } == [["n": 1]])
        #expect(transport.hops.map(\.request.httpMethod) == ["POST"])
        #expect(transport.hops.map(\.request.timeoutInterval) == [300])
        #expect(throws: TeapotError.self) { try events[0].decode(Int.self) }
    }

    @Test func `leaving the loop ends the exchange`() async throws {
        let transport = ManualTransport { hop in
            hop.respond(200, headers: ["Content-Type": "text/event-stream"])
            hop.report(.data(Data("data: a\n\n".utf8)))
        }
        for try await event in try teapot(transport).events("stream") {
            #expect(event.data == "a")
            break
        }
        let hop = try #require(transport.hops.first)
        await eventually { hop.isCancelled }
        #expect(hop.isCancelled)
    }
}
