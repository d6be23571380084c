import LoopbackServer
@testable import Teapot
import TestSupport
import TestTraits
import Testing

/// Servers at an https URL whose TLS handshake fails. Those with a certificate are in `TLSTests`.
@Suite(.inTurn)
struct HandshakeTests {
    struct Server: CustomTestStringConvertible, Sendable {
        let name: String
        let steps: [Script.Step]
        /// `nil` where it depends on how far the client has come.
        let code: URLError.Code?
        var testDescription: String { name }
    }

    static let servers: [Server] = [
        Server(
            name: "plain HTTP",
            steps: [.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"), .stall],
            code: .secureConnectionFailed
        ),
        Server(
            name: "a fatal alert",
            steps: [.send(Data([21, 3, 3, 0, 2, 2, 40])), .stall],
            code: .secureConnectionFailed
        ),
        Server(name: "closed", steps: [.close], code: nil),
        Server(name: "reset", steps: [.reset], code: nil),
    ]

    @Test(arguments: servers)
    func `a failed handshake is not a response`(server: Server) async throws {
        let loopback = try LoopbackServer(scripts: [Script(server.steps)])
        let teapot = Teapot(baseURL: try #require(URL(string: "https://127.0.0.1:\(loopback.port)")))
        let error = try #require(
            await thrown { () throws(TeapotError) in
                try await teapot.get("get", timeoutInterval: 60)
            }
        )
        #expect(error.type == .noResponse)
        #expect(error.description == LocalizedStrings.text("Teapot:NoResponse"))
        let cause = try #require(error.underlyingError as? URLError)
        if let code = server.code { #expect(cause.code == code, "\(cause)") }
        #expect(error.failureReason?.isEmpty == false)
    }
}
