import Foundation
import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

@Suite(.inTurn)
struct PagesTests {
    private struct Page: Codable, Sendable {
        var items: [Int]
        var cursor: String?
    }

    private let mock = MockTeapot(strictIn: .module)

    /// Reads all pages, and the error that ended them; a third call of `next` returns nothing in any case.
    private func read<Value>(
        _ pages: Teapot.Elements<Teapot.Page<Value>>
    ) async -> (pages: [Value], error: TeapotError?) {
        var values: [Value] = []
        var iterator = pages.makeAsyncIterator()
        do throws(TeapotError) {
            while let page = try await iterator.next() { values.append(page.value) }
            return (values, nil)
        } catch {
            let rest = try? await iterator.next()
            #expect(rest == nil)
            return (values, error)
        }
    }

    private static func answer(_ number: String, link: String?) throws -> MockResponse {
        try .encoding([Int(number) ?? 0], headerFields: link.map { ["Link": $0] } ?? [:])
    }

    /// Three pages of a number each.
    private func declarePages(_ link: @escaping @Sendable (Int) -> String = { "<?page=\($0)&all>; rel=\"next\"" })
        throws
    {
        try mock.overrideEndPoint("issues") { request in
            let number = Int(request.query.items.first { $0.name == "page" }?.value ?? "") ?? 1
            return try Self.answer("\(number)", link: number < 3 ? link(number + 1) : nil)
        }
    }

    // MARK: - Links

    @Test(arguments: [
        "<?page=PAGE>; rel=\"next\"", "</issues?page=PAGE>; rel=next, </issues?page=3>; rel=last",
        "<https://mock.base.url.com/issues?page=PAGE>; rel=\"prefetch next\"",
        "<HTTPS://MOCK.base.url.com:443/issues?page=PAGE>; rel=next",
    ])
    func `links are followed to the last page`(link: String) async throws {
        try declarePages { link.replacing("PAGE", with: "\($0)") }
        mock.plugins = [Credential.bearer("secret")]
        let pages = mock.pages(
            Teapot.Request(
                path: "issues",
                query: ["per": "1"],
                headerFields: ["X-A": "1"]
            ),
            as: [Int].self
        )
        for _ in 1...2 {
            let (values, error) = await read(pages)
            #expect(values == [[1], [2], [3]])
            #expect(error == nil)
        }
        #expect(mock.requests.count == 6)
        #expect(mock.requests.prefix(3).map { $0.url.query() } == ["per=1", "page=2", "page=3"])
        #expect(
            mock.requests.allSatisfy {
                $0.headerFields["X-A"] == "1" && $0.headerFields["Accept"] == "application/json"
                    && $0.headerFields["Authorization"] != nil
            }
        )
    }

    @Test(arguments: [(0, 0), (-1, 0), (1, 1), (2, 2), (3, 3), (4, 3), (nil, 3)] as [(Int?, Int)])
    func `there are as many pages as asked for`(maximum: Int?, count: Int) async throws {
        try declarePages()
        let (values, error) = await read(mock.pages("issues", as: [Int].self, maximumPages: maximum))
        #expect(values.count == count && error == nil)
        #expect(mock.requests.count == count)
    }

    @Test(arguments: [
        "https://other.example/issues?page=2", "//other.example/issues", "http://mock.base.url.com/issues?page=2",
        "https://mock.base.url.com:8443/issues",
    ])
    func `another origin is an error, and gets nothing`(url: String) async throws {
        try declarePages { _ in "<\(url)>; rel=next" }
        mock.plugins = [Credential.bearer("secret")]
        let (values, error) = await read(mock.pages("issues", as: [Int].self))
        #expect(values == [[1]])
        #expect(error?.type == .invalidRequestPath)
        #expect(error?.failureReason == "the URL has a different origin than the base URL")
        #expect(mock.requests.count == 1)
    }

    @Test func `a base URL of the request's own bounds its links`() async throws {
        try declarePages { _ in "<?page=3>; rel=next" }
        let request = Teapot.Request(path: "https://mock.base.url.com/issues")
        let (values, error) = await read(mock.pages(request, as: [Int].self))
        #expect(values == [[1], [3]] && error == nil)
    }

    @Test(arguments: [("<?page=1>", 2, 2), ("<>", 1, 1), ("<?page=1#x>", 2, 2), ("<issues?page=1>", 2, 2)])
    func `a circle ends with an error`(link: String, count: Int, page: Int) async throws {
        try mock.overrideEndPoint("issues") { _ in try Self.answer("1", link: link + "; rel=next") }
        let (values, error) = await read(mock.pages("issues", as: [Int].self))
        #expect(values.count == count)
        #expect(error?.type == .invalidRequestPath)
        #expect(error?.failureReason == "page \(page) leads back to a page that was already read")
        #expect(error?.response?.statusCode == 200)
        #expect(mock.requests.count == count)
    }

    // MARK: - Cursors

    @Test func `a closure finds the next page in the body`() async throws {
        try mock.overrideEndPoint("search", method: .post) { request in
            let cursor = String(decoding: request.body, as: UTF8.self)
            let next = ["": "a", "cursor=a": "b"][cursor]
            return try .encoding(Page(items: [cursor.count], cursor: next), headerFields: ["Link": "</x>; rel=next"])
        }
        let first = Teapot.Request(.post, path: "search")
        let pages = mock.pages(first, as: Page.self) { page, response in
            #expect(response.status == 200)
            return page.cursor.map { Teapot.Request(.post, path: "search", body: .form(["cursor": $0])) }
        }
        let (values, error) = await read(pages)
        #expect(values.map(\.items) == [[0], [8], [8]])
        #expect(error == nil)
    }

    @Test func `the same URL with another body or header field is another page`() async throws {
        try mock.overrideEndPoint("search") { request in
            let next = ["": "a", "a": "b"][request.headerFields["X-Cursor"] ?? ""]
            return try .encoding(Page(items: [], cursor: next))
        }
        let pages = mock.pages("search", as: Page.self) { page, _ in
            Teapot.Request(path: "search", headerFields: ["X-Cursor": page.cursor ?? "b"])
        }
        let (values, error) = await read(pages)
        #expect(values.count == 3)
        #expect(error?.failureReason == "page 3 leads back to a page that was already read")
    }

    @Test func `an error of the closure ends the pages`() async throws {
        try mock.overrideEndPoint("search", with: .encoding(Page(items: [])))
        let thrown = await read(mock.pages("search", as: Page.self) { _, _ in throw URLError(.badURL) })
        #expect(thrown.pages.count == 1)
        #expect(thrown.error?.type == .decodingFailed)
        #expect(thrown.error?.code == .badURL)
        let own = TeapotError(type: .preparationFailed, description: "own")
        #expect(await read(mock.pages("search", as: Page.self) { _, _ in throw own }).error == own)
    }

    // MARK: - Failures

    static let failures = [
        (MockResponse.status(.notFound), TeapotError.ErrorType.invalidResponseStatus),
        (.failure(.timedOut), .noResponse),
        (.data(Data("{}".utf8), contentType: "application/json"), .decodingFailed),
    ]

    @Test(arguments: brief(failures))
    func `an error comes once, and then the end`(_ argument: Brief<(MockResponse, TeapotError.ErrorType)>) async throws
    {
        let (second, type) = argument.value
        try mock.overrideEndPoint("issues", withSequence: [Self.answer("1", link: "<?page=2>; rel=next"), second])
        let (values, error) = await read(mock.pages("issues", as: [Int].self))
        #expect(values == [[1]])
        #expect(error?.type == type)
        #expect(mock.requests.count == 2)
    }
}
