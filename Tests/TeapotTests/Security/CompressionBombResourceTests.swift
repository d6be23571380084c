import Foundation
import LoopbackServer
import Teapot
import TestSupport
import TestTraits
import Testing

#if os(Linux)
    /// A small body that becomes a gigabyte. Each call has a process of its own, whose peak of memory is compared before and
    /// after.
    @Suite(.inTurn, .exitTests)
    struct CompressionBombResourceTests {
        @Test(arguments: ["200 OK", "500 No"]) func `a call keeps no more than the limit`(status: String) async {
            await #expect(processExitsWith: .success) { [status = status as String] in
                try await expectLittleMemory(status: status) { teapot, _ in
                    let error = await thrown { () throws(TeapotError) in
                        try await teapot.get("bomb", timeoutInterval: 60)
                    }
                    #expect(error?.type == .responseTooLarge)
                    #expect(error?.data.map { $0.count <= limit } != false)
                }
            }
        }

        @Test func `a download holds no bomb in memory or on the disk`() async {
            await #expect(processExitsWith: .success) {
                try await expectLittleMemory() { teapot, folder in
                    let error = await thrown { () throws(TeapotError) in
                        try await teapot.download("bomb", to: folder.file("bomb"), timeoutInterval: 60)
                    }
                    #expect(error?.type == .responseTooLarge)
                    #expect(folder.names.isEmpty)
                }
            }
        }

        @Test func `a body that is read as it arrives holds no bomb in memory`() async {
            await #expect(processExitsWith: .success) {
                try await expectLittleMemory() { teapot, _ in
                    var count = 0
                    do throws(TeapotError) {
                        let bytes = try await teapot.bytes("bomb", timeoutInterval: 60)
                        for try await chunk in bytes.chunks { count += chunk.count }
                        Issue.record("it ended")
                    } catch {
                        #expect(error.type == .responseTooLarge)
                    }
                    #expect(count <= limit)
                }
            }
        }
    }

    private let limit = 1_000_000

    private func expectLittleMemory(
        status: String = "200 OK",
        _ body: (Teapot, TemporaryFolder) async throws -> Void
    ) async throws {
        let bomb = zlib(DeflatedZeros(atMost: 1 << 30))
        #expect(bomb.count < 8 << 20)
        let head = "HTTP/1.1 \(status)\r\nContent-Encoding: deflate\r\nContent-Length: \(bomb.count)\r\n\r\n"
        let server = try LoopbackServer(scripts: [Script([.readRequest, .send(head), .send(bomb)])])
        let teapot = Teapot(baseURL: server.baseURL)
        teapot.maximumResponseSize = limit
        teapot.logger = Logger(level: .incomingAndOutgoingData) { _ in }
        let folder = try TemporaryFolder()
        let before = try #require(ProcessResources.peakMemory)
        try await body(teapot, folder)
        let after = try #require(ProcessResources.peakMemory)
        #expect(after - before < 30 << 20, "\(before >> 20) → \(after >> 20) MB")
    }

    /// In the zlib format (RFC 1950). Of its checksum (Adler-32) the first sum stays 1, and the second counts the bytes.
    private func zlib(_ zeros: DeflatedZeros) -> Data {
        let second = zeros.count % 65_521
        return Data([0x78, 0x9C] + zeros.stream + [UInt8(second >> 8), UInt8(second & 0xFF), 0, 1])
    }
#endif
