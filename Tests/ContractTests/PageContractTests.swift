import Teapot
import TestSupport
import TestTraits
import Testing

/// Links that servers give, and pages that are read by them.
@Suite(.inTurn)
struct PageContractTests {
    @Test(arguments: Backend.servers)
    func `pages are read by their links`(backend: Backend) async throws {
        let teapot = try backend.teapot()
        let link = "</ignored>; rel=\"last\"; title=\"a, b; c\", <?page=2>; rel=\"next\""
        let query: Teapot.QueryItems = ["Link": link, "ETag": "W/\"tea\""]
        let first = Teapot.Request(path: "response-headers", query: query)
        var pages: [[String: String]] = []
        for try await page in teapot.pages(first, as: [String: String].self) {
            pages.append(page.value)
            #expect(page.response.headerFields["ETag"] == (pages.count == 1 ? "W/\"tea\"" : nil))
        }
        #expect(pages.map { $0["Link"] } == [link, nil])
        #expect(pages.last?["page"] == "2")
    }
}
