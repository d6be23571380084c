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

    @Test func `a request is read and raw bytes are sent`() async throws {
        let server = try server(.readRequest, .send("HTTP/1.1 200"), .send(Data(" OK\r\n\r\nlea".utf8)))
        let client = try RawClient(port: server.port)
        try client.send(request)
        #expect(try client.readToEnd() == Data("HTTP/1.1 200 OK\r\n\r\nlea".utf8))
        await server.scriptsFinished(1)
        let received = try #require(server.requests.first)
        #expect(server.requests.count == 1)
        #expect(received.target == "/tea?leaf=1")
        #expect(received.body == Data("abc".utf8))
    }

    @Test func `a request may have a script instead of a route`() async throws {
        let server = try LoopbackServer(fault: { $0.path == "/get" ? Script([.send("HTTP/1.1 200"), .close]) : nil })
        #expect(try server.exchange("GET", "/anything").status == 200)
        let client = try RawClient(port: server.port)
        try client.send("GET /get HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try client.readToEnd() == Data("HTTP/1.1 200".utf8))
        #expect(server.requests.map(\.path) == ["/anything", "/get"])
    }

    @Test func `a script may speak first`() throws {
        let server = try server(.send("early"), .close, .send("never"))
        let client = try RawClient(port: server.port)
        #expect(try client.readToEnd() == Data("early".utf8))
    }

    @Test func `a pause holds the rest back`() throws {
        let server = try server(.pause(0.1), .send("x"))
        let start = ContinuousClock.now
        let client = try RawClient(port: server.port)
        #expect(try client.readToEnd() == Data("x".utf8))
        #expect(ContinuousClock.now - start >= .milliseconds(100))
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

    @Test func `a release lets one gate go`() throws {
        let server = try LoopbackServer(scripts: (0..<2).map { _ in Script([.waitForRelease, .send("x")]) })
        let clients = try (0..<2).map { _ in try RawClient(port: server.port) }
        server.release()
        server.release()
        for client in clients {
            #expect(try client.readToEnd() == Data("x".utf8))
        }
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

    @Test func `a client that hangs up ends a script`() async throws {
        let server = try server(.readRequest, .send("never"))
        try RawClient(port: server.port).send("GET / HT")
        await server.scriptsFinished(1)
        #expect(server.requests.isEmpty)
    }

    @Test func `scripts are taken in order and then the routes answer`() async throws {
        let server = try server(.send("first"))
        server.run(Script([.send("second")]))
        #expect(try RawClient(port: server.port).readToEnd() == Data("first".utf8))
        #expect(try RawClient(port: server.port).readToEnd() == Data("second".utf8))
        #expect(try server.exchange("GET", "/get").status == 200)
        await server.scriptsFinished(2)
    }

    @Test func `a script reads several requests`() async throws {
        let server = try server(.readRequest, .send("1"), .readRequest, .send("2"))
        let client = try RawClient(port: server.port)
        try client.send(request + request)
        #expect(try client.readToEnd() == Data("12".utf8))
        #expect(server.requests.count == 2)
    }
}
