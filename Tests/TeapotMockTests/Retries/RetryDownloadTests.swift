import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// Downloads that break off, and are resumed by the retry policy.
@Suite(.inTurn)
struct RetryDownloadTests {
    private static func text(_ text: String, status: Int = 200, range: String? = nil) -> MockResponse {
        let fields = ["ETag": #""v1""#, "Content-Range": range].compactMapValues(\.self)
        return .data(Data(text.utf8), contentType: "text/plain", status: .init(rawValue: status), headerFields: fields)
    }

    static let answers: [(resumes: Bool, answers: [MockResponse], ranges: [String?])] = [
        (false, [text("Earl Gr").breakingOff(), .status(503), text("Earl Grey")], [nil, nil, nil]),
        (
            true,
            [
                text("Earl ").breakingOff(),
                text(" G", status: 206, range: "bytes 4-8/9").breakingOff(),
                text("Grey", status: 206, range: "bytes 5-8/9"),
            ],
            [nil, "bytes=4-", "bytes=5-"]
        ),
        // The server no longer has what it continued.
        (
            true,
            [
                text("Oolong").breakingOff(), text("g!", status: 206, range: "bytes 5-6/7").breakingOff(),
                text("Earl Grey"),
            ],
            [nil, "bytes=5-", "bytes=6-"]
        ),
    ]

    @Test(arguments: brief(answers.indices) { "\(answers[$0].ranges.map { $0 ?? "whole" })" })
    func `a download starts over, or continues where it broke off`(row: Brief<Int>) async throws {
        let (resumes, answers, ranges) = Self.answers[row.value]
        let (clock, folder) = (TestClock(), try TemporaryFolder())
        let mock = MockTeapot(strictIn: .module, clock: clock)
        mock.retryPolicy = RetryPolicy.steady()
        try mock.overrideEndPoint("tea", withSequence: answers, afterLast: .fails)
        async let response = mock.download("tea", to: folder.file("tea.txt"), resumes: resumes)
        for _ in answers.dropFirst() { await clock.advanceToNext() }
        _ = try await response
        #expect(mock.requests.map { $0.headerFields["Range"] } == ranges)
        #expect(folder.text("tea.txt") == "Earl Grey")
        #expect(folder.names == ["tea.txt"])
    }
}
