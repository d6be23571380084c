import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// Streams of events that a mock sends.
@Suite(.inTurn)
struct MockEventsTests {
    typealias Event = Teapot.ServerSentEvent

    static let events = [
        Event(data: "one\ntwo\r\nthree", type: "tea", id: "1"), Event(data: ""), Event(data: " ü: {}", id: "3"),
    ]

    private func mock(_ answers: [MockResponse], clock: any Clock<Duration> = TestClock()) throws -> MockTeapot {
        let mock = MockTeapot(strictIn: .module, clock: clock)
        try mock.overrideEndPoint("stream", withSequence: answers)
        return mock
    }

    @Test @MainActor func `come as they were declared, and again until a 204`() async throws {
        let mock = try mock(
            [
                .events(Self.events, retryDelay: .zero),
                .events([Event(data: "last")], headerFields: ["X-Tea": "green"]),
                .status(.noContent),
            ],
            clock: ImmediateClock()
        )
        var came: [Event] = []
        let request = Teapot.Request(path: "stream").with { $0.timeoutInterval = .infinity }
        for try await event in mock.events(request) { came.append(event) }
        let first = Event(data: "one\ntwo\nthree", type: "tea", id: "1")
        #expect(came == [first] + Self.events.dropFirst() + [Event(data: "last")])
        #expect(mock.requests.map { $0.headerFields["Last-Event-ID"] } == [nil, "3", nil])
        try mock.verify()
    }

    @Test func `come one after the other on the clock`() async throws {
        let clock = TestClock()
        let mock = try mock(
            [
                .events(Self.events, every: .seconds(10), retryDelay: .seconds(1)).delayed(by: .seconds(5)),
                .status(.noContent),
            ],
            clock: clock
        )
        let times = Locked<[Duration]>([])
        let task = Task {
            for try await _ in mock.events("stream") { times.withLock { $0.append(clock.now.offset) } }
        }
        for number in 0...Self.events.count {
            // The next event or the timeout, whichever is first.
            await clock.waits(1)
            await eventually { times.withLock { $0.count } == max(number - 1, 0) }
            await clock.advanceToNext()
        }
        await clock.advanceToNext()
        try await task.value
        #expect(times.withLock { $0 } == [.seconds(15), .seconds(25), .seconds(35)])
        #expect(clock.now.offset == .seconds(36))
        #expect(clock.waitCount == 0)
    }

    @Test func `break off, and are those of other verbs, too`() async throws {
        let response = MockResponse.events(Self.events, every: .nanoseconds(1)).breakingOff()
        let mock = MockTeapot(strictIn: .module, clock: ImmediateClock())
        try mock.overrideEndPoint("stream", with: response)
        let error = await thrown { () throws(TeapotError) in try await mock.get("stream") }
        #expect(error?.type == .dataTaskError)
        #expect(error?.data?.isEmpty == false)
    }
}
