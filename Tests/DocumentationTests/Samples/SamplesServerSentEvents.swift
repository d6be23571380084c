import Teapot
import TeapotMock

/// The samples of the article "Server-sent events". `SamplesRunTests` runs them.
enum ServerSentEventSamples {
    struct Price: Decodable {
        let amount: Int
    }

    struct Piece: Decodable {
        let text: String
    }

    static func prices(_ teapot: Teapot, show: (String) -> Void) async throws {
        //: ServerSentEvents 1
    }

    static func once(_ teapot: Teapot, show: (String) -> Void) async throws {
        //: ServerSentEvents 2
    }

    static func chat(_ teapot: Teapot) async throws -> String {
        //: ServerSentEvents 3
        return answer
    }

    static func mocked() throws -> (mock: MockTeapot, clock: TestClock) {
        //: ServerSentEvents 4
        return (mock, clock)
    }
}
