import Foundation
import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

@Suite(.inTurn)
struct ExpectedHeaderFieldsTests {
    private let mock = MockTeapot(bundle: .module, mockFilename: "mock-object")

    private func get(_ headerFields: [String: String]? = nil) throws -> CallResult {
        try answer { mock.get("teapots/1", headerFields: headerFields, completion: $0) }
    }

    static let matching: [(expected: [String: String], sent: [String: String])] = [
        ([:], [:]),
        ([:], ["X-Client": "tea"]),
        (["X-Client": "tea"], ["X-Client": "tea"]),
        (["x-client": "tea"], ["X-CLIENT": "tea"]),
        (["X-CLIENT": "tea"], ["x-client": "tea"]),
        (["X-Client": "tea"], ["X-Client": "tea", "X-Version": "2"]),
        (["X-Client": ""], ["X-Client": ""]),
        (["Authorization": "Bearer secret"], ["authorization": "Bearer secret"]),
    ]

    @Test(arguments: matching)
    func `are there`(_ expected: [String: String], _ sent: [String: String]) throws {
        mock.setExpectedHeaders(expected)
        let result = try get(sent)
        #expect(result.isSuccess)
        #expect(result.text("name") == "teapot")
    }

    static let differing: [(expected: [String: String], sent: [String: String]?, reason: String)] = [
        (["X-Client": "tea"], nil, "X-Client is missing"),
        (["X-Client": ""], [:], "X-Client is missing"),
        (["X-Client": "tea"], ["X-Client": "Tea"], "X-Client has another value"),
        (["X-Client": "tea"], ["x-client": "coffee"], "X-Client has another value"),
        (["X-Client": "tea"], ["X-Client": ""], "X-Client has another value"),
        (["X-Client": "\u{E9}"], ["X-Client": "e\u{301}"], "X-Client has another value"),
        (
            ["X-B": "2", "X-A": "1", "X-C": "3"], ["X-B": "2", "X-C": "4"],
            "X-A is missing; X-C has another value"
        ),
    ]

    @Test(arguments: differing)
    func `that differ are an error that names the difference`(
        _ expected: [String: String],
        _ sent: [String: String]?,
        reason: String
    ) throws {
        mock.setExpectedHeaders(expected)
        let result = try get(sent)
        #expect(result.error?.type == .incorrectHeaders)
        #expect(result.error?.responseStatus == 400)
        #expect(result.error?.failureReason == reason)
        #expect(result.response.status == 400)
        #expect(result.response.url?.absoluteString == "https://mock.base.url.com/teapots/1")
        #expect(result.json == nil)
    }

    @Test func `are expected of each later call`() throws {
        #expect(try get().isSuccess)
        mock.setExpectedHeaders(["X-Client": "tea"])
        #expect(try get().error?.type == .incorrectHeaders)
        #expect(try get().error?.type == .incorrectHeaders)
        #expect(try get(["X-Client": "tea"]).isSuccess)
        mock.setExpectedHeaders(["X-Version": "2"])
        #expect(try get(["X-Version": "2"]).isSuccess)
        #expect(try get(["X-Client": "tea"]).error?.failureReason == "X-Version is missing")
        mock.clearExpectedHeaders()
        #expect(try get().isSuccess)
    }

    @Test func `may be those that Teapot adds`() throws {
        mock.setExpectedHeaders(["content-type": "application/json"])
        #expect(try answer { mock.post("a", parameters: ["b": 1], completion: $0) }.isSuccess)
        #expect(try answer { mock.post("a", completion: $0) }.error?.type == .incorrectHeaders)
        mock.baseURL = try #require(URL(string: "https://admin:test123@example.com"))
        mock.setExpectedHeaders(["Authorization": "Basic YWRtaW46dGVzdDEyMw=="])
        #expect(try get().isSuccess)
    }

    // MARK: - The message

    @Test func `are both shown`() throws {
        mock.setExpectedHeaders(["X-Client": "tea", "X-Version": "2"])
        let text = try #require(try get(["X-Client": "coffee", "X-Trace": "%@ %1$@"]).error?.description)
        let parts = ["X-Client: coffee", "X-Trace: %@ %1$@", "X-Client: tea", "X-Version: 2"]
        let places = parts.compactMap { text.range(of: $0)?.lowerBound }
        #expect(places.count == parts.count)
        #expect(places == places.sorted(), "received ones first, each sorted by name")
        #expect(try get().error?.description.contains("none") == true)
    }

    @Test func `hide what the policy names`() throws {
        mock.setExpectedHeaders(["X-Client": "tea", "X-Version": "2"])
        mock.secretPolicy = SecretPolicy.standard.adding(["x-client"])
        let entries = Locked("")
        mock.logger = Logger(level: .incomingAndOutgoingData) { entry in entries.withLock { $0 += entry } }
        let error = try #require(try get(["X-Client": "coffee", "Authorization": "pass"]).error)
        let text = error.description
        #expect(text.contains("X-Client: <redacted>"))
        #expect(text.contains("X-Version: 2"))
        #expect(text.contains("Authorization: <redacted>"))
        #expect(error.failureReason == "X-Client has another value; X-Version is missing")
        for text in [text, entries.withLock { $0 }] {
            #expect(!text.contains("tea\n") && !text.contains("coffee") && !text.contains("pass"))
        }
        mock.secretPolicy = .off
        let open = try #require(try get(["Authorization": "pass"]).error?.description)
        #expect(open.contains("X-Client: tea") && open.contains("Authorization: pass"))
    }
}
