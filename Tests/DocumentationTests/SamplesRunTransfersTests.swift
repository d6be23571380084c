import LoopbackServer
import Teapot
import TestTraits
import Testing

/// The samples of transfers do what the pages say of them.
@Suite(.inTurn)
final class SamplesRunTransfersTests: Sendable {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "Samples-\(UUID().uuidString)")
    private let texts = Locked<[String]>([])

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    private var place: URL { folder.appending(path: "2024.zip") }
    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    @Sendable private func show(_ text: String) {
        texts.withLock { $0.append(text) }
    }

    private static func whole(_ body: String) -> Script {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n"
        return Script([.readRequest, .send(head + body), .close])
    }

    @Test func downloads() async throws {
        let server = try LoopbackServer(scripts: [Self.whole("archive")])
        try await TransferSamples.download(Teapot(baseURL: server.baseURL), to: place, show: show)
        #expect(try String(contentsOf: place, encoding: .utf8) == "archive")
        #expect(try names == ["2024.zip"])
        #expect(texts.withLock { $0.last } == "100 %")
    }

    @Test func uploads() async throws {
        let server = try LoopbackServer()
        let teapot = Teapot(baseURL: server.baseURL.appending(path: "anything"))
        try Data("archive".utf8).write(to: place)
        try await TransferSamples.upload(teapot, file: place, show: show)
        try await TransferSamples.file(teapot, file: place)
        #expect(server.requests.map(\.method) == ["POST", "PUT"])
        #expect(server.requests.map(\.body) == [Data("archive".utf8), Data("archive".utf8)])
        #expect(server.requests.map { $0.header("Content-Type") } == ["application/zip", "application/zip"])
        #expect(texts.withLock { $0.last } == "7 of 7 bytes")
    }

    @Test func readsLinesAndChunks() async throws {
        let server = try LoopbackServer(scripts: [Self.whole("one\r\n\ntwo"), Self.whole("archive")])
        let teapot = Teapot(baseURL: server.baseURL)
        try await TransferSamples.lines(teapot, show: show)
        #expect(texts.withLock { $0 } == ["one", "", "two"])
        #expect(try await TransferSamples.chunks(teapot) == 7)
    }
}
