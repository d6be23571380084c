import Foundation
import LoopbackServer
import Teapot
import TeapotCurl
import TestSupport
import TestTraits
import Testing

#if os(Linux)
    /// The memory of large transfers. Each has a process of its own, whose peak is compared before and after; the server is in it,
    /// too, and keeps no body either.
    @Suite(.firstInTurn, .exitTests)
    struct TransferResourceTests {
        enum Engine: Codable, CaseIterable {
            case urlSession, curl

            var transport: any Transport { self == .curl ? CurlTransport() : URLSessionTransport() }
        }

        @Test(arguments: Engine.allCases)
        func `a file takes little memory on its way down and up again, and in a form`(engine: Engine) async {
            await #expect(processExitsWith: .success) { [engine = engine as Engine] in
                try await expectLittleMemory(engine) { teapot, folder in
                    let file = folder.file("tea")
                    try await teapot.download("file/\(size)", to: file)
                    let answer = try await teapot.upload(Teapot.Request(.post, path: "digest", body: .file(file))).json?
                        .dictionary
                    let digest = GeneratedFile.digest(0..<size)
                    #expect(answer?["count"] as? Int == size)
                    #expect(answer?["digest"] as? String == digest.text)
                    var form = MultipartFormData()
                    form.append(file: file, name: "tea")
                    let response = try await teapot.send(Teapot.Request(.post, path: "digest", body: form.body()))
                    #expect(response.json?.dictionary?["count"] as? Int ?? 0 > size)
                }
            }
        }

        @Test(arguments: Engine.allCases)
        func `a body that is not read takes little memory`(engine: Engine) async {
            await #expect(processExitsWith: .success) { [engine = engine as Engine] in
                try await expectLittleMemory(engine) { teapot, _ in
                    let bytes = try await teapot.bytes("file/\(size)")
                    var digest = BodyDigest()
                    var iterator = bytes.makeAsyncIterator()
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

    private let size = 40_000_000

    /// Does something, and compares the peaks of the process's memory before and after.
    private func expectLittleMemory(
        _ engine: TransferResourceTests.Engine,
        _ body: (Teapot, TemporaryFolder) async throws -> Void
    ) async throws {
        let server = try LoopbackServer(recordsRequests: false)
        let teapot = Teapot(baseURL: server.baseURL, transport: engine.transport, clock: StoppedClock())
        let folder = try TemporaryFolder()
        try await teapot.download("file/5000000", to: folder.file("warm"))
        let before = try #require(ProcessResources.peakMemory)
        try await body(teapot, folder)
        let after = try #require(ProcessResources.peakMemory)
        #expect(after - before < 30 << 20)
    }
#endif
