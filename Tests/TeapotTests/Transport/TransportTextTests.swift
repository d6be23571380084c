import Teapot
import TestSupport
import TestTraits
import Testing

/// What authors of transports and plugins print.
@Suite(.inTurn)
struct TransportTextTests {
    private struct Login: Endpoint {
        let request = Teapot.Request(.post, path: "login?token=s3cret")
        let password = "s3cret"
    }

    private struct Failure: Error {
        let text = "s3cret"
    }

    /// Fails each exchange, and keeps its request.
    private final class Keeper: Transport {
        let requests = Locked<[TransportRequest]>([])

        func start(
            _ request: TransportRequest,
            receive: @escaping @Sendable (TransportEvent) -> Void
        ) -> (any TransportTask)? {
            requests.withLock { $0.append(request) }
            receive(.finished(Failure()))
            return nil
        }
    }

    private final class Sent: Teapot.Plugin {
        let all = Locked<[Teapot.SentRequest]>([])

        func willSend(_ request: Teapot.SentRequest) { all.withLock { $0.append(request) } }
    }

    private func texts(of value: some Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return ["\(value)", String(reflecting: value), "\([value])", dumped]
    }

    @Test func `a request shows its method and URL, and no secret`() async throws {
        let transport = Keeper()
        let url = try #require(URL(string: "http://s3cret:s3cret@api.example"))
        let teapot = Teapot(baseURL: url, transport: transport)
        let sent = Sent()
        teapot.plugins = [sent]
        teapot.headerFields = ["X-Other": "s3cret"]
        _ = await thrown { () throws(TeapotError) in try await teapot.send(Login()) }
        let request = try #require(transport.requests.withLock { $0.first })
        let first = try #require(sent.all.withLock { $0.first })
        for text in texts(of: request) + texts(of: first) {
            #expect(text.contains("POST http://api.example/login?token=<redacted>"))
            #expect(!text.contains("s3cret"))
        }
    }

    @Test func `an event shows its kind, and no content`() throws {
        let url = try #require(URL(string: "http://api.example/s3cret"))
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: ["Set-Cookie": "a=s3cret"])
        )
        let events: [(TransportEvent, String)] = [
            (.sent(2), "sent 2 bytes"), (.response(response), "response 200"),
            (.data(Data("s3cret".utf8)), "data of 6 bytes"), (.measured(Teapot.Timings()), "measured"),
            (.finished(nil), "finished"), (.finished(Failure()), "failed"),
        ]
        for (event, text) in events {
            #expect("\(event)" == "TransportEvent(event: \"\(text)\")")
            for text in texts(of: event) { #expect(!text.contains("s3cret")) }
        }
    }
}
