import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// Downloads, uploads and streamed bodies, whatever answers.
@Suite(.inTurn)
struct TransferContractTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The progress that was reported.
    private final class Meter: Sendable {
        private let reports = Locked<[Teapot.TransferProgress]>([])

        var report: @Sendable (Teapot.TransferProgress) -> Void {
            { progress in self.reports.withLock { $0.append(progress) } }
        }

        var all: [Teapot.TransferProgress] { reports.withLock { $0 } }
    }

    private func content(_ name: String) -> Data? { try? Data(contentsOf: folder.file(name)) }

    /// Lines that are JSON objects, or else the bytes: httpbin repeats the request's header fields, whose order may be another.
    private static func lines(_ data: Data) -> [AnyHashable] {
        let lines = data.split(separator: UInt8(ascii: "\n")).map { line in
            (try? JSONSerialization.jsonObject(with: line)) as? NSDictionary
        }
        return lines.contains(nil) ? [data] : lines.compactMap(\.self)
    }

    // MARK: - Downloads

    @Test(arguments: Backend.available, ["range/50000", "stream/20", "image/png", "gzip"])
    func `a download is the body of the response`(backend: Backend, path: String) async throws {
        let teapot = try backend.teapot(file: "contract-image.png")
        guard path != "gzip" || backend.acceptsCodings else {
            let error = await thrown { () throws(TeapotError) in
                try await teapot.download("gzip", to: folder.file("tea"))
            }
            #expect(error?.code == .cannotDecodeContentData)
            return #expect(folder.names.isEmpty)
        }
        let meter = Meter()
        let response = try await teapot.download(
            Teapot.Request(path: Teapot.Path(path)),
            to: folder.file("tea"),
            progress: meter.report
        )
        #expect(response.status == 200)
        #expect(response.data.isEmpty)
        let expected = try await teapot.get(Teapot.Path(path)).data
        #expect(expected.isEmpty == false)
        #expect(try Self.lines(#require(content("tea"))) == Self.lines(expected))
        #expect(folder.names == ["tea"])
        #expect(meter.all.last?.bytes == expected.count)
    }

    /// A limit breaks the first download off; httpbin's entity tag has no quotation marks.
    @Test(arguments: Backend.servers)
    func `an interrupted download resumes`(backend: Backend) async throws {
        let teapot = try backend.teapot()
        let expected = try await teapot.get("range/100000").data
        #expect(expected.count == 100_000)
        teapot.maximumResponseSize = 60_000
        let error = await thrown { () throws(TeapotError) in
            try await teapot.download("range/100000", to: folder.file("tea"), resumes: true)
        }
        #expect(error?.type == .responseTooLarge)
        #expect(folder.names == ["tea.partial", "tea.partial.json"])
        let part = try #require(content("tea.partial"))
        #expect((1...60_000).contains(part.count))
        #expect(expected.starts(with: part))

        teapot.maximumResponseSize = nil
        let meter = Meter()
        let response = try await teapot.download(
            "range/100000",
            to: folder.file("tea"),
            resumes: true,
            progress: meter.report
        )
        #expect(response.status == 206)
        #expect(content("tea") == expected)
        #expect(folder.names == ["tea"])
        #expect(meter.all.last == Teapot.TransferProgress(bytes: 100_000, expectedBytes: 100_000))
        #expect(meter.all.first.map { $0.bytes >= part.count - 1 } == true)
    }

    // MARK: - Uploads

    @Test(arguments: Backend.available, [Teapot.HTTPMethod.post, .put, .patch])
    func `an upload sends the file`(backend: Backend, method: Teapot.HTTPMethod) async throws {
        let teapot = try backend.teapot(file: "contract-object")
        let text = String(repeating: "tea and ", count: 10_000)
        try folder.write(text, to: "tea")
        let meter = Meter()
        let response = try await teapot.upload(
            Teapot.Request(
                method,
                path: Teapot.Path(method.rawValue.lowercased()),
                body: .file(folder.file("tea"), contentType: "text/x-tea")
            ),
            progress: meter.report
        )
        #expect(response.status == 200)
        #expect(meter.all.allSatisfy { $0.expectedBytes == 80_000 })
        #expect(meter.all.last?.bytes == 80_000)
        guard backend != .mock else { return }
        let echo = try response.decode(AsyncContractTests.Echo.self)
        #expect(echo.data == text)
        #expect(echo.headers["Content-Type"] == "text/x-tea")
        #expect(echo.headers["Content-Length"] == "80000")
    }

    @Test(arguments: Backend.servers, ["307", "308"])
    func `an upload over a redirect sends the file again`(backend: Backend, status: String) async throws {
        let teapot = try backend.teapot()
        try folder.write("tea", to: "tea")
        let path = "redirect-to?url=/anything/there&status_code=\(status)"
        let response = try await teapot.upload(
            Teapot.Request(.post, path: Teapot.Path(path), body: .file(folder.file("tea")))
        )
        let echo = try response.decode(AsyncContractTests.Echo.self)
        #expect(response.http.url?.path() == "/anything/there")
        #expect(echo.data == "tea")
        #expect(echo.headers["Content-Type"] == "application/octet-stream")
    }

    // MARK: - Streams

    @Test(arguments: Backend.available, ["range/30000", "stream/20"])
    func `the pieces make up the body`(backend: Backend, path: String) async throws {
        let teapot = try backend.teapot(file: "contract-image.png")
        let expected = try await teapot.get(Teapot.Path(path)).data
        #expect(expected.isEmpty == false)
        let pieces = try await teapot.bytes(Teapot.Request(path: Teapot.Path(path)))
        #expect(pieces.status == 200)
        var whole = Data()
        for try await piece in pieces {
            #expect(piece.isEmpty == false)
            whole += piece
        }
        #expect(Self.lines(whole) == Self.lines(expected))
    }

    @Test(arguments: Backend.servers)
    func `a stream that nobody reads is released`(backend: Backend) async throws {
        let teapot = try backend.teapot()
        for try await line in try await teapot.bytes("stream/50").lines {
            #expect(line.hasPrefix("{"))
            break
        }
        #expect(try await teapot.get("get").status == 200)
    }
}
