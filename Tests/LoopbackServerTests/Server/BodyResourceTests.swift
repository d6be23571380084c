#if os(Linux)
    import Foundation
    import LoopbackServer
    import TestTraits
    import Testing

    /// These measure what the whole process takes, so each has a process to itself.
    @Suite(.inTurn, .exitTests)
    struct BodyResourceTests {
        @Test func `a digested body is not kept`() async {
            await #expect(processExitsWith: .success) {
                let count = 50_000_000
                try expectLittleMemory { server in
                    let client = try RawClient(port: server.port)
                    try client.send("POST /digest HTTP/1.1\r\nContent-Length: \(count)\r\n\r\n")
                    for start in stride(from: 0, to: count, by: 1 << 20) {
                        try client.send(GeneratedFile.bytes(start..<min(start + 1 << 20, count)))
                    }
                    #expect(
                        try client.readResponse().json?["digest"] as? String == GeneratedFile.digest(0..<count).text
                    )
                }
            }
        }

        @Test func `a file is generated while it is sent`() async {
            await #expect(processExitsWith: .success) {
                let count = 50_000_000
                try expectLittleMemory { server in
                    let client = try RawClient(port: server.port)
                    try client.send("GET /file/\(count) HTTP/1.1\r\n\r\n")
                    _ = try client.read(through: "\r\n\r\n")
                    var digest = BodyDigest()
                    while digest.count < count {
                        try client.readBytes(min(1 << 20, count - digest.count)).withUnsafeBytes { digest.update($0) }
                    }
                    #expect(digest == GeneratedFile.digest(0..<count))
                }
            }
        }
    }

    /// Does something with a server, and compares the peaks of the process's memory before and after.
    private func expectLittleMemory(_ body: (LoopbackServer) throws -> Void) throws {
        let server = try LoopbackServer()
        #expect(try server.exchange("GET", "/file/200000").body.count == 200_000)
        #expect(try server.exchange("POST", "/digest", body: "warm").status == 200)
        let before = try peakMemory()
        try body(server)
        #expect(try peakMemory() - before < 20 << 20)
    }

    /// The most memory this process ever had, in bytes.
    private func peakMemory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(line.split(separator: " ").compactMap { Int($0) }.first) << 10
    }
#endif
