import LoopbackServer
import Teapot
import TestTraits
import Testing

/// The transport for generated clients does what the page says of it.
@Suite(.inTurn)
struct SamplesRunGeneratedClientsTests {
    private let server: LoopbackServer
    private let transport: TeapotClientTransport

    init() throws {
        server = try LoopbackServer()
        let teapot = Teapot(baseURL: server.baseURL)
        teapot.timeoutInterval = 60
        teapot.headerFields["X-Client"] = "tea"
        transport = TeapotClientTransport(teapot: teapot)
    }

    private func send(
        _ method: String,
        _ path: String,
        _ fields: HTTPFields = [:],
        body: HTTPBody? = nil
    ) async throws -> (HTTPResponse, Data) {
        let method = try #require(HTTPRequest.Method(method))
        let request = HTTPRequest(method: method, scheme: nil, authority: nil, path: path, headerFields: fields)
        let (response, body) = try await transport.send(
            request,
            body: body,
            baseURL: server.baseURL.appending(path: "anything"),
            operationID: "make"
        )
        return (response, try await Data(collecting: #require(body), upTo: 1_000_000))
    }

    private func name(_ text: String) throws -> HTTPField.Name { try #require(HTTPField.Name(text)) }

    @Test func `a request has its path, query and header fields`() async throws {
        let (response, body) = try await send("PROPFIND", "/notes/a%2Fb?q=tea%20pot", [name("Accept"): "text/tea"])
        #expect(response.status.code == 200)
        #expect(try response.headerFields[name("content-type")]?.hasPrefix("application/json") == true)
        #expect(try JSON(data: body).dictionary?["method"] as? String == "PROPFIND")
        let sent = try #require(server.requests.first)
        #expect(sent.target == "/anything/notes/a%2Fb?q=tea%20pot")
        #expect(sent.header("Accept") == "text/tea")
        #expect(sent.header("X-Client") == "tea")
    }

    @Test(arguments: [true, false])
    func `a body is sent, in one piece or streamed`(isStreamed: Bool) async throws {
        let pieces = ["{\"tea\":", "\"green\"}"].map { Data($0.utf8) }
        let stream = AsyncStream(Data.self) { continuation in
            for piece in pieces { continuation.yield(piece) }
            continuation.finish()
        }
        let whole = HTTPBody(pieces[0] + pieces[1])
        let body = isStreamed ? HTTPBody(stream, length: .known(15), iterationBehavior: .single) : whole
        let fields: HTTPFields = try [name("Content-Type"): "application/tea+json", .contentLength: "15"]
        let (response, _) = try await send("POST", "", fields, body: body)
        #expect(response.status.code == 200)
        let sent = try #require(server.requests.first)
        #expect(sent.header("Content-Type") == "application/tea+json")
        #expect(sent.header("Content-Length") == "15")
        #expect(Data(sent.body) == pieces[0] + pieces[1])
    }

    @Test func `another status is a response, and other errors are thrown`() async throws {
        let method = try #require(HTTPRequest.Method("GET"))
        let request = HTTPRequest(method: method, scheme: nil, authority: nil, path: "/status/404")
        let (response, body) = try await transport.send(request, body: nil, baseURL: server.baseURL, operationID: "no")
        #expect(response.status.code == 404)
        #expect(body != nil)
        transport.teapot.maximumResponseSize = 1
        let error = await #expect(throws: TeapotError.self) { try await send("GET", "/notes") }
        #expect(error?.type == .responseTooLarge)
    }

    @Test func `the sample for a client compiles`() throws {
        #expect(try GeneratedClientSamples.client().transport is TeapotClientTransport)
    }
}
