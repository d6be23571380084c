import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// What a transport of another author can report, with public API only.
@Suite(.inTurn)
struct TransportEventTests {
    /// Reports the events that the test makes for the URL of a request.
    private struct ForeignTransport: Transport {
        let events: @Sendable (URL) -> [TransportEvent]
        let started: Signal

        func start(
            _ request: TransportRequest,
            receive: @escaping @Sendable (TransportEvent) -> Void
        ) -> (any TransportTask)? {
            guard let url = request.urlRequest.url else { return nil }
            events(url).forEach(receive)
            started.fire()
            return UncancellableTask()
        }
    }

    private let clock = TestClock()
    private let started = Signal()

    private func teapot(_ events: @escaping @Sendable (URL) -> [TransportEvent]) throws -> Teapot {
        let url = try #require(URL(string: "http://tea.example"))
        return Teapot(baseURL: url, transport: ForeignTransport(events: events, started: started), clock: clock)
    }

    @Test func `a transport reports each cookie for itself, and fields as received`() async throws {
        let fields = [
            ("Set-Cookie", "a=1, b=2; Path=/"), ("Set-Cookie", "c=3; Expires=Wed, 21 Oct 2199 07:28:00 GMT"),
            ("X-Cup", " full "), ("link", "<a>; rel=next"), ("Link", "<b>; rel=prev"),
        ]
        let teapot = try teapot { url in
            [.response(from: url, status: 201, fields: fields), .data(Data("tea".utf8)), .finished(nil)]
        }
        let response = try await teapot.get("cups")
        #expect(response.status == 201)
        #expect(response.text == "tea")
        #expect(response.headerFields["x-cup"] == "full")
        #expect(response.links.flatMap(\.relations) == ["next", "prev"])
        #expect(response.http.value(forHTTPHeaderField: "X-Cup") == "full")
        #expect(teapot.cookies.all.map { "\($0.name)=\($0.value)" }.sorted() == ["a=1, b=2", "c=3"])
    }

    @Test func `what would be another field is a space, and a name that is no token is left out`() async throws {
        let fields = [
            ("ETag", "\"1\"\rX-Evil: 1"), ("X-Cup", "full\r\n"), ("X Tea", "no"), ("", "no"), ("X-Nul", "a\0b"),
        ]
        let teapot = try teapot { [.response(from: $0, status: 200, fields: fields), .finished(nil)] }
        let response = try await teapot.get("cups")
        #expect(response.headerFields["ETag"] == "\"1\" X-Evil: 1")
        #expect(response.headerFields["X-Cup"] == "full")
        #expect(response.headerFields["X-Nul"] == "a b")
        #expect(response.headerFields.map(\.name).sorted() == ["Etag", "X-Cup", "X-Nul"])
    }

    @Test func `a time in line does not count for the timeout, and is named by the deadline`() async throws {
        let teapot = try teapot { [.queued(for: $0, connections: 2)] }
        var request = Teapot.Request(path: "cups")
        request.timeoutInterval = 1
        request.deadline = .seconds(40)
        let call = Task { [request] in try await teapot.send(request) }
        await started.wait()
        await clock.waits(1)
        clock.advance(by: .seconds(40))
        let error = try await #require(throws: TeapotError.self) { try await call.value }
        #expect(error.type == .noResponse)
        #expect(error.underlyingError?.localizedDescription == "waited 40 s for one of 2 connections to tea.example")
    }

    @Test func `a response from a foreign cache says so, and is not retried`() async throws {
        let count = Locked(0)
        let teapot = try teapot { url in
            count.withLock { $0 += 1 }
            var timings = Teapot.Timings()
            timings.isFromCache = true
            return [.response(from: url, status: 503, fields: []), .measured(timings), .finished(nil)]
        }
        var policy = RetryPolicy(maximumAttempts: 3)
        policy.random = { 0 }
        teapot.retryPolicy = policy
        let error = try await #require(throws: TeapotError.self) { try await teapot.get("cups") }
        #expect(error.timings.isFromCache)
        #expect(count.withLock { $0 } == 1)
    }

    @Test(arguments: ["ftp://tea.example/", "about:blank"])
    func `a line to a URL without a server is only progress`(url: String) throws {
        let event = TransportEvent.queued(for: try #require(URL(string: url)), connections: 2)
        #expect(Mirror(reflecting: event).children.first?.value as? String == "sent 0 bytes")
    }
}
