import LoopbackServer
import Teapot
import TestSupport
import Testing

/// What servers do wrong, and what it comes to.
@Suite(.timeLimit(.minutes(2)))
struct FaultTests {
    struct Fault: CustomTestStringConvertible, Sendable {
        let name: String
        let steps: [Script.Step]
        /// `nil` for a success.
        let type: TeapotError.ErrorType?
        var cause: URLError.Code?
        var status: Int?
        var body: String?
        var testDescription: String { name }
    }

    private static func head(_ status: String, _ fields: String...) -> Script.Step {
        .send("HTTP/1.1 \(status)\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n")
    }

    static let faults: [Fault] = [
        Fault(
            name: "reset before the header",
            steps: [.readRequest, .reset],
            type: .noResponse,
            cause: .networkConnectionLost
        ),
        Fault(name: "accepted and reset", steps: [.reset], type: .noResponse),
        Fault(
            name: "closed within the body",
            steps: [.readRequest, head("200 OK", "Content-Length: 10"), .send("{\"a\""), .close],
            type: .dataTaskError,
            cause: .networkConnectionLost,
            status: 200,
            body: "{\"a\""
        ),
        Fault(
            name: "reset within the body",
            steps: [.readRequest, head("200 OK", "Content-Length: 10"), .reset],
            type: .dataTaskError,
            cause: .networkConnectionLost,
            status: 200,
            body: ""
        ),
        Fault(
            name: "closed within a chunk",
            steps: [.readRequest, head("200 OK", "Transfer-Encoding: chunked"), .send("5\r\nab"), .close],
            type: .dataTaskError,
            status: 200,
            body: "ab"
        ),
        Fault(
            name: "closed between chunks",
            steps: [.readRequest, head("200 OK", "Transfer-Encoding: chunked"), .send("2\r\nab\r\n"), .close],
            type: .dataTaskError,
            status: 200,
            body: "ab"
        ),
        Fault(
            name: "a failure that is closed within the body",
            steps: [.readRequest, head("500 Oh", "Content-Length: 10"), .send("{"), .close],
            type: .dataTaskError,
            cause: .networkConnectionLost,
            status: 500,
            body: "{"
        ),
        Fault(name: "garbage", steps: [.readRequest, .send("no HTTP at all\r\n\r\n"), .close], type: .noResponse),
        Fault(
            name: "a body until the connection closes",
            steps: [.readRequest, head("200 OK"), .send("{}"), .close],
            type: nil,
            status: 200
        ),
        Fault(
            name: "a 401 with a Basic challenge and a body",
            steps: [
                .readRequest,
                head("401 Unauthorized", "WWW-Authenticate: Basic realm=\"x\"", "Content-Length: 7"),
                .send("{\"e\":1}"),
            ],
            type: .invalidResponseStatus,
            status: 401,
            body: "{\"e\":1}"
        ),
        Fault(
            name: "a 401 with a Digest challenge",
            steps: [
                .readRequest,
                head("401 Unauthorized", "WWW-Authenticate: Digest realm=\"x\", nonce=\"y\"", "Content-Length: 2"),
                .send("{}"),
            ],
            type: .invalidResponseStatus,
            status: 401,
            body: "{}"
        ),
        Fault(
            name: "a 401 with a Basic challenge that is closed within the body",
            steps: [
                .readRequest,
                head("401 Unauthorized", "WWW-Authenticate: Basic realm=\"x\"", "Content-Length: 9"), .send("{\"e\""),
                .close,
            ],
            type: .dataTaskError,
            status: 401,
            body: "{\"e\""
        ),
        Fault(
            name: "a 407",
            steps: [
                .readRequest, head("407 Proxy", "Proxy-Authenticate: Basic realm=\"x\"", "Content-Length: 2"),
                .send("{}"),
            ],
            type: .invalidResponseStatus,
            status: 407,
            body: "{}"
        ),
        // FoundationNetworking loses the body of a redirect without a Location.
        Fault(
            name: "a redirect to nowhere",
            steps: [.readRequest, head("302 Found", "Content-Length: 4"), .send("here")],
            type: .invalidResponseStatus,
            status: 302,
            body: ""
        ),
        Fault(
            name: "a redirect to a file",
            steps: [
                .readRequest, head("302 Found", "Location: file:///etc/passwd", "Content-Length: 4"), .send("here"),
            ],
            type: .invalidResponseStatus,
            status: 302,
            body: "here"
        ),
        Fault(
            name: "bad gzip",
            steps: [.readRequest, head("200 OK", "Content-Encoding: gzip", "Content-Length: 4"), .send("nope")],
            type: .dataTaskError,
            status: 200
        ),
    ]

    @Test(arguments: faults)
    func `a fault has its error, once`(fault: Fault) async throws {
        let server = try LoopbackServer(scripts: [Script(fault.steps)])
        let teapot = Teapot(baseURL: server.baseURL)
        let result = await result {
            teapot.get("get", timeoutInterval: 20, deliveryQueue: .global(), completion: $0)
        }
        #expect(result.error?.type == fault.type)
        #expect(result.response.status == fault.status ?? 400)
        #expect(result.error?.responseStatus == (fault.type == nil ? nil : fault.status))
        if let cause = fault.cause { #expect((result.error?.underlyingError as? URLError)?.code == cause) }
        if let body = fault.body { #expect(result.error?.data == Data(body.utf8)) }
    }

    @Test func `nobody listens`() async throws {
        // Nobody listens there, while the port of a server that is gone may be another's by now.
        let teapot = Teapot(baseURL: try #require(URL(string: "http://127.0.0.1:1")))
        let result = await result { teapot.get("get", deliveryQueue: .global(), completion: $0) }
        #expect(result.error?.type == .noResponse)
        #expect((result.error?.underlyingError as? URLError)?.code == .cannotConnectToHost)
        #expect(result.response.status == 400)
    }

    @Test func `the size limit holds for a body that never ends`() async throws {
        let piece = Script.Step.send(Data(repeating: 0x61, count: 100_000))
        let head = Self.head("200 OK")
        let server = try LoopbackServer(scripts: [
            Script([.readRequest, head] + Array(repeating: piece, count: 200) + [.stall])
        ])
        let teapot = Teapot(baseURL: server.baseURL)
        teapot.maximumResponseSize = 250_000
        let result = await result { teapot.get("get", deliveryQueue: .global(), completion: $0) }
        #expect(result.error?.type == .responseTooLarge)
        #expect((result.error?.data?.count ?? .max) <= 250_000)
        // The client hangs up, or the server would stall for ever.
        await server.scriptsFinished(1)
    }
}
