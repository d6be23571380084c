#if os(Linux)
    import Foundation
    import LoopbackServer
    import TestTraits
    import Testing

    /// These count what the whole process holds, so each has a process to itself.
    @Suite(.inTurn, .exitTests)
    struct ReleaseTests {
        @Test func `stop releases descriptors and threads`() async {
            await #expect(processExitsWith: .success) {
                try await expectRelease { server in server.stop() }
            }
        }

        @Test func `dropping the server releases descriptors and threads`() async {
            await #expect(processExitsWith: .success) {
                try await expectRelease { _ in }
            }
        }
    }

    private let threadName = "loopback-test"

    /// Runs a server with connections in every state, ends it, and compares.
    private func expectRelease(ending: (LoopbackServer) -> Void) async throws {
        // Foundation and the test library open some files once and keep them: that happens here.
        try await useServer { server in server.stop() }
        let before = try openDescriptors()
        #expect(!before.isEmpty)

        try await useServer(ending: ending)
        #expect(try openDescriptors() == before)
        // A detached thread has told that it is done some instructions before the system takes it off its list.
        let deadline = ContinuousClock.now + .seconds(60)
        while try serverThreadCount() > 0, ContinuousClock.now < deadline {
            await Task.yield()
        }
        #expect(try serverThreadCount() == 0)
    }

    private func useServer(ending: (LoopbackServer) -> Void) async throws {
        let holds: [Script.Step] = [.pause(600), .waitForRelease, .stall]
        let server = try withThreadName(threadName) {
            try LoopbackServer(scripts: holds.map { Script([.readRequest, $0]) })
        }
        let clients = try (0..<8).map { _ in
            let client = try RawClient(port: server.port)
            try client.send("GET /get HTTP/1.1\r\n\r\n")
            return client
        }
        // Not by waiting for the server: a thread of the pool that it starts by waking a task would have its threads' name.
        while server.requests.count < clients.count { await Task.yield() }
        #expect(try serverThreadCount() >= clients.count)
        ending(server)
        withExtendedLifetime(clients) {}
    }

    /// Does something on a thread of another name. New threads inherit it, and theirs again, so they can be told apart.
    private func withThreadName<Result>(_ name: String, _ body: () throws -> Result) throws -> Result {
        let path = "/proc/thread-self/comm"
        let usualName = try String(contentsOfFile: path, encoding: .utf8)
        try Data(name.utf8).write(to: URL(fileURLWithPath: path))
        defer { try? Data(usualName.utf8).write(to: URL(fileURLWithPath: path)) }
        return try body()
    }

    /// The files and sockets behind the open descriptors, but those of Dispatch, which opens timers when it wants.
    private func openDescriptors() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { descriptor in
            // The descriptor of the listing itself is closed by now.
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
        }
        .filter { !$0.hasPrefix("anon_inode:") }.sorted()
    }

    private func serverThreadCount() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count { task in
            // A thread may end between being listed and being asked.
            let name = try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)
            return name?.hasPrefix(threadName) == true
        }
    }
#endif
