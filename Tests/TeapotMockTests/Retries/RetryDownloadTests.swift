import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// Downloads that break off, and go on by themselves.
@Suite(.inTurn)
struct RetryDownloadTests {
    private let clock = TestClock()
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func download(resumes: Bool, answers: [MockResponse]) async throws -> (MockTeapot, Teapot.Response) {
        let mock = MockTeapot(strictIn: .module, clock: clock)
        mock.retryPolicy = RetryPolicy.steady()
        try mock.overrideEndPoint("tea", withSequence: answers, afterLast: .fails)
        let file = folder.file("tea.txt")
        async let response = mock.download("tea", to: file, resumes: resumes)
        for _ in answers.dropFirst() { await clock.advanceToNext() }
        return (mock, try await response)
    }

    private func text(_ text: String, status: Int = 200, _ fields: [String: String] = [:]) -> MockResponse {
        .data(Data(text.utf8), contentType: "text/plain", status: .init(rawValue: status), headerFields: fields)
    }

    @Test func `a download that cannot be resumed starts over`() async throws {
        let answers = [text("Earl Gr").breakingOff(), .status(503), text("Earl Grey")]
        let (mock, _) = try await download(resumes: false, answers: answers)
        #expect(mock.requests.allSatisfy { $0.headerFields["Range"] == nil })
        #expect(try String(contentsOf: folder.file("tea.txt"), encoding: .utf8) == "Earl Grey")
        #expect(folder.names == ["tea.txt"])
    }

    @Test func `a resumable download continues where it broke off`() async throws {
        let tag = ["ETag": #""v1""#]
        let (mock, _) = try await download(
            resumes: true,
            answers: [
                text("Earl ", tag).breakingOff(),
                text(" G", status: 206, tag.merging(["Content-Range": "bytes 4-8/9"]) { $1 }).breakingOff(),
                text("Grey", status: 206, tag.merging(["Content-Range": "bytes 5-8/9"]) { $1 }),
            ]
        )
        #expect(mock.requests.map { $0.headerFields["Range"] } == [nil, "bytes=4-", "bytes=5-"])
        #expect(mock.requests.map { $0.headerFields["If-Range"] } == [nil, #""v1""#, #""v1""#])
        #expect(try String(contentsOf: folder.file("tea.txt"), encoding: .utf8) == "Earl Grey")
        #expect(folder.names == ["tea.txt"])
    }

    @Test func `a download without a validator starts over`() async throws {
        let (mock, _) = try await download(resumes: true, answers: [text("Earl ").breakingOff(), text("Earl Grey")])
        #expect(mock.requests.map { $0.headerFields["Range"] } == [nil, nil])
        #expect(try String(contentsOf: folder.file("tea.txt"), encoding: .utf8) == "Earl Grey")
    }

    @Test func `a file that changed after a part is downloaded whole`() async throws {
        let part = ["ETag": #""v1""#, "Content-Range": "bytes 4-8/9"]
        let (_, _) = try await download(
            resumes: true,
            answers: [
                text("Earl ", ["ETag": #""v1""#]).breakingOff(), text(" G", status: 206, part).breakingOff(),
                text("Darjeeling", ["ETag": #""v2""#]),
            ]
        )
        #expect(folder.text("tea.txt") == "Darjeeling")
    }

    @Test func `an unrequested part is not appended`() async throws {
        let part = text(" Grey", status: 206, ["Content-Range": "bytes 4-8/9"])
        await #expect(throws: TeapotError.self) {
            _ = try await download(resumes: true, answers: [text("Earl ").breakingOff(), part])
        }
        #expect(folder.names.isEmpty)
    }

    @Test func `a file that changed between attempts is downloaded whole`() async throws {
        let (mock, _) = try await download(
            resumes: true,
            answers: [
                text("Earl ", ["ETag": #""v1""#]).breakingOff(), text("Dar", ["ETag": #""v2""#]).breakingOff(),
                text("Darjeeling", ["ETag": #""v3""#]),
            ]
        )
        #expect(mock.requests.map { $0.headerFields["If-Range"] } == [nil, #""v1""#, #""v2""#])
        #expect(try String(contentsOf: folder.file("tea.txt"), encoding: .utf8) == "Darjeeling")
        #expect(folder.names == ["tea.txt"])
    }

    /// A file of so many bytes, of which each response brings the next two, after the last one that is there.
    private func pieces(of size: Int) -> [MockResponse] {
        let tag = ["ETag": #""v1""#]
        let rest = stride(from: 1, to: size - 1, by: 1).map { offset in
            let range = ["Content-Range": "bytes \(offset)-\(size - 1)/\(size)"]
            let piece = text("xx", status: 206, tag.merging(range) { $1 })
            return offset + 2 < size ? piece.breakingOff() : piece
        }
        return [text("xx", tag).breakingOff()] + rest
    }

    @Test func `attempts are counted anew after each piece`() async throws {
        let (mock, response) = try await download(resumes: true, answers: pieces(of: 12))
        #expect(mock.requests.count == 11)
        #expect(response.status == 206)
        #expect(folder.text("tea.txt") == String(repeating: "x", count: 12))
    }

    @Test func `attempts that bring nothing new count`() async throws {
        let range = ["ETag": #""v1""#, "Content-Range": "bytes 1-8/9"]
        let same = text("x", status: 206, range).breakingOff()
        let mock = MockTeapot(strictIn: .module, clock: clock)
        mock.retryPolicy = RetryPolicy.steady()
        try mock.overrideEndPoint("tea", withSequence: [text("xx", ["ETag": #""v1""#]).breakingOff(), same])
        let file = folder.file("tea.txt")
        let call = Task {
            await thrown { () throws(TeapotError) in try await mock.download("tea", to: file, resumes: true) }
        }
        for _ in 0..<2 { await clock.advanceToNext() }
        let error = await call.value
        #expect(error?.type == .dataTaskError)
        // The first brought something, so that three more may follow it: its own attempt counts as the first of three.
        #expect(mock.requests.count == 3)
        #expect(error?.attempts == 3)
    }
}
