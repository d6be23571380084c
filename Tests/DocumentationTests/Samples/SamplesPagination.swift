import Teapot

/// The samples of the article "Pagination". `SamplesRunTests` runs some of them.
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
        //: Pagination 1
    }

    func links(_ teapot: Teapot) async throws -> [Issue] {
        //: Pagination 2
        return open
    }

    func cursors(_ teapot: Teapot) async throws {
        //: Pagination 3
    }

    func author(_ teapot: Teapot) async throws {
        //: Pagination 4
    }

    func location(_ teapot: Teapot, issue: Issue) async throws {
        //: Pagination 5
    }
}
