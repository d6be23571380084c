import Teapot
import TeapotMock

/// The samples of the article "Pagination". `SamplesRunPaginationTests` runs them.
struct PaginationSamples {
    struct Issue: Codable, Sendable, Equatable {
        let title: String
    }

    struct IssuePage: Codable, Sendable {
        let items: [Issue]
        let nextCursor: String?
    }

    let shown = Locked<[String]>([])

    func show(_ text: String) { shown.withLock { $0.append(text) } }
    func show(_ issues: [Issue]) { issues.forEach { show($0.title) } }

    func overview(_ teapot: Teapot) async throws {
        for try await (issues, _) in teapot.pages("issues", as: [Issue].self) {
            show(issues)
        }
    }

    func links(_ teapot: Teapot) async throws -> [Issue] {
        let first = Teapot.Request(path: "issues", query: ["state": "open"])
        var open: [Issue] = []
        for try await (issues, response) in teapot.pages(first, as: [Issue].self, maximumPages: 10) {
            open += issues
            show("\(open.count) of \(response.headerFields["X-Total-Count"] ?? "many")")
        }
        return open
    }

    func cursors(_ teapot: Teapot) async throws {
        let pages = teapot.pages("issues", as: IssuePage.self) { page, _ in
            page.nextCursor.map { Teapot.Request(path: "issues", query: ["cursor": $0]) }
        }
        for try await (page, _) in pages {
            show(page.items)
        }
    }

    func author(_ teapot: Teapot) async throws {
        let response = try await teapot.get("issues/1")
        if let link = response.link(rel: "author") {
            let author = try await teapot.send(response.request(for: link))
            show(author.text ?? "")
        }
    }

    func location(_ teapot: Teapot, issue: Issue) async throws {
        let created = try await teapot.post("issues", body: issue)
        if let location = created.headerFields["Location"] {
            let issue = try await teapot.send(created.request(for: location)).decode(Issue.self)
            show(issue.title)
        }
    }

    func mocked(_ mock: MockTeapot, _ first: Issue, _ second: Issue) async throws -> [String] {
        try mock.overrideEndPoint(
            "issues",
            withSequence: [
                .encoding([first], headerFields: ["Link": "</issues?page=2>; rel=\"next\""]),
                .status(.serviceUnavailable),
                .encoding([second]),
            ]
        )
        mock.retryPolicy = RetryPolicy(baseDelay: .zero)
        var titles: [String] = []
        for try await (issues, _) in mock.pages("issues", as: [Issue].self) {
            titles += issues.map(\.title)
        }
        return titles
    }
}
