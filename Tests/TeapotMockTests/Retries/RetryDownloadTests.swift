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
}
