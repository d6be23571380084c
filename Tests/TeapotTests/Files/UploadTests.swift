import Foundation
import LoopbackServer
import Teapot
import TestSupport
import TestTraits
import Testing

/// Bodies from files, against a server and against a transport that a test controls.
@Suite(.inTurn, .exitTests)
struct UploadTests {
    private let folder: TemporaryFolder
    private let server: LoopbackServer
    private let teapot: Teapot

    init() throws {
        folder = try TemporaryFolder()
        server = try LoopbackServer()
        teapot = Teapot(baseURL: server.baseURL, defaultDeliveryQueue: DispatchQueue(label: "delivery"))
    }

    /// A file with generated content.
    private func file(_ size: Int) throws -> URL {
        let file = folder.file("body")
        try GeneratedFile.bytes(0..<size).write(to: file)
        return file
    }

    @Test(arguments: [3, 300_000]) func `a file behind a symbolic link is sent whole`(size: Int) async throws {
        let link = folder.file("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file(size))
        let response = try await teapot.upload(Teapot.Request(.post, path: "digest", body: .file(link)))
        #expect(response.json?.dictionary?["digest"] as? String == GeneratedFile.digest(0..<size).text)
    }

    @Test func `uploads that are cancelled at any moment do not end the process`() async {
        await #expect(processExitsWith: .success) {
            let server = try LoopbackServer(recordsRequests: false)
            let teapot = Teapot(baseURL: server.baseURL)
            let folder = try TemporaryFolder()
            let file = folder.file("body")
            try Data(count: 300_000).write(to: file)
            for number in 0..<40 {
                let task = Task { _ = try? await teapot.upload(Teapot.Request(.put, path: "put", body: .file(file))) }
                for _ in 0..<number % 40 * 10 { await Task.yield() }
                task.cancel()
                await task.value
            }
            // There are six connections, so that this one waits for those.
            try await teapot.upload(
                Teapot.Request(.put, path: "put", body: .file(file)).with { $0.timeoutInterval = .infinity }
            )
        }
    }

    @Test func `the transport is given the file, not its bytes, unless a redirect drops it`() async throws {
        let transport = ManualTransport { hop in
            hop.request.url?.path() == "/post" ? hop.answer(303, headers: ["Location": "/get"]) : hop.answer(200)
        }
        let teapot = Teapot(baseURL: server.baseURL, transport: transport)
        let file = try file(10)
        try await teapot.upload(Teapot.Request(.post, path: "post", body: .file(file)))
        #expect(transport.hops.map(\.bodyFile) == [file, nil])
        #expect(transport.hops.allSatisfy { $0.request.httpBody == nil })
    }

    @Test func `the caller's task knows how much there is to send`() async throws {
        let transport = ManualTransport()
        let teapot = Teapot(baseURL: server.baseURL, transport: transport)
        let request = Teapot.Request(.post, path: "x", body: .file(try file(1_234)))
        let task = teapot.send(request) { _ in }
        #expect(task?.countOfBytesExpectedToSend == 1_234)
        transport.hops.first?.report(.sent(1_000))
        #expect(task?.countOfBytesSent == 1_000)
        task?.cancel()
    }

    @Test func `the log shows the size, and no byte`() async throws {
        let entries = Locked<[String]>([])
        teapot.logger = Logger(level: .incomingAndOutgoingData) { entry in entries.withLock { $0.append(entry) } }
        try await teapot.upload(Teapot.Request(.post, path: "digest", body: .file(try file(70_000))))
        #expect(entries.withLock { $0.first }?.hasSuffix("\n    (70000 bytes of a file)") == true)
    }

    @Test func `a body from a sequence is shown as one`() async throws {
        let (entries, lines) = (Locked<[String]>([]), Locked<[String]>([]))
        teapot.logger = Logger(level: .incomingAndOutgoingData) { entry in entries.withLock { $0.append(entry) } }
        teapot.plugins = [Lines(lines: lines)]
        for length in [nil, 3] {
            let pieces = AsyncStream<Data> { stream in
                stream.yield(Data("tea".utf8))
                stream.finish()
            }
            try await teapot.send(Teapot.Request(.post, path: "post", body: .stream(pieces, length: length)))
        }
        let shown = entries.withLock { $0 }.filter { $0.contains("→") }
        #expect(shown.first?.hasSuffix("\n    (an AsyncSequence)") == true)
        #expect(shown.last?.hasSuffix("\n    (3 bytes of an AsyncSequence)") == true)
        #expect(lines.withLock { $0 }.allSatisfy { $0.hasSuffix(" --data-binary @-") })
    }

    private struct Lines: Teapot.Plugin {
        let lines: Locked<[String]>

        func willSend(_ request: Teapot.SentRequest) { lines.withLock { $0.append(request.curlCommand()) } }
    }

    @Test func `a form with a file is sent from a temporary file, which is then removed`() async throws {
        let transport = ManualTransport { $0.answer(200) }
        let teapot = Teapot(baseURL: server.baseURL, transport: transport)
        var form = MultipartFormData()
        form.append(file: try file(100_000), name: "file")
        try await teapot.send(Teapot.Request(.post, path: "x", body: form.body()))
        let sent = try #require(transport.hops.first?.bodyFile)
        #expect(sent != folder.file("body"))
        #expect(!FileManager.default.fileExists(atPath: sent.path))
    }
}
