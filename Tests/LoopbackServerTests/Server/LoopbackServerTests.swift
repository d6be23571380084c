import Foundation
import TestTraits
import Testing

@testable internal import LoopbackServer

@Suite(.inTurn, .exitTests)
struct LoopbackServerTests {
    private let request = "POST /tea?leaf=1 HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc"

    @Test func `a release before the gate is kept`() throws {
        let server = try LoopbackServer(scripts: [Script([.waitForRelease, .send("a"), .waitForRelease, .send("b")])])
        server.release()
        server.release()
        #expect(try RawClient(port: server.port).read() == "ab")
    }

    @Test func `a reset is a reset`() async throws {
        let server = try LoopbackServer(scripts: [Script([.readRequest, .reset])])
        let client = try RawClient(port: server.port)
        try client.send(request)
        #expect(throws: RawClient.Failure.reset) { try client.read() }
        await server.scriptsFinished(1)
    }

    @Test func `stopping ends everything`() async throws {
        let waits = [Script.Step.pause(600), .waitForRelease, .stall]
        let server = try LoopbackServer(scripts: waits.map { Script([.readRequest, $0, .send("never")]) })
        let clients = try (0..<4).map { _ in
            let client = try RawClient(port: server.port)
            try client.send(request)
            return client
        }
        _ = await server.received(4)
        async let received = server.received(5)
        async let finished: Void = server.scriptsFinished(5)
        server.stop()
        server.stop()
        for client in clients { #expect(try !client.read().contains("never")) }
        #expect(await received.count == 4)
        await finished
        #expect(throws: RawClient.Failure.self) { try RawClient(port: server.port) }
    }

    #if os(Linux)
        /// A child that another thread starts at that moment has such a copy until it runs its own program.
        @Test func `a copy of its descriptor does not keep a stopped server listening`() throws {
            let server = try LoopbackServer()
            let copy = Socket(descriptor: dup(server.core.listener.descriptor))
            defer { copy.close() }
            server.stop()
            #expect(throws: RawClient.Failure.notConnected) { try RawClient(port: server.port) }
        }

        /// It counts what the whole process holds, so it has a process to itself.
        @Test func `no descriptor or thread is left of a server`() async {
            await #expect(processExitsWith: .success) {
                func count(_ kind: String) throws -> Int {
                    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(kind)").count
                }
                // Foundation and the test library open some files once and keep them: that happens here.
                try await use()
                let (descriptors, threads) = try (count("fd"), count("task"))
                for _ in 0..<10 { try await use() }
                // A thread has told that it is done some instructions before the system takes it off its list.
                let deadline = ContinuousClock.now + .seconds(60)
                while try count("task") > threads + 9, ContinuousClock.now < deadline { await Task.yield() }
                #expect(try count("task") <= threads + 9)
                #expect(try count("fd") <= descriptors + 9)
            }
        }
    #endif
}

/// Runs a server with connections in every state, and drops it.
private func use() async throws {
    let holds: [Script.Step] = [.pause(600), .waitForRelease, .stall]
    let server = try LoopbackServer(scripts: holds.map { Script([.readRequest, $0]) })
    let clients = try (0..<8).map { _ in
        let client = try RawClient(port: server.port)
        try client.send("GET /get HTTP/1.1\r\n\r\n")
        return client
    }
    _ = await server.received(8)
    withExtendedLifetime(clients) {}
}
