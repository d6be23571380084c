import Foundation
import LoopbackServer
import TestTraits
import Testing

@Suite(.inTurn)
struct ScriptTests {
    private let request = "POST /tea?leaf=1 HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc"

    private func server(_ steps: Script.Step...) throws -> LoopbackServer {
        try LoopbackServer(scripts: [Script(steps)])
    }

    @Test func `a gate holds until released`() async throws {
        let server = try server(.readRequest, .send("a"), .waitForRelease, .send("b"))
        let client = try RawClient(port: server.port)
        try client.send(request)
        #expect(try client.read(through: "a") == "a")
        #expect(await server.received(1).count == 1)
        server.release()
        #expect(try client.readToEnd() == Data("b".utf8))
    }

    @Test func `a release before the gate is kept`() throws {
        let server = try server(.waitForRelease, .waitForRelease, .send("x"))
        server.release()
        server.release()
        let client = try RawClient(port: server.port)
        #expect(try client.readToEnd() == Data("x".utf8))
    }

    @Test func `a reset is a reset`() async throws {
        let server = try server(.readRequest, .reset)
        let client = try RawClient(port: server.port)
        try client.send(request)
        #expect(throws: RawClient.Failure.reset) { try client.readToEnd() }
        await server.scriptsFinished(1)
    }

    @Test func `a stall ends when the client hangs up`() async throws {
        let server = try server(.readRequest, .stall, .send("never"))
        let client = try RawClient(port: server.port)
        try client.send(request + "and more")
        client.finishSending()
        #expect(try client.readToEnd().isEmpty)
        await server.scriptsFinished(1)
    }

    @Test(arguments: [Script.Step.pause(600), .waitForRelease, .stall])
    func `stopping ends every wait`(step: Script.Step) async throws {
        let server = try server(.readRequest, step, .send("never"))
        let client = try RawClient(port: server.port)
        try client.send(request)
        _ = await server.received(1)
        server.stop()
        #expect(try client.readToEnd().isEmpty)
    }

    @Test func `scripts are taken in order and then the routes answer`() async throws {
        let server = try server(.send("first"))
        server.run(Script([.send("second")]))
        #expect(try RawClient(port: server.port).readToEnd() == Data("first".utf8))
        #expect(try RawClient(port: server.port).readToEnd() == Data("second".utf8))
        #expect(try server.exchange("GET", "/get").status == 200)
        await server.scriptsFinished(2)
    }
}
