import LoopbackServer
import Teapot
import TeapotMock
import TestTraits
import Testing

/// The async samples do what the pages say of them.
@Suite(.inTurn)
struct SamplesRunAsyncTests {
    private static let note = #"{"id": 1, "title": "Buy tea"}"#

    /// A server that answers its first connections with these bodies, and then as httpbin does.
    private static func server(answering bodies: String..., status: String = "200 OK") throws -> LoopbackServer {
        let scripts = bodies.map { body in
            let head = "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
            return Script([.readRequest, .send("\(head)Connection: close\r\n\r\n\(body)"), .close])
        }
        return try LoopbackServer(scripts: scripts)
    }

    private static func teapot(_ server: LoopbackServer) -> Teapot {
        Teapot(baseURL: server.baseURL, defaultDeliveryQueue: DispatchQueue(label: "samples"))
    }

    @Test func addsANote() async throws {
        let server = try Self.server(answering: Self.note)
        let added = try await NotesClient(teapot: Self.teapot(server)).add(Note(id: 1, title: "Buy tea"))
        #expect(added.title == "Buy tea")
        let sent = try #require(server.requests.first)
        #expect(sent.method == "POST")
        #expect(String(decoding: sent.body, as: UTF8.self) == #"{"id":1,"title":"Buy tea"}"#)
    }

    @Test func sendsBodies() async throws {
        let server = try Self.server(answering: #"{"id": 3, "title": "Buy cups"}"#)
        let teapot = Teapot(baseURL: server.baseURL.appending(path: "anything"))
        try await AsyncSamples.bodies(teapot, drawing: Data("<svg/>".utf8))
        let requests = server.requests
        #expect(requests.map(\.method) == ["POST", "PATCH", "PUT", "PUT"])
        #expect(requests.map(\.path).last == "/anything/notes/3")
        let json = "application/json"
        #expect(requests.map { $0.header("Content-Type") } == [json, json, "image/svg+xml", json])
        let bodies = requests.map { String(decoding: $0.body, as: UTF8.self) }
        #expect(
            bodies.dropFirst() == [
                #"{"title":"Buy two cups"}"#, "<svg/>", #"{"tags":["shopping"],"title":"Buy cups"}"#,
            ]
        )
    }

    @Test(arguments: [
        ("404 Not Found", #"{"message": "There is no such note."}"#, "There is no such note."),
        ("409 Conflict", "no JSON", "409"),
    ])
    func namesErrors(_ status: String, _ body: String, _ text: String) async throws {
        let server = try Self.server(answering: body, status: status)
        var texts: [String] = []
        await AsyncSamples.errors(Self.teapot(server)) { texts.append($0) }
        #expect(texts.count == 1)
        #expect(texts.first?.contains(text) == true)
    }

    @Test func decodesDatesAndSnakeCase() async throws {
        struct Account: Decodable, Sendable {
            let firstLogin: Date
        }
        let server = try Self.server(answering: #"{"firstLogin": "1970-01-01T00:00:01Z"}"#, #"{"first_login": 2}"#)
        let teapot = Self.teapot(server)
        AsyncSamples.coders(teapot)
        #expect(try await teapot.get("account", as: Account.self).firstLogin == Date(timeIntervalSince1970: 1))
        let account = try await AsyncSamples.snakeCase(teapot, as: Account.self)
        #expect(account.firstLogin == Date(timeIntervalSinceReferenceDate: 2))
    }

    @Test func sendsARequest() async throws {
        let server = try Self.server(answering: Self.note)
        let note = Note(id: 1, title: "Buy tea")
        let response = try await AsyncSamples.request(Self.teapot(server), replacing: "\"v1\"", with: note)
        #expect(response.status == 200)
        #expect(server.requests.first?.header("If-Match") == "\"v1\"")
    }
}
