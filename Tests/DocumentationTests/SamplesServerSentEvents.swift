import Teapot
import TeapotMock

/// The samples of the article "Server-sent events". `SamplesRunServerSentEventsTests` runs them.
enum ServerSentEventSamples {
    struct Price: Decodable {
        let amount: Int
    }

    struct Piece: Decodable {
        let text: String
    }

    static func prices(_ teapot: Teapot, show: (String) -> Void) async throws {
        for try await event in teapot.events("prices") {
            let price = try event.decode(Price.self)
            show("\(event.type): \(price.amount)")
        }
    }

    static func once(_ teapot: Teapot, show: (String) -> Void) async throws {
        for try await event in teapot.events("jobs/7/log", maximumReconnects: 0) {
            show(event.data)
        }
    }

    static func chat(_ teapot: Teapot) async throws -> String {
        let body = Teapot.Request.Body(encoding: ["prompt": "Which tea?"])
        let request = Teapot.Request(.post, path: "chat", body: body)
        var answer = ""
        for try await event in teapot.events(request) where event.data != "[DONE]" {
            answer += try event.decode(Piece.self).text
        }
        return answer
    }

    static func mocked() throws -> (mock: MockTeapot, clock: TestClock) {
        let clock = TestClock()
        let mock = MockTeapot(strictIn: .module, clock: clock)
        try mock.overrideEndPoint(
            "prices",
            withSequence: [
                .events([.init(data: #"{"amount": 4}"#, type: "tea", id: "1")], every: .seconds(60)),
                .status(.noContent),
            ]
        )
        return (mock, clock)
    }
}
