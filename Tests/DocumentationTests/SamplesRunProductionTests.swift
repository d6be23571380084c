import Foundation
import Teapot
import TeapotCurl
import TeapotMock
import TestTraits
import Testing

/// The samples for programs in production do what the pages say of them.
@Suite(.inTurn)
struct SamplesRunProductionTests {
    private let mock = MockTeapot(strictIn: .module)

    @Test func `both groups get all notes`() async throws {
        try mock.overrideEndPoint("notes/:id") { request in
            try .json(["id": Int(request.pathParameters["id"] ?? "") ?? 0, "title": "Buy tea"])
        }
        let ids = Array(1...20)
        #expect(try await ProductionSamples.all(ids, mock).map(\.id).sorted() == ids)
        var stored: [Int] = []
        try await ProductionSamples.few(ids, mock) { stored.append($0.id) }
        #expect(stored.sorted() == ids)
    }

    @Test func `jobs are awaited`() async {
        let ended = Locked(0)
        await ProductionSamples.finish((0..<3).map { _ in Task { ended.withLock { $0 += 1 } } })
        #expect(ended.withLock { $0 } == 3)
    }

    @Test func `an unknown user is nil`() async throws {
        try mock.overrideEndPoint("users/1", with: .json(["name": "Ann"]))
        try mock.overrideEndPoint("users/2", with: .status(.notFound))
        #expect(try await ProblemSamples.user(1, mock)?.name == "Ann")
        #expect(try await ProblemSamples.user(2, mock) == nil)
    }

    @Test(arguments: [(MockTeapot.StatusCode.noContent, 0), (.preconditionFailed, 1)])
    func `a change of another is not overwritten`(status: MockTeapot.StatusCode, count: Int) async throws {
        try mock.overrideEndPoint(
            "notes/1",
            method: .get,
            with: .json(["title": "Tea"], headerFields: ["ETag": "\"1\""])
        )
        try mock.overrideEndPoint("notes/1", method: .put, with: .status(status))
        var shown: [String] = []
        try await ProblemSamples.change(mock) { shown.append($0) }
        #expect(shown.count == count)
        #expect(mock.requests.last?.headerFields["If-Match"] == "\"1\"")
    }

    #if os(Linux)
        @Test func `the password of a proxy is encoded, and not shown`() throws {
            let proxy = CurlSamples.proxy("ann@tea", "s3/cret").proxy
            guard case .url(let url) = proxy else { Issue.record("no URL"); return }
            #expect(url.absoluteString == "http://ann%40tea:s3%2Fcret@proxy.example.com:3128")
            #expect("\(proxy)" == "http://proxy.example.com:3128")
        }
    #endif
}
