import LoopbackServer
import Teapot
import TeapotMock
import TestTraits
import Testing

/// The README's client does what the page says of it.
@Suite(.inTurn)
struct SamplesRunReadmeTests {
    private static func server(answering status: String, _ body: String) throws -> LoopbackServer {
        let head = "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
        return try LoopbackServer(scripts: [
            Script([.readRequest, .send("\(head)Connection: close\r\n\r\n\(body)"), .close])
        ])
    }

    static let additions = [
        ("201 Created", #"{"id": 3, "title": "Buy tea"}"#, "Buy tea"),
        ("403 Forbidden", "{}", "403."),
    ]

    @Test(arguments: brief(additions))
    func `the client gets a token, and shows the value or the error`(
        _ argument: Brief<(String, String, String)>
    ) async throws {
        let (status, body, text) = argument.value
        let login = MockTeapot(strictIn: .module)
        try login.overrideEndPoint("token", method: .post, with: .json(["access_token": "new", "expires_in": 3600]))
        let server = try Self.server(answering: status, body)
        var shown: [String] = []
        let client = NotesClient(baseURL: server.baseURL, login: login)
        await ReadmeSamples.client(client) { shown.append($0) }
        // In the user's language.
        #expect(shown.count == 1)
        #expect(shown.first?.hasSuffix(text) == true)
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer new"])
        #expect(login.requests.count == 1)
    }

    @Test func `the client reads events`() async throws {
        let mock = MockTeapot(strictIn: .module, clock: ImmediateClock())
        let events = MockResponse.events([Teapot.ServerSentEvent(data: "note 3")])
        try mock.overrideEndPoint("notes/changes", withSequence: [events, .status(.noContent)])
        var shown: [String] = []
        try await NotesClient(teapot: mock).watch { shown.append($0) }
        #expect(shown == ["note 3"])
    }
}
