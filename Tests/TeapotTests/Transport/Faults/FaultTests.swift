import LoopbackServer
import Teapot
import TestSupport
import TestTraits
import Testing

/// Faults of servers that a row of the fault matrix cannot express.
@Suite(.inTurn)
struct FaultTests {
    @Test func `a refused connection is an error`() async throws {
        // Nobody listens there, while the port of a server that is gone may be another's by now.
        let teapot = Teapot(baseURL: try #require(URL(string: "http://127.0.0.1:1")))
        let result = await result { teapot.get("get", deliveryQueue: .global(), completion: $0) }
        #expect(result.error?.type == .noResponse)
        #expect((result.error?.underlyingError as? URLError)?.code == .cannotConnectToHost)
        #expect(result.response.status == 400)
    }

    @Test func `the size limit holds for a body that never ends`() async throws {
        let piece = Script.Step.send(Data(repeating: 0x61, count: 100_000))
        let head = Script.Step.send("HTTP/1.1 200 OK\r\n\r\n")
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
