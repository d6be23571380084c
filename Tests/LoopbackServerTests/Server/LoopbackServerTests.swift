import Foundation
import LoopbackServer
import TestTraits
import Testing

@Suite(.inTurn)
struct LoopbackServerTests {
    @Test func `waiting for requests ends with the request that makes the count`() async throws {
        let server = try LoopbackServer()
        async let received = server.received(3)
        for index in 0..<3 {
            #expect(try server.exchange("GET", "/status/20\(index)").status == 200 + index)
        }
        #expect(await received.map(\.path) == ["/status/200", "/status/201", "/status/202"])
        #expect(await server.received(0).count == 3)
    }

    @Test func `waiting ends when the server stops`() async throws {
        let server = try LoopbackServer()
        async let received = server.received(1)
        async let finished: Void = server.scriptsFinished(1)
        server.stop()
        #expect(await received.isEmpty)
        await finished
        #expect(await server.received(1).isEmpty)
    }

    @Test func `no request is served after stopping`() throws {
        let server = try LoopbackServer()
        let client = try RawClient(port: server.port)
        try client.send("GET /get HTTP/1.1\r\n\r\n")
        #expect(try client.readResponse().status == 200)
        server.stop()
        server.stop()
        #expect(try client.readToEnd().isEmpty)
        #expect(throws: RawClient.Failure.self) { try RawClient(port: server.port) }
    }

    @Test func `stopping interrupts answers in progress`() async throws {
        // The routes that wait do so like `pause`, but for at most ten seconds, which a busy machine may take.
        let answer = Script.Step.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let server = try LoopbackServer(
            scripts: [.pause(600), .waitForRelease, .stall].map { Script([.readRequest, $0, answer]) }
        )
        let clients = try (0..<3).map { _ in
            let client = try RawClient(port: server.port)
            try client.send("GET /get HTTP/1.1\r\n\r\n")
            return client
        }
        _ = await server.received(3)
        let start = ContinuousClock.now
        server.stop()
        #expect(ContinuousClock.now - start < .seconds(60))
        for client in clients {
            #expect(throws: RawClient.Failure.self) { try client.readResponse() }
        }
    }
}
