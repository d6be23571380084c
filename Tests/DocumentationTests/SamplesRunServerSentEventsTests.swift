import Teapot
import TeapotMock
import TestTraits
import Testing

/// The samples of server-sent events do what the page says of them.
@Suite(.inTurn)
struct SamplesRunServerSentEventsTests {
    @Test func `events come a minute later, until a 204`() async throws {
        let (mock, clock) = try ServerSentEventSamples.mocked()
        async let lines = {
            var lines: [String] = []
            try await ServerSentEventSamples.prices(mock) { lines.append($0) }
            return lines
        }()
        // The event waits, then the next connection.
        await clock.waits(1)
        clock.advance(by: .seconds(60))
        await clock.advanceToNext()
        #expect(try await lines == ["tea: 4"])
        #expect(clock.now.offset == .seconds(63))
        #expect(mock.requests.map { $0.headerFields["Last-Event-ID"] } == [nil, "1"])
        try mock.verify()
    }

    @Test func `a log and an answer are streamed once`() async throws {
        let mock = MockTeapot(strictIn: .module)
        try mock.overrideEndPoint("jobs/7/log", with: .events([.init(data: "one"), .init(data: "two")]))
        try mock.overrideEndPoint(
            "chat",
            method: .post,
            with: .events([.init(data: #"{"text":"Gr"}"#), .init(data: #"{"text":"een"}"#), .init(data: "[DONE]")])
        )
        var lines: [String] = []
        try await ServerSentEventSamples.once(mock) { lines.append($0) }
        #expect(lines == ["one", "two"])
        #expect(try await ServerSentEventSamples.chat(mock) == "Green")
        #expect(mock.requests.count == 2)
    }
}
