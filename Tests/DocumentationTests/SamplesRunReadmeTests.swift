import LoopbackServer
import Teapot
import TeapotMock
import TestTraits
import Testing

/// The README's client and its first sample do what the page says of them.
@Suite(.inTurn)
struct SamplesRunReadmeTests {
    private static func server(answering status: String, _ body: String) throws -> LoopbackServer {
        let head = "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
        return try LoopbackServer(scripts: [
            Script([.readRequest, .send("\(head)Connection: close\r\n\r\n\(body)"), .close])
        ])
    }

    @Test func `the first sample reads notes`() async throws {
        let server = try Self.server(answering: "200 OK", #"[{"id": 1, "title": "Buy tea"}]"#)
        #expect(try await ReadmeSamples.first(baseURL: server.baseURL) == ["Buy tea"])
    }

    static let additions = [
        ("201 Created", #"{"id": 3, "title": "Buy cups"}"#, "Buy cups"),
        ("403 Forbidden", #"{"message": "The list is full."}"#, "The list is full."),
    ]

    @Test(arguments: brief(additions))
    func `the client gets a token, and shows the value or the API's message`(
        _ argument: Brief<(String, String, String)>
    ) async throws {
        let (status, body, text) = argument.value
        let login = MockTeapot(strictIn: .module)
        try login.overrideEndPoint("token", method: .post, with: .json(["access": "new", "expiresIn": 3600]))
        let server = try Self.server(answering: status, body)
        var shown: [String] = []
        await ReadmeSamples.client(baseURL: server.baseURL, login: login) { shown.append($0) }
        #expect(shown == [text])
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer new"])
        #expect(login.requests.count == 1)
    }

    @Test func `the client sends requests up to four times`() throws {
        let server = try LoopbackServer()
        let client = NotesClient(baseURL: server.baseURL, login: MockTeapot(strictIn: .module))
        #expect(client.teapot.retryPolicy?.maximumAttempts == 4)
        #expect(client.teapot.retryPolicy?.deadline == .seconds(30))
    }
}
