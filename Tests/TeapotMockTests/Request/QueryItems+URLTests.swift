import Teapot
import TestSupport
import TestTraits
import Testing

@testable import TeapotMock

/// A query is read in one way: by a test that looks at a request, by declarations, and by recordings.
@Suite(.inTurn)
struct QueryItemsOfURLTests {
    static let queries: [(query: String, items: Teapot.QueryItems)] = [
        ("", []), ("?", []), ("?a=1&b=2&a=3", ["a": "1", "b": "2", "a": "3"]),
        ("?a", [URLQueryItem(name: "a", value: nil)]), ("?a=", ["a": ""]),
        ("?=1", ["": "1"]), ("?a==", ["a": "="]), ("?&&a=1&", ["a": "1"]), ("?a=?/:@", ["a": "?/:@"]),
        ("?a=1;b=2", ["a": "1;b=2"]), ("?a=1#b=2", ["a": "1"]), ("#?a=1", []),
        // A form encodes a space as a plus sign.
        ("?q=a+b%2Bc%20d", ["q": "a b+c d"]), ("?a+b=1", ["a b": "1"]), ("?a=+", ["a": " "]),
        ("?%61=%C3%A9%26%3D%25", ["a": "é&=%"]),
        // These are not valid.
        ("?a=%", ["a": "%"]), ("?a=%zz+b", ["a": "%zz b"]), ("?a=%FF", ["a": "%FF"]),
    ]

    @Test(arguments: queries)
    func `are those that a server reads`(_ query: String, _ items: Teapot.QueryItems) {
        #expect(Teapot.QueryItems(ofURL: "http://notes.test/a\(query)") == items)
    }

    @Test func `are the same of a received request, of a declaration and of a recording`() async throws {
        let run = try RecordingRun()
        let mock = MockTeapot(strictIn: .module)
        try mock.overrideEndPoint("a", query: ["q": "a b+c"], with: .status(200))
        for path in ["a?q=a+b%2Bc", "a?q=a%20b%2Bc"] {
            #expect(try await mock.get(Teapot.Path(path)).status == 200)
            #expect(mock.requests.last?.query == ["q": "a b+c"])
            try run.exchange(Teapot.Request(path: Teapot.Path(path))) { $0.answer(200, body: path) }
        }
        let replay = try run.replay()
        let paths = ["a?q=a%20b%2bc", "a?q=a+b%2Bc"]
        var texts: [String] = []
        for path in paths { texts.append(try await replay.get(Teapot.Path(path)).data.text) }
        #expect(texts == ["a?q=a+b%2Bc", "a?q=a%20b%2Bc"])
        #expect(
            await thrown { () throws(TeapotError) in try await replay.get("a?q=a+b+c") }?.type == .unexpectedRequest
        )
        let sent = try await replay.get("a", query: ["q": "a b+c"])
        #expect(sent.status == 200)
    }
}
