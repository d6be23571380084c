import LoopbackServer
import Teapot
import TestTraits
import Testing

#if os(Linux)
    /// The sample of a transport does what the page says of it.
    @Suite(.inTurn)
    struct SamplesRunTransportsTests {
        @Test func `adds a field, counts bytes and delays`() async throws {
            let (server, received) = (try LoopbackServer(), TransportSamples.Counter())
            let teapot = TransportSamples.slow(baseURL: server.baseURL, received)
            #expect(try await teapot.get("file/1000").data.count == 1_000)
            #expect(received.value == 1_000)
            #expect(server.requests.map { $0.header("X-Network") } == ["slow"])
        }
    }
#endif
