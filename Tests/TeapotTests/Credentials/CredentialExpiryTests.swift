import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// Credentials that say when they expire, which are refreshed before a server refuses them.
@Suite(.inTurn)
struct CredentialExpiryTests {
    /// The date that an authenticator goes by, in seconds.
    private let date = Locked(1000.0)
    private let refreshes = Locked<[String?]>([])

    private var now: @Sendable () -> Date { { [date] in Date(timeIntervalSince1970: date.withLock { $0 }) } }

    /// A mock that answers anything, and whose credentials live for so many seconds.
    private func mock(first: Credential?, lifetime: Double?) throws -> MockTeapot {
        let mock = MockTeapot(bundle: .main, clock: TestClock())
        let now = now
        mock.authenticator = Authenticator(first, now: now) { [refreshes] refresh in
            let count = refreshes.withLock { refreshes in
                refreshes.append(refresh.stale.map { "\($0)" })
                return refreshes.count
            }
            return .bearer("token-\(count)", expires: lifetime.map { now() + $0 })
        }
        return mock
    }

    private func sent(by mock: MockTeapot) -> [String] {
        mock.requests.compactMap { $0.headerFields["Authorization"] }
    }

    private func bearer(_ token: String, expires: Double) -> Credential {
        .bearer(token, expires: Date(timeIntervalSince1970: expires))
    }

    @Test(
        arguments: [
            // An hour: 30 seconds before its end.
            (lifetime: 3600.0, time: 3569.0, isFresh: true), (3600, 3570, false), (3600, 4000, false),
            // Twenty seconds: after half of them.
            (20, 9, true), (20, 10, false),
            // New, and expired by the client's clock: only a 401 tells.
            (0, 5000, true), (-100, 5000, true),
        ] as [(Double, Double, Bool)]
    )
    func `a credential is refreshed in time`(lifetime: Double, time: Double, isFresh: Bool) async throws {
        let mock = try mock(first: nil, lifetime: lifetime)
        try await mock.get("tea")
        date.withLock { $0 += time }
        try await mock.get("tea")
        #expect(sent(by: mock) == ["Bearer token-1", isFresh ? "Bearer token-1" : "Bearer token-2"])
        #expect(refreshes.withLock { $0.count } == (isFresh ? 1 : 2))
    }

    /// A body that takes long to encode.
    private struct Slow: Encodable, Sendable {
        let date: Locked<Double>

        func encode(to encoder: any Encoder) throws {
            date.withLock { $0 += 5_000 }
            try 1.encode(to: encoder)
        }
    }

    @Test func `a credential that expires while the body is encoded is not sent`() async throws {
        let mock = try mock(first: bearer("first", expires: 2_000), lifetime: 3_600)
        try await mock.post("tea", body: Slow(date: date))
        #expect(sent(by: mock) == ["Bearer token-1"])
    }

    @Test(arguments: [(990.0, false), (1000, false), (1010, true), (2000, true)])
    func `the first credential may have expired`(expires: Double, isFresh: Bool) async throws {
        let mock = try mock(first: bearer("first", expires: expires), lifetime: 3600)
        try await mock.get("tea")
        #expect(sent(by: mock) == [isFresh ? "Bearer first" : "Bearer token-1"])
    }

