import LoopbackServer
import Teapot
import TestSupport
import TestTraits
import Testing

/// Which of the heads that a server sends is that of the response.
@Suite(.inTurn)
struct ReceivedHeadTests {
    private static func server(_ text: String) throws -> LoopbackServer {
        try LoopbackServer(scripts: [Script([.readRequest, .send(text), .close])])
    }

    @Test func `a redirect after an interim response is followed`() async throws {
        let hints = "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n"
        let server = try Self.server(hints + "HTTP/1.1 302 Found\r\nLocation: /get?n=1\r\nContent-Length: 0\r\n\r\n")
        let response = try await Teapot(baseURL: server.baseURL, clock: StoppedClock()).get("x")
        #expect(response.status == 200)
        #expect(response.http.url?.query() == "n=1")
    }

    /// libcurl takes any line that begins with CR for the end of the header, FoundationNetworking does not: it makes up a
    /// response with status 200 then.
    @Test(arguments: [200, 302, 401, 500])
    func `a header with an ambiguous end is not a response`(status: Int) async throws {
        let folder = try TemporaryFolder()
        let text = "HTTP/1.1 \(status) X\r\nContent-Length: 7\r\n\r\r\n{\"a\":1}"
        let server = try LoopbackServer(
            scripts: Array(repeating: Script([.readRequest, .send(text), .close]), count: 2)
        )
        let teapot = Teapot(baseURL: server.baseURL, clock: StoppedClock())
        let result = await result { teapot.get("x", deliveryQueue: .global(), completion: $0) }
        #expect(result.error?.type == .noResponse)
        #expect(result.error?.code == .badServerResponse)
        let error = await #expect(throws: TeapotError.self) { try await teapot.download("x", to: folder.file("file")) }
        #expect(error?.type == .noResponse)
        #expect(folder.names.isEmpty)
    }
}
