import Teapot
import TeapotMock
import TestTraits
import Testing

/// The samples of retries and credentials do what the page says of them.
@Suite(.inTurn)
struct SamplesRunRetriesTests {
    private let mock = MockTeapot(strictIn: .module)
    private let login = MockTeapot(strictIn: .module)

    @Test func `each request is signed, with a key that is fetched`() async throws {
        login.decoder.dateDecodingStrategy = .secondsSince1970
        try login.overrideEndPoint("key", with: .json(["id": "k1", "secret": "s", "expires": 4_000_000_000]))
        RetrySamples.signing(mock, keys: login) { "\($0)-\($1.count)" }
        try mock.overrideEndPoint("notes", method: .post, with: .status(.created))
        try await mock.post("notes", body: ["a": 1])
        try await mock.post("notes", body: ["a": 10])
        let fields = mock.requests.map(\.headerFields)
        let date = try #require(fields.first?["X-Date"])
        let count = "POST /notes \(date)\n".utf8.count
        #expect(fields.map { $0["Authorization"] } == [7, 8].map { "HMAC k1:s-\(count + $0)" })
        #expect(login.requests.count == 1)
    }

    @Test func `an order with a key is sent twice, with the same`() async throws {
        mock.retryPolicy = RetryPolicy(baseDelay: .zero)
        try mock.overrideEndPoint("orders", method: .post, withSequence: [.failure(.timedOut), .status(.created)])
        #expect(try await RetrySamples.idempotent(mock, order: ["tea": 2]).status == 201)
        let keys = mock.requests.map { $0.headerFields["Idempotency-Key"] }
        #expect(keys.count == 2)
        #expect(keys[0] != nil && keys[0] == keys[1])
    }

    @Test func `a request that decides for itself is sent again after a 409`() async throws {
        try mock.overrideEndPoint("rpc", method: .post, withSequence: [.status(409), .json(["result": "success"])])
        #expect(try await RetrySamples.session(mock, query: Teapot.Request.Body(Data("{}".utf8))).status == 200)
    }
}
