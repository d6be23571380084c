@testable import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// Failed requests that are sent again, on a clock that stands still until a test moves it on.
@Suite(.inTurn)
struct RetryTests {
    private let clock = TestClock()

    private func mock(_ policy: RetryPolicy, _ responses: MockResponse...) throws -> MockTeapot {
        let mock = MockTeapot(strictIn: .module, clock: clock)
        mock.retryPolicy = policy
        try mock.overrideEndPoint("tea", withSequence: responses, afterLast: .fails)
        return mock
    }

    private static let unavailable = MockResponse.status(503, headerFields: ["Retry-After": "2"])
    private static let reset = MockResponse.failure(.networkConnectionLost)
    private static let tea = MockResponse.data(Data(#"{"kind": "green"}"#.utf8), contentType: "application/json")

    private func kind(_ response: Teapot.Response) -> String? { response.json?.dictionary?["kind"] as? String }

    @Test func `503 with Retry-After, then a reset, then 200`() async throws {
        let mock = try mock(.steady(), Self.unavailable, Self.reset, Self.tea)
        let log = Locked("")
        mock.logger = Logger(level: .incomingAndOutgoingData) { line in log.withLock { $0 += line } }
        async let response = mock.get("tea")
        await clock.advanceToNext()
        await clock.advanceToNext()
        #expect(try await kind(response) == "green")
        // The server's own wait is the longer of the two, the second is the backoff.
        let backoff = RetryPolicy.steady().delay(afterAttempt: 2)
        #expect(mock.requests.map(\.time) == [.zero, .seconds(2), .seconds(2) + backoff])
        #expect(clock.waitCount == 0)
        try mock.verify()
        let text = log.withLock { $0 }
        #expect(["→ GET", "✗ GET", "← 200"].map { text.components(separatedBy: $0).count - 1 } == [3, 2, 1])
    }

    // MARK: - Which requests

    @Test(
        arguments: [
            (Teapot.HTTPMethod.get, 2), (.head, 2), (.put, 2), (.delete, 2), (.post, 1), (.patch, 1),
        ] as [(Teapot.HTTPMethod, Int)]
    )
    func `only idempotent requests are sent again`(method: Teapot.HTTPMethod, count: Int) async throws {
        let mock = try mock(.steady(), Self.reset, .json([:]))
        async let outcome = outcome(of: Teapot.Request(method, path: "tea"), from: mock)
        if count > 1 { await clock.advanceToNext() }
        #expect(await (outcome.error == nil) == (count == 2))
        #expect(mock.requests.count == count)
    }

    @Test func `what may be temporary is tried again by default`() {
        #expect(RetryPolicy().statuses == [408, 425, 429, 500, 502, 503, 504])
        #expect(
            RetryPolicy().errorCodes == [
                .timedOut, .cannotConnectToHost, .networkConnectionLost, .cannotFindHost, .dnsLookupFailed,
                .notConnectedToInternet,
            ]
        )
    }

    @Test func `custom statuses and codes`() async throws {
        let mock = MockTeapot(strictIn: .module)
        mock.retryPolicy = RetryPolicy(baseDelay: .zero)
        mock.retryPolicy?.statuses = [418]
        mock.retryPolicy?.errorCodes = [.badServerResponse]
        try mock.overrideEndPoint("tea", withSequence: [.status(418), .failure(.badServerResponse), .status(503)])
        let error = await thrown { () throws(TeapotError) in try await mock.get("tea") }
        #expect(error?.responseStatus == 503)
    }

    /// A plugin may add another key each time.
    static let changes: [(method: Teapot.HTTPMethod, change: @Sendable (inout URLRequest) -> Void)] = [
        (.get, { $0.httpMethod = "POST" }), (.post, { $0.setValue("1", forHTTPHeaderField: "Idempotency-Key") }),
    ]

    @Test(arguments: brief(changes.indices) { "\(changes[$0].method)" })
    func `the method that a plugin returns counts, its idempotency key does not`(row: Brief<Int>) async throws {
        let mock = MockTeapot(strictIn: .module)
        mock.retryPolicy = RetryPolicy(maximumAttempts: 2, baseDelay: .zero)
        let (method, change) = Self.changes[row.value]
        mock.plugins = [WatchingPlugin(prepare: change)]
        try mock.overrideEndPoint("tea", with: .status(.serviceUnavailable))
        let request = Teapot.Request(method, path: "tea")
        _ = await thrown { () throws(TeapotError) in try await mock.send(request) }
        #expect(mock.requests.count == 1)
    }

    @Test func `a POST that is redirected to a GET counts as a POST`() async throws {
        let mock = MockTeapot(strictIn: .module, clock: clock)
        mock.retryPolicy = .steady()
        try mock.overrideEndPoint("orders", with: .status(303, headerFields: ["Location": "/order"]))
        try mock.overrideEndPoint("order", with: Self.unavailable)
        await #expect(throws: TeapotError.self) { try await mock.post("orders") }
        #expect(mock.requests.count == 2)
    }

    // MARK: - How often

    @Test func `each attempt may follow its own redirects`() async throws {
        let mock = try mock(.steady(), Self.unavailable, Self.tea)
        try mock.overrideEndPoint("step/:number") { request in
            let next = request.pathParameters["number"].flatMap(Int.init).map { $0 + 1 } ?? 0
            return .status(307, headerFields: ["Location": next == 10 ? "/tea" : "/step/\(next)"])
        }
        async let response = mock.get("step/0")
        await clock.advanceToNext()
        #expect(try await kind(response) == "green")
        #expect(mock.requests.count == 22)
    }

    @Test func `ten thousand attempts without a delay fit a small stack`() async throws {
        let clock = ImmediateClock()
        let mock = MockTeapot(bundle: .module, statusCode: 503, clock: clock)
        mock.maximumRequestCount = 10
        mock.retryPolicy = RetryPolicy(maximumAttempts: 10_000, baseDelay: .zero)
        let error = await #expect(throws: TeapotError.self) { try await mock.get("tea") }
        #expect(error?.attempts == 10_000)
    }

    // MARK: - When

    @Test(
        arguments: [
            ("0", Duration.zero), ("7", .seconds(7)), (" 7 ", .seconds(7)), ("60", .seconds(60)), ("61", nil),
            ("99999999999999999999", nil),
            ("Sun, 06 Nov 1994 08:49:47 GMT", .seconds(10)), ("Sunday, 06-Nov-94 08:49:47 GMT", .seconds(10)),
            ("Sun Nov  6 08:49:47 1994", .seconds(10)), ("Sun, 06 Nov 1994 08:49:30 GMT", .zero),
            ("Sun, 06 Nov 1994 09:49:37 GMT", nil), ("Fri, 31 Dec 9999 23:59:59 GMT", nil), ("soon", .zero),
            ("-5", .zero),
            ("1.5", .seconds(1.5)), ("", .zero),
        ] as [(String, Duration?)]
    )
    func `Retry-After, in seconds or as a date`(text: String, wait: Duration?) async throws {
        let fields = ["Retry-After": text, "Date": "Sun, 06 Nov 1994 08:49:37 GMT"]
        let mock = try mock(.steady(), .status(503, headerFields: fields), Self.tea)
        async let outcome = outcome(of: Teapot.Request(path: "tea"), from: mock)
        if let wait {
            await clock.advanceToNext()
            #expect(try await kind(outcome.get()) == "green")
            #expect(mock.requests.map(\.time) == [.zero, max(wait, RetryPolicy.steady().delay(afterAttempt: 1))])
        } else {
            // A server that asks for more than the longest delay is not asked again.
            #expect(await outcome.error?.responseStatus == 503)
            #expect(mock.requests.count == 1)
        }
    }

    @Test func `without the server's date, Retry-After is compared with the system's clock`() async throws {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = .gmt
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        let date = formatter.string(from: Date(timeIntervalSinceNow: 600))
        var policy = RetryPolicy()
        policy.maximumDelay = .seconds(3_600)
        let mock = try mock(policy, .status(503, headerFields: ["Retry-After": date]), Self.tea)
        async let response = mock.get("tea")
        await clock.advanceToNext()
        #expect(try await kind(response) == "green")
        #expect((.seconds(300)...(.seconds(600))).contains(mock.requests[1].time))
    }

    /// The second attempt begins at 7 seconds, and would end at 13. The third would begin at 15.
    @Test(arguments: [(6.9, 1), (7.1, 2), (14.9, 2), (15.1, 3)])
    func `no attempt begins after the window of the policy, and one under way continues`(
        window: Double,
        attempts: Int
    ) async throws {
        let slow = Self.reset.delayed(by: .seconds(6))
        let mock = try mock(.steady(window: .seconds(window)), slow, slow, Self.tea.delayed(by: .seconds(6)))
        async let outcome = outcome(of: Teapot.Request(path: "tea"), from: mock)
        for _ in 1..<(2 * attempts) { await clock.advanceToNext() }
        let (response, error) = (try? await outcome.get(), await outcome.error)
        #expect(mock.requests.map(\.time) == [.zero, .seconds(7), .seconds(15)].prefix(attempts).map(\.self))
        #expect((response != nil) == (attempts == 3))
        #expect(error?.code == (attempts == 3 ? nil : .networkConnectionLost))
        #expect(clock.waitCount == 0)
    }

    // MARK: - Cancelled and suspended

    @Test func `a closure call that is cancelled between two attempts does not complete`() async throws {
        let mock = try mock(.steady(), Self.unavailable, Self.tea)
        let completions = Completions()
        let queue = MarkedQueue()
        let task = try #require(mock.get("tea", deliveryQueue: queue.queue, completion: completions.take))
        #expect(clock.waitCount == 1)
        task.cancel()
        #expect(clock.waitCount == 0)
        clock.advance(by: .seconds(60))
        await queue.queue.drain()
        #expect(task.state == .completed)
        #expect(completions.count == 0)
        #expect(mock.requests.count == 1)
    }

    @Test func `while the task is suspended, no attempt begins`() async throws {
        let mock = try mock(.steady(), Self.unavailable, Self.tea)
        let completions = Completions()
        let queue = MarkedQueue()
        let task = try #require(mock.get("tea", deliveryQueue: queue.queue, completion: completions.take))
        task.suspend()
        clock.advance(by: .seconds(60))
        #expect(mock.requests.count == 1)
        task.resume()
        clock.advance(by: .zero)
        await queue.queue.drain()
        #expect(completions.all.map { $0.text("kind") } == ["green"])
    }

    // MARK: - Decisions of one's own

    /// That of a request, too: the contract suite has it.
    @Test func `a policy decides after any failure`() async throws {
        let seen = Locked<[String]>([])
        var policy = RetryPolicy.steady()
        policy.decide = { failure in
            let (error, method) = (failure.error, failure.request.httpMethod ?? "")
            seen.withLock { $0.append("\(error.type) \(error.attempts) \(method) \(failure.attempts)") }
            return failure.attempts == 1 ? .again(after: .seconds(7)) : nil
        }
        let mock = try mock(policy, .status(409), Self.unavailable, Self.tea)
        async let response = mock.send(Teapot.Request(.post, path: "tea").with { $0.isIdempotent = true })
        await clock.advanceToNext()
        await clock.advanceToNext()
        #expect(try await kind(response) == "green")
        #expect(mock.requests.map(\.time) == [.zero, .seconds(7), .seconds(9)])
        #expect(seen.withLock { $0 } == ["invalidResponseStatus 1 POST 1", "invalidResponseStatus 2 POST 2"])
    }

    @Test func `a decision is bounded`() async throws {
        for (window, attempts) in [(Duration?.none, 3), (.seconds(1), 1)] {
            var policy = RetryPolicy.steady(window: window)
            policy.decide = { _ in .again(after: window == nil ? .seconds(-1) : .seconds(2)) }
            let mock = try mock(policy, .status(400), .status(400), .status(400), Self.tea)
            let error = await thrown { () throws(TeapotError) in try await mock.post("tea", body: [1]) }
            #expect(error?.attempts == attempts)
            #expect(error?.responseStatus == 400)
        }
    }
}