    @Test func `requests that begin together at an expiry wait for one refresh, and each is sent once`() async throws {
        let mock = try mock(first: bearer("first", expires: 1), lifetime: 3600)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { _ = try? await mock.post("tea", body: ["kind": "green"]) } }
        }
        #expect(sent(by: mock) == Array(repeating: "Bearer token-1", count: 20))
        #expect(refreshes.withLock { $0.count } == 1)
    }

    @Test func `a refresh ahead of an expiry knows the last challenge, and nothing is sent without a credential`()
        async throws
    {
        let mock = MockTeapot(strictIn: .main, clock: TestClock())
        try mock.overrideEndPoint("tea") { request in
            let challenge = ["WWW-Authenticate": "Bearer scope=green"]
            return .status(request.headerFields["Authorization"] == nil ? 401 : 200, headerFields: challenge)
        }
        let now = now
        mock.authenticator = Authenticator(now: now) { [refreshes] refresh in
            refreshes.withLock { $0.append("\(refresh.response?.status ?? 0) \(refresh.challenges)") }
            return .bearer("token", expires: now() + 60)
        }
        mock.authenticator?.isPreemptive = false
        for _ in 0..<2 {
            try await mock.get("tea")
            date.withLock { $0 += 59 }
        }
        #expect(refreshes.withLock { $0 } == ["401 [bearer scope=green]", "0 [bearer scope=green]"])
        #expect(mock.requests.map { $0.headerFields["Authorization"] } == [nil, "Bearer token", "Bearer token"])
    }

    /// The second attempt is made when the first one's credential is due.
    @Test func `another attempt refreshes a credential that is due by then`() async throws {
        let mock = MockTeapot(strictIn: .main, clock: ImmediateClock())
        let date = date
        try mock.overrideEndPoint("tea") { request in
            date.withLock { $0 += 50 }
            return .status(request.headerFields["Authorization"] == "Bearer first" ? 503 : 200)
        }
        mock.retryPolicy = RetryPolicy()
        mock.authenticator = Authenticator(bearer("first", expires: 1060), now: now) { [refreshes] _ in
            refreshes.withLock { $0.append(nil) }
            return .bearer("second")
        }
        // Both timeouts would be over at once on this clock.
        mock.timeoutInterval = .infinity
        mock.authenticator?.refreshTimeout = nil
        try await mock.get("tea")
        #expect(sent(by: mock) == ["Bearer first", "Bearer second"])
        #expect(refreshes.withLock { $0.count } == 1)
    }

    /// The first call waits for its second attempt while the other one is refused, and its refresh fails.
    @Test func `another attempt does not fail by the refresh of another call`() async throws {
        let clock = TestClock()
        let mock = MockTeapot(strictIn: .main, clock: clock)
        try mock.overrideEndPoint("tea") { request in
            .status(
                request.headerFields["Authorization"] == "Bearer first" ? 503 : 200,
                headerFields: ["Retry-After": "9"]
            )
        }
        try mock.overrideEndPoint("milk", with: .status(401))
        mock.authenticator = Authenticator(.bearer("first")) { [refreshes] _ in
            let count = refreshes.withLock { refreshes in
                refreshes.append(nil)
                return refreshes.count
            }
            if count == 1 { throw NoToken() }
            return .bearer("second")
        }
        var request = Teapot.Request(path: "tea")
        request.retryPolicy = RetryPolicy()
        let call = Task { [request] in try await mock.send(request) }
        await clock.waits(1)
        let error = await thrown { () throws(TeapotError) in try await mock.get("milk") }
        #expect(error?.underlyingError is NoToken)
        clock.advance(by: .seconds(9))
        #expect(try await call.value.status == 200)
        #expect(refreshes.withLock { $0.count } == 2)
    }

    private struct NoToken: Error {}

    @Test func `a rejected credential does not survive a failed refresh`() async throws {
        let mock = MockTeapot(strictIn: .main)
        try mock.overrideEndPoint("tea", with: .status(.unauthorized))
        mock.authenticator = Authenticator(bearer("first", expires: 9e9)) { _ in throw NoToken() }
        for _ in 1...2 {
            let error = await thrown { () throws(TeapotError) in try await mock.get("tea") }
            #expect(error?.underlyingError is NoToken)
        }
        #expect(sent(by: mock) == ["Bearer first"])
    }

    /// It has thirty seconds left when the refresh fails, and is good until then.
    @Test func `a credential that has not expired survives a failed refresh`() async throws {
        let mock = MockTeapot(bundle: .main)
        let count = Locked(0)
        mock.authenticator = Authenticator(bearer("first", expires: 1100), now: now) { _ in
            count.withLock { $0 += 1 }
            throw NoToken()
        }
        date.withLock { $0 = 1080 }
        for _ in 1...3 { try await mock.get("tea") }
        #expect(sent(by: mock) == Array(repeating: "Bearer first", count: 3))
        #expect(count.withLock { $0 } == 1)
        date.withLock { $0 = 1100 }
        let error = await thrown { () throws(TeapotError) in try await mock.get("tea") }
        #expect(error?.underlyingError is NoToken)
    }
}
