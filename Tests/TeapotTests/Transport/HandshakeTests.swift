import LoopbackServer
@testable import Teapot
import TestSupport
import TestTraits
import Testing

/// Servers at an https URL whose TLS handshake fails. Those with a certificate are in `TLSTests`.
@Suite(.inTurn)
struct HandshakeTests {
    /// The code is `nil` where it depends on how far the client has come.
    static let servers: [String: (steps: [Script.Step], code: URLError.Code?)] = [
        "plain HTTP": (
            [.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"), .stall], .secureConnectionFailed
        ),
        "a fatal alert": ([.send(Data([21, 3, 3, 0, 2, 2, 40])), .stall], .secureConnectionFailed),
        "closed": ([.close], nil),
        "reset": ([.reset], nil),
    ]

    @Test(arguments: servers.keys.sorted())
    func `a failed handshake is not a response`(name: String) async throws {
        let (steps, code) = try #require(Self.servers[name])
        let loopback = try LoopbackServer(scripts: [Script(steps)])
        let teapot = Teapot(baseURL: try #require(URL(string: "https://127.0.0.1:\(loopback.port)")))
        let error = try #require(
            await thrown { () throws(TeapotError) in
                try await teapot.send(Teapot.Request(path: "get").with { $0.timeoutInterval = 60 })
            }
        )
        #expect(error.type == .noResponse)
        let cause = try #require(error.underlyingError as? URLError)
        let keys = ["SecureConnectionFailed"] + (code == nil ? ["ConnectionLost", "CannotConnect"] : [])
        #expect(keys.map { LocalizedStrings.text("Teapot:\($0)") }.contains(error.description))
        if let code { #expect(cause.code == code, "\(cause)") }
        #expect(error.failureReason?.isEmpty == false)
    }
}
