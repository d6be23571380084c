import Foundation
import LoopbackServer
import Teapot
import TestSupport
import TestTraits
import Testing

#if os(Linux)
    /// The memory of large transfers. Each has a process of its own, whose peak is compared before and after; the server is in it,
    /// too, and keeps no body either.
    @Suite(.timeLimit(.minutes(10)), .firstInTurn, .exitTests)
    struct TransferResourceTests {
        @Test func `a download takes little memory`() async {
            await #expect(processExitsWith: .success) {
                try await expectLittleMemory { teapot, folder in
                    let file = folder.file("tea")
                    try await teapot.download("file/\(size)", to: file)
                    let length = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
                    #expect(length == size)
                }
            }
        }

        @Test func `an upload takes little memory`() async {
            await #expect(processExitsWith: .success) {
                try await expectLittleMemory { teapot, folder in
                    let response = try await teapot.upload("digest", fromFile: try largeFile(in: folder))
                    #expect(response.json?.dictionary?["count"] as? Int == size)
                }
            }
        }

        @Test func `a form with a file takes little memory`() async {
            await #expect(processExitsWith: .success) {
                try await expectLittleMemory { teapot, folder in
                    var form = MultipartFormData()
                    form.append(file: try largeFile(in: folder), name: "tea")
                    let response = try await teapot.post("digest", body: form.body())
                    #expect(response.json?.dictionary?["count"] as? Int ?? 0 > size)
                }
            }
        }

        @Test func `a body that is not read takes little memory`() async {
            await #expect(processExitsWith: .success) {
                try await expectLittleMemory { teapot, _ in
                    let bytes = try await teapot.bytes("file/\(size)")
                    var digest = BodyDigest()
                    var iterator = bytes.chunks.makeAsyncIterator()
                    for number in 0... {
                        guard let chunk = try await iterator.next() else { break }
                        chunk.withUnsafeBytes { digest.update($0) }
                        // A slow reader.
                        if number % 20 == 0 { _ = try await teapot.get("get") }
                    }
                    #expect(digest == GeneratedFile.digest(0..<size))
                }
            }
        }
    }

    private let size = 60_000_000

    private func largeFile(in folder: TemporaryFolder) throws -> URL {
        let file = folder.file("body")
        _ = FileManager.default.createFile(atPath: file.path, contents: nil)
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: UInt64(size))
        try handle.close()
        return file
    }

    /// Does something, and compares the peaks of the process's memory before and after.
    private func expectLittleMemory(_ body: (Teapot, TemporaryFolder) async throws -> Void) async throws {
        let server = try LoopbackServer(recordsRequests: false)
        let teapot = Teapot(baseURL: server.baseURL, clock: StoppedClock())
        let folder = try TemporaryFolder()
        try await teapot.download("file/5000000", to: folder.file("warm"))
        let before = try #require(ProcessResources.peakMemory)
        try await body(teapot, folder)
        let after = try #require(ProcessResources.peakMemory)
        #expect(after - before < 30 << 20)
    }
#endif
