import Teapot
import TeapotMock
import TestTraits
import Testing

/// The samples of pagination do what the page says of them.
@Suite(.inTurn)
struct SamplesRunPaginationTests {
    private typealias Issue = PaginationSamples.Issue

    private let samples = PaginationSamples()
    private let mock = MockTeapot(strictIn: .module)
    private let first = Issue(title: "A leak")
    private let second = Issue(title: "No handle")
    private var shown: [String] { samples.shown.withLock { $0 } }

    private func declarePages() throws {
        let fields = ["Link": "<?page=2>; rel=\"next\"", "X-Total-Count": "2"]
        try mock.overrideEndPoint(
            "issues",
            withSequence: [
                .encoding([first], headerFields: fields), .encoding([second], headerFields: ["X-Total-Count": "2"]),
            ]
        )
    }

    @Test func `pages come with their responses`() async throws {
        try declarePages()
        #expect(try await samples.links(mock) == [first, second])
        #expect(shown == ["1 of 2", "2 of 2"])
        #expect(mock.requests.map { $0.url.query() } == ["state=open", "page=2"])
    }

    @Test func `pages are read by their cursors`() async throws {
        typealias Page = PaginationSamples.IssuePage
        let pages = [Page(items: [first], nextCursor: "a b"), Page(items: [second], nextCursor: nil)]
        try mock.overrideEndPoint("issues", withSequence: pages.map { page in try .encoding(page) })
        try await samples.cursors(mock)
        #expect(shown == ["A leak", "No handle"])
        #expect(mock.requests.map { $0.url.query() } == [nil, "cursor=a%20b"])
    }

    @Test func `links and locations are resolved`() async throws {
        try mock.overrideEndPoint("issues/1", with: .status(.ok, headerFields: ["Link": "</users/7>; rel=author"]))
        try mock.overrideEndPoint("users/7", with: .data(Data("Jane".utf8), contentType: "text/plain"))
        try await samples.author(mock)
        try mock.overrideEndPoint(
            "issues",
            method: .post,
            with: .status(.created, headerFields: ["Location": "/issues/2"])
        )
        try mock.overrideEndPoint("issues/2", with: .encoding(second))
        try await samples.location(mock, issue: second)
        #expect(shown == ["Jane", "No handle"])
    }

    @Test func `a mock answers with pages`() async throws {
        #expect(try await samples.mocked(mock, first, second) == ["A leak", "No handle"])
        #expect(mock.requests.count == 3)
    }
}
