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
        private static let calls: [(shape: CallShape, status: String)] = [
            (.get, "200 OK"), (.get, "500 No"), (.download, "200 OK"), (.chunks, "200 OK"),
        ]

        @Test(arguments: brief(calls.indices) { "\(calls[$0].shape), \(calls[$0].status)" })
        func `a call holds no bomb in memory or on the disk`(row: Brief<Int>) async {
            await #expect(processExitsWith: .success) { [index = row.value as Int] in
                let (shape, status) = CompressionBombResourceTests.calls[index]
                let bomb = CompressionBombResourceTests.zlib(DeflatedZeros(atMost: 1 << 30))
                #expect(bomb.count < 8 << 20)
                let head = "HTTP/1.1 \(status)\r\nContent-Encoding: deflate\r\nContent-Length: \(bomb.count)\r\n\r\n"
                let server = try LoopbackServer(scripts: [Script([.readRequest, .send(head), .send(bomb)])])
                let teapot = Teapot(baseURL: server.baseURL)
                teapot.maximumResponseSize = 1_000_000
                teapot.logger = Logger(level: .incomingAndOutgoingData) { _ in }
                let folder = try TemporaryFolder()
                let before = try #require(ProcessResources.peakMemory)
                let error = await shape.outcome(of: "bomb", from: teapot, timeoutInterval: 60, in: folder).error
                let after = try #require(ProcessResources.peakMemory)
                #expect(after - before < 30 << 20, "\(before >> 20) → \(after >> 20) MB")
                #expect(error?.type == .responseTooLarge)
                #expect(error?.data.map { $0.count <= 1_000_000 } != false)
                #expect(folder.names.isEmpty)
            }
        }

        /// In the zlib format (RFC 1950). Of its checksum (Adler-32) the first sum stays 1, and the second counts the bytes.
        private static func zlib(_ zeros: DeflatedZeros) -> Data {
            let second = zeros.count % 65_521
            return Data([0x78, 0x9C] + zeros.stream + [UInt8(second >> 8), UInt8(second & 0xFF), 0, 1])
        }
    }
#endif
