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

    private struct Digest: Decodable, Equatable {
        let count: Int
        let digest: String
    }

    /// A file with generated content.
    private func file(_ size: Int) throws -> URL {
        let file = folder.file("body")
        try GeneratedFile.bytes(0..<size).write(to: file)
        return file
    }

    @Test(arguments: [0, 1, 65_536, 5_000_000]) func `a file is sent byte for byte`(size: Int) async throws {
        let steps = Locked<[TransferProgress]>([])
        let response = try await teapot.upload("digest", fromFile: try file(size), method: .put) { step in
            steps.withLock { $0.append(step) }
        }
        #expect(try response.decode() == Digest(count: size, digest: GeneratedFile.digest(0..<size).text))
        let request = try #require(server.requests.first)
        #expect(request.method == "PUT")
        #expect(request.header("Content-Type") == "application/octet-stream")
        #expect(request.header("Content-Length") == "\(size)")
        #expect(request.header("Transfer-Encoding") == nil)
        #expect(steps.withLock { $0.last } == TransferProgress(bytes: size, expectedBytes: size))
    }

    @Test(arguments: [3, 300, 300_000]) func `a file behind a symbolic link is sent whole`(size: Int) async throws {
        let link = folder.file("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file(size))
        let response = try await teapot.upload("digest", fromFile: link)
        #expect(try response.decode() == Digest(count: size, digest: GeneratedFile.digest(0..<size).text))
    }

    @Test func `the caller sets the content type`() async throws {
        let file = try file(10)
        try await teapot.upload("post", fromFile: file, contentType: "image/x-tea")
        try await teapot.upload("post", fromFile: file, headerFields: ["Content-Type": "text/x-tea"])
        try await teapot.post("post", body: Teapot.Request.Body(file: file, contentType: "image/x-tea"))
        #expect(server.requests.map { $0.header("Content-Type") } == ["image/x-tea", "text/x-tea", "image/x-tea"])
    }

    @Test func `every shape of call takes a file`() async throws {
        let request = Teapot.Request(.post, path: "digest", body: Teapot.Request.Body(file: try file(100_000)))
        let responses = [
            try await teapot.send(request),
            try await outcome(of: request, from: teapot).get(),
            try await Task.detached { [teapot] in try wait(for: request, from: teapot) }.value,
        ]
        for response in responses {
            #expect(try response.decode(Digest.self).digest == GeneratedFile.digest(0..<100_000).text)
        }
    }

    @Test(arguments: [(307, "POST"), (308, "POST"), (302, "GET"), (303, "GET")])
    func `a redirect sends the file again or drops it`(status: Int, method: String) async throws {
        let query: QueryItems = ["url": "/anything", "status_code": "\(status)"]
        let response = try await teapot.upload("redirect-to", fromFile: try file(70_000), query: query)
        let last = try #require(server.requests.last)
        #expect(response.json?.dictionary?["method"] as? String == method)
        #expect(last.body.count == (method == "POST" ? 70_000 : 0))
    }

    @Test func `a 401 with a challenge reaches the caller`() async throws {
        let script = Script([
            .readRequest,
            .send(
                "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"tea\"\r\nContent-Length: 2\r\n\r\nno"
            ),
        ])
        server.run(script)
        let error = await thrown { [file = try file(300_000)] () throws(TeapotError) in
            try await teapot.upload("post", fromFile: file)
        }
        #expect(error?.responseStatus == 401)
        #expect(error?.data == Data("no".utf8))
    }

    @Test func `an upload is cancelled with its task`() async throws {
        server.run(Script([.stall]))
        let file = try file(20_000_000)
        let isUnderWay = Signal()
        let task = Task {
            await thrown { [teapot] () throws(TeapotError) in
                try await teapot.upload("post", fromFile: file, timeoutInterval: .infinity) { step in
                    if step.bytes > 0 { isUnderWay.fire() }
                }
            }
        }
        await isUnderWay.wait()
        task.cancel()
        #expect(await task.value?.type == .cancelled)
        // The connection goes with it.
        await server.scriptsFinished(1)
    }

    @Test func `uploads that are cancelled at any moment do not end the process`() async {
        await #expect(processExitsWith: .success) {
            let server = try LoopbackServer(recordsRequests: false)
            let teapot = Teapot(baseURL: server.baseURL)
            let folder = try TemporaryFolder()
            let file = folder.file("body")
            try Data(count: 300_000).write(to: file)
            for number in 0..<40 {
                let task = Task { _ = try? await teapot.upload("put", fromFile: file, method: .put) }
                for _ in 0..<number % 40 * 10 { await Task.yield() }
                task.cancel()
                await task.value
            }
            // There are six connections, so that this one waits for those.
            try await teapot.upload("put", fromFile: file, method: .put, timeoutInterval: .infinity)
        }
    }

    @Test(arguments: ["missing", "folder", "fifo"])
    func `a missing or irregular file is an error, and nothing is sent`(name: String) async throws {
        let url = folder.file(name)
        if name == "folder" { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false) }
        if name == "fifo" { try #require(mkfifo(url.path, 0o600) == 0) }
        let error = await thrown { () throws(TeapotError) in try await teapot.upload("post", fromFile: url) }
        #expect(error?.type == .fileError)
        #expect(error?.failureReason?.hasPrefix(url.path) == true)
        let web = try #require(URL(string: "https://example.com/tea"))
        let webError = await thrown { () throws(TeapotError) in try await teapot.upload("post", fromFile: web) }
        #expect(webError?.type == .fileError)
        #expect(server.requests.isEmpty)
    }

    @Test func `a GET cannot have a file as its body`() async throws {
        let error = await thrown { [file = try file(1)] () throws(TeapotError) in
            try await teapot.upload("get", fromFile: file, method: .get)
        }
        #expect(error?.type == .invalidPayload)
        #expect(server.requests.isEmpty)
    }

    @Test func `the transport is given the file, not its bytes`() async throws {
        let transport = ManualTransport { $0.answer(200) }
        let teapot = Teapot(baseURL: server.baseURL, transport: transport)
        let file = try file(10)
        try await teapot.upload("post", fromFile: file)
        #expect(transport.hops.first?.bodyFile == file)
        #expect(transport.hops.first?.request.httpBody == nil)
    }

    @Test func `the caller's task knows how much there is to send`() async throws {
        let transport = ManualTransport()
        let teapot = Teapot(baseURL: server.baseURL, transport: transport)
        let request = Teapot.Request(.post, path: "x", body: Teapot.Request.Body(file: try file(1_234)))
        let task = teapot.send(request) { _ in }
        #expect(task?.countOfBytesExpectedToSend == 1_234)
        transport.hops.first?.report(.sent(1_000))
        #expect(task?.countOfBytesSent == 1_000)
        task?.cancel()
    }

    @Test func `the log shows the size, and no byte`() async throws {
        let entries = Locked<[String]>([])
        teapot.logger = Logger(level: .incomingAndOutgoingData) { entry in entries.withLock { $0.append(entry) } }
        try await teapot.upload("digest", fromFile: try file(70_000))
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
            try await teapot.post("post", body: Teapot.Request.Body(streaming: pieces, length: length))
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
        try await teapot.post("x", body: form.body())
        let sent = try #require(transport.hops.first?.bodyFile)
        #expect(sent != folder.file("body"))
        #expect(!FileManager.default.fileExists(atPath: sent.path))
    }

    @Test func `a form with a file arrives`() async throws {
        var form = MultipartFormData()
        form.append("Earl Grey", name: "kind")
        form.append(file: try file(100_000), name: "leaves", contentType: "application/x-tea")
        let last = Locked<TransferProgress?>(nil)
        let response = try await teapot.upload(Teapot.Request(.post, path: "post", body: form.body())) { step in
            last.withLock { $0 = step }
        }
        let json = try #require(response.json?.dictionary)
        #expect((json["form"] as? [String: Any])?["kind"] as? String == "Earl Grey")
        #expect((json["files"] as? [String: Any])?.keys.sorted() == ["leaves"])
        let progress = try #require(last.withLock { $0 })
        #expect(progress.bytes == progress.expectedBytes)
        #expect(progress.bytes > 100_000)
    }
}

/// From a function that is not async, as scripts have them.
private func wait(for request: Teapot.Request, from teapot: Teapot) throws(TeapotError) -> Teapot.Response {
    try teapot.sendAndWait(request)
}
