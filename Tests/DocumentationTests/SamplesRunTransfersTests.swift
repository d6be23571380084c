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

    private static func answer(_ head: String, _ body: String) -> Script {
        Script([.readRequest, .send("HTTP/1.1 \(head)\r\nConnection: close\r\n\r\n\(body)"), .close])
    }

    private static func whole(_ body: String) -> Script {
        answer("200 OK\r\nContent-Length: \(body.utf8.count)", body)
    }

    @Test func downloads() async throws {
        let server = try LoopbackServer(scripts: [Self.whole("archive")])
        try await TransferSamples.download(Teapot(baseURL: server.baseURL), to: place, show: show)
        #expect(try String(contentsOf: place, encoding: .utf8) == "archive")
        #expect(try names == ["2024.zip"])
        #expect(texts.withLock { $0.last } == "100 %")
    }

    @Test func aFileThatIsThereStays() async throws {
        let server = try LoopbackServer()
        try Data("old".utf8).write(to: place)
        let error = await #expect(throws: TeapotError.self) {
            try await TransferSamples.download(Teapot(baseURL: server.baseURL), to: self.place, show: self.show)
        }
        #expect(error?.type == .fileError)
        #expect(server.requests.isEmpty)
        #expect(try String(contentsOf: place, encoding: .utf8) == "old")
    }

    /// The files after the first call, and the header fields of the second one, are those that the article shows.
    @Test func resumes() async throws {
        let server = try LoopbackServer(scripts: [
            Self.answer("200 OK\r\nContent-Length: 7\r\nETag: \"v1\"", "arch"),
            Self.answer(
                "206 Partial Content\r\nContent-Length: 4\r\nContent-Range: bytes 3-6/7\r\nETag: \"v1\"",
                "hive"
            ),
        ])
        let teapot = Teapot(baseURL: server.baseURL)
        let error = await #expect(throws: TeapotError.self) { try await TransferSamples.resume(teapot, to: self.place) }
        #expect(error?.type == .dataTaskError)
        #expect(try names == ["2024.zip.partial", "2024.zip.partial.json"])
        try await TransferSamples.resume(teapot, to: place)
        #expect(try names == ["2024.zip"])
        #expect(try String(contentsOf: place, encoding: .utf8) == "archive")
        let request = server.requests.last
        #expect(request?.header("Range") == "bytes=3-")
        #expect(request?.header("If-Range") == "\"v1\"")
        #expect(request?.header("Accept-Encoding") == "identity")
    }

    /// The table of the article: what becomes of the part `arch`, whose fourth byte is asked for again.
    @Test(
        arguments: brief(
            [
                (
                    "206 Partial Content\r\nETag: \"v1\"\r\nContent-Range: bytes 3-6/7", "hive", nil,
                    ["2024.zip": "archive"]
                ),
                (
                    "206 Partial Content\r\nETag: \"v1\"\r\nContent-Range: bytes 4-6/7", "ive", nil,
                    ["2024.zip": "whole"]
                ),
                (
                    "206 Partial Content\r\nETag: \"v2\"\r\nContent-Range: bytes 3-6/7", "hive", nil,
                    ["2024.zip": "whole"]
                ),
                ("206 Partial Content\r\nContent-Range: bytes 3-6/7", "hive", nil, ["2024.zip": "whole"]),
                ("200 OK\r\nETag: \"v2\"", "other", nil, ["2024.zip": "other"]),
                ("416 Range Not Satisfiable", "", .invalidResponseStatus, [:]),
                ("503 Service Unavailable", "", .invalidResponseStatus, ["2024.zip.partial": "arch"]),
            ] as [(String, String, TeapotError.ErrorType?, [String: String])]
        )
    )
    func partIsTreatedAsTheTableSays(_ argument: Brief<(String, String, TeapotError.ErrorType?, [String: String])>)
        async throws
    {
        let (head, body, type, files) = argument.value
        let server = try LoopbackServer(scripts: [
            Self.answer("200 OK\r\nContent-Length: 7\r\nETag: \"v1\"", "arch"),
            Self.answer("\(head)\r\nContent-Length: \(body.utf8.count)", body),
            Self.answer("200 OK\r\nContent-Length: 5", "whole"),
        ])
        let teapot = Teapot(baseURL: server.baseURL)
        await #expect(throws: TeapotError.self) { try await TransferSamples.resume(teapot, to: self.place) }
        var error: TeapotError?
        do {
            try await TransferSamples.resume(teapot, to: place)
        } catch let thrown as TeapotError {
            error = thrown
        }
        #expect(error?.type == type)
        let left = try names.filter { !$0.hasSuffix(".json") }
        #expect(left == files.keys.sorted())
        for name in left {
            #expect(try String(contentsOf: folder.appending(path: name), encoding: .utf8) == files[name])
        }
    }

    @Test func aRedirectTakesTheFileAlong() async throws {
        let server = try LoopbackServer(scripts: [
            Self.answer("307 Temporary Redirect\r\nLocation: /anything/there\r\nContent-Length: 0", "")
        ])
        try Data("archive".utf8).write(to: place)
        try await TransferSamples.file(Teapot(baseURL: server.baseURL), file: place)
        #expect(server.requests.map(\.target) == ["/exports/2024.zip", "/anything/there"])
        #expect(server.requests.map(\.body) == [Data("archive".utf8), Data("archive".utf8)])
    }

    @Test func withoutValidatorNothingStays() async throws {
        let server = try LoopbackServer(scripts: [Self.answer("200 OK\r\nContent-Length: 7", "arch")])
        await #expect(throws: TeapotError.self) {
            try await TransferSamples.resume(Teapot(baseURL: server.baseURL), to: self.place)
        }
        #expect(try names.isEmpty)
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

    @Test func sendsTheBodyOfAnotherCall() async throws {
        let (source, archive) = (try LoopbackServer(scripts: [Self.whole("archive")]), try LoopbackServer())
        let copy = Teapot(baseURL: archive.baseURL.appending(path: "anything"))
        try await TransferSamples.copy(Teapot(baseURL: source.baseURL), to: copy)
        #expect(archive.requests.map(\.body) == [Data("archive".utf8)])
        #expect(archive.requests.map { $0.header("Content-Type") } == ["application/zip"])
    }

    @Test func sendsForms() async throws {
        let server = try LoopbackServer()
        let teapot = Teapot(baseURL: server.baseURL.appending(path: "anything"))
        let picture = folder.appending(path: "kettle.png")
        try Data("picture".utf8).write(to: picture)
        try await TransferSamples.form(teapot, picture: picture, show: show)
        let requests = server.requests
        #expect(requests.map(\.path) == ["/anything/notes/1/pictures", "/anything/notes/1/pictures"])
        for request in requests {
            #expect(request.header("Content-Type")?.hasPrefix("multipart/form-data; boundary=") == true)
            let body = String(decoding: request.body, as: UTF8.self)
            #expect(body.contains("name=\"title\"\r\n\r\nThe old kettle\r\n"))
            #expect(body.contains("name=\"picture\"; filename=\"kettle.png\""))
        }
        let size = try #require(requests.last).body.count
        #expect(texts.withLock { $0.last } == "\(size) of \(size) bytes")
    }

    @Test func readsLinesAndChunks() async throws {
        let server = try LoopbackServer(scripts: [Self.whole("one\r\n\ntwo"), Self.whole("archive")])
        let teapot = Teapot(baseURL: server.baseURL)
        try await TransferSamples.lines(teapot, show: show)
        #expect(texts.withLock { $0 } == ["one", "", "two"])
        #expect(try await TransferSamples.chunks(teapot) == 7)
    }
}
