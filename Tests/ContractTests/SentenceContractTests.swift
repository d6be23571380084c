import LoopbackServer
import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// The sentences for people: a transport's failure has that of the mock, which has that of its code.
@Suite(.inTurn)
struct SentenceContractTests {
    struct Trouble: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// What the server does; `nil` if none listens.
        var steps: [Script.Step]?
        /// What the mock does.
        let answer: MockResponse
        var scheme = "http"
        var host = "127.0.0.1"
        var timeout = 60.0
    }

    private struct Refusal: LocalizedError { var errorDescription: String? { "out of tea" } }

    static let troubles = [
        // The name is longer than the 63 bytes that DNS allows, so that nobody is asked.
        Trouble(
            testDescription: "no such server",
            answer: .failure(.cannotFindHost),
            host: String(repeating: "a", count: 64) + ".test"
        ),
        Trouble(testDescription: "nobody listens", answer: .failure(.cannotConnectToHost)),
        Trouble(
            testDescription: "no TLS",
            steps: [.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"), .stall],
            answer: .failure(.secureConnectionFailed),
            scheme: "https"
        ),
        Trouble(
            testDescription: "no answer in time",
            steps: [.stall],
            answer: .status(.ok).delayed(by: .seconds(60)),
            timeout: 0.3
        ),
        Trouble(
            testDescription: "closed before the response",
            steps: [.readRequest, .close],
            answer: .failure(.networkConnectionLost)
        ),
        Trouble(
            testDescription: "cut off",
            steps: [.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}"), .close],
            answer: .data(Data("{}".utf8), contentType: "text/plain").breakingOff()
        ),
    ]

    @Test(arguments: Backend.scriptable.filter { $0 != .mock }, troubles)
    func `are the same whatever answers`(backend: Backend, trouble: Trouble) async throws {
        let mock = MockTeapot(bundle: .module)
        try mock.overrideEndPoint("tea", with: trouble.answer)
        let server = try LoopbackServer(scripts: trouble.steps.map { [Script($0)] } ?? [])
        let port = trouble.steps == nil ? 1 : server.port
        let url = try #require(URL(string: "\(trouble.scheme)://\(trouble.host):\(port)"))
        let teapot = Teapot(baseURL: url, transport: backend.transport)
        let request = Teapot.Request(path: "tea").with { $0.timeoutInterval = trouble.timeout }
        let error = await thrown { () throws(TeapotError) in try await teapot.send(request) }
        let expected = await thrown { () throws(TeapotError) in try await mock.send(request) }
        #expect(error?.type == expected?.type)
        #expect(error?.description == expected?.description)
        #expect(try #require(error).description != error?.failureReason)
    }

    static let said: [(type: String, body: String, reason: String)] = [
        ("application/problem+json", #"{"title":"Too short","detail":"3 of 5"}"#, "Too short: 3 of 5"),
        ("application/json", #"{"code":"short","token":"s3cret"}"#, #"{"code":"short","token":"<redacted>"}"#),
        ("text/plain", "s3cret-pass is\r\ntoo short", "<redacted> is too short"),
        (
            "text/html", "<p>no</p>\(String(repeating: "x", count: 300))",
            "<p>no</p>\(String(repeating: "x", count: 191))"
        ),
    ]

    /// In each shape of a call.
    @Test(arguments: Backend.scriptable, brief(said.indices) { said[$0].type })
    func `are followed by what the server said, for developers only`(backend: Backend, row: Brief<Int>) async throws {
        let (type, body, reason) = Self.said[row.value]
        let service = try ScriptedService(backend) { _ in ScriptedAnswer(422, [("Content-Type", type)], body) }
        let client = service.client()
        client.plugins = [Credential.basic(username: "ada", password: "s3cret-pass")]
        let folder = try TemporaryFolder()
        let errors = [
            await thrown { () throws(TeapotError) in try await client.get("tea") },
            await thrown { () throws(TeapotError) in try await client.download("tea", to: folder.file("tea")) },
            await thrown { () throws(TeapotError) in _ = try await client.bytes("tea") },
            await result { client.get("tea", deliveryQueue: .global(), completion: $0) }.error,
        ]
        for error in errors {
            let error = try #require(error)
            #expect(error.failureReason == reason)
            #expect(error.debugDescription.hasSuffix("422 Unprocessable Entity (\(reason))"))
            #expect(error.description.hasSuffix(" 422."))
        }
    }

    /// Over HTTP it is one whose connection stays open.
    @Test(arguments: Backend.scriptable)
    func `of a switch to another protocol comes at once`(backend: Backend) async throws {
        let head = "HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: tea\r\n\r\n"
        let server = try LoopbackServer(scripts: [Script([.readRequest, .send(head), .stall])])
        let mock = MockTeapot(strictIn: .module)
        try mock.overrideEndPoint("tea", with: .status(101))
        let teapot = backend == .mock ? mock : Teapot(baseURL: server.baseURL, transport: backend.transport)
        let error = await thrown { () throws(TeapotError) in
            try await teapot.send(Teapot.Request(path: "tea").with { $0.timeoutInterval = 60 })
        }
        #expect(error?.type == .invalidResponseStatus)
        #expect(error?.responseStatus == 101)
        #expect(error?.failureReason == "the server switched to another protocol")
    }

    @Test(arguments: Backend.scriptable)
    func `of a body that cannot be sent is one, whether it is the body's own failure or HTTP's rule`(
        backend: Backend
    ) async throws {
        let teapot = try backend.teapot()
        let body = Teapot.Request.Body.stream(AsyncThrowingStream<Data, any Error> { throw Refusal() }, length: 3)
        let broken = Teapot.Request(.post, path: "post", body: body)
        let forbidden = Teapot.Request(path: "get", body: Teapot.Request.Body(Data("tea".utf8)))
        let errors = [
            await thrown { () throws(TeapotError) in try await teapot.send(broken) },
            await thrown { () throws(TeapotError) in try await teapot.send(forbidden) },
        ]
        #expect(errors.map { $0?.type } == [.noResponse, .invalidPayload])
        #expect(errors[0]?.failureReason == "out of tea")
        #expect(errors[0]?.description == errors[1]?.description)
        #expect(errors[0]?.description.contains("JSON") == false)
    }
}
