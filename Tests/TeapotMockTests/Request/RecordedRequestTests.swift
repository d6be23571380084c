import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// The requests that a mock has recorded.
@Suite(.inTurn)
struct RecordedRequestTests {
    private let clock = TestClock()
    private let mock: MockTeapot

    init() {
        // Times are those since the mock was made.
        clock.advance(by: .seconds(100))
        mock = MockTeapot(bundle: .module, mockFilename: "mock-object", clock: clock)
    }

    struct Note: Codable, Equatable {
        var title = "tea"
    }

    @Test func `all of a request is kept, in order`() async throws {
        try await mock.get("notes?page=2&q=a%20b", headerFields: ["X-Client": "tea"])
        clock.advance(by: .milliseconds(1_500))
        try await mock.post("notes", body: Note())
        try await mock.put("notes/1", body: Data([0, 255]))
        let requests = mock.requests
        #expect(requests.map(\.method) == [.get, .post, .put])
        #expect(
            requests.map(\.url.absoluteString) == [
                "https://mock.base.url.com/notes?page=2&q=a%20b", "https://mock.base.url.com/notes",
                "https://mock.base.url.com/notes/1",
            ]
        )
        #expect(requests.map(\.time) == [.zero, .milliseconds(1_500), .milliseconds(1_500)])
        #expect(requests[0].headerFields["x-client"] == "tea")
        #expect(
            requests[0].query == ["page": "2", "q": "a b"]
        )
        #expect(requests[0].body.isEmpty)
        #expect(requests[0].json == nil)
        #expect(requests[1].headerFields["content-type"] == "application/json")
        #expect(requests[1].json?.dictionary?["title"] as? String == "tea")
        #expect(try requests[1].decode(Note.self) == Note())
        let error = await thrown { () throws(TeapotError) in try requests[1].decode([Int].self) }
        #expect(error?.type == .decodingFailed)
        #expect(requests[2].body == Data([0, 255]))
        #expect(requests.map(\.text) == ["", #"{"title":"tea"}"#, nil])
        #expect(requests[2].query.items.isEmpty)
        #expect(requests[2].description == "PUT https://mock.base.url.com/notes/1")
    }

    @Test func `requests are found by path and method`() async throws {
        for path in ["users/1", "users/2", "notes/1"] { try await mock.get(Teapot.Path(path)) }
        try await mock.delete("users/2")
        #expect(mock.requests(to: "users/:id").map(\.pathParameters) == [["id": "1"], ["id": "2"], ["id": "2"]])
        #expect(mock.requests(to: "users/:id", method: .delete).map(\.url.lastPathComponent) == ["2"])
        #expect(mock.requests(to: "1").count == 2)
        #expect(mock.requests(to: "tea").isEmpty)
    }

    @Test func `secrets are not shown`() async throws {
        try await mock.get("a?token=s3cret", headerFields: ["Authorization": "s3cret"])
        let request = try #require(mock.requests.first)
        #expect(request.headerFields["Authorization"] == "s3cret")
        #expect(request.description == "GET https://mock.base.url.com/a?token=<redacted>")
        #expect(!request.headerFields.description.contains("s3cret"))
        mock.plugins = [Credential(headerField: "X-Brew", value: "s3cret")]
        try await mock.get("a")
        #expect(mock.requests.last?.headerFields["X-Brew"] == "s3cret")
        #expect(mock.requests.last?.headerFields.description.contains("s3cret") == false)
    }

    // MARK: - Bounds

    @Test(arguments: [1, 2, 7, 10, .max])
    func `the latest are kept`(maximum: Int) async throws {
        mock.maximumRequestCount = maximum
        for number in 1...25 {
            try await mock.get("\(number)")
            let expected = (1...number).suffix(maximum).map(String.init)
            #expect(mock.requests.map(\.url.lastPathComponent) == expected)
        }
        if maximum > 2 {
            mock.maximumRequestCount = 2
            #expect(mock.requests.map(\.url.lastPathComponent) == ["24", "25"])
        }
        mock.maximumRequestCount = 1
        #expect(mock.requests.map(\.url.lastPathComponent) == ["25"])
        mock.maximumRequestCount = nil
        try await mock.get("26")
        #expect(mock.requests.map(\.url.lastPathComponent) == ["25", "26"])
        mock.maximumRequestCount = -1
        #expect(mock.maximumRequestCount == 0)
        try await mock.get("27")
        #expect(mock.requests.isEmpty)
    }
}
