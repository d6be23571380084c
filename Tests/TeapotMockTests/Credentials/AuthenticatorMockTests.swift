import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// An authenticator with a mock, on a clock that tests move on.
@Suite(.inTurn)
struct AuthenticatorMockTests {
    private struct Reason: Error {}

    private let clock = TestClock()
    private let issuer = TokenIssuer(isHeld: true)
    private let mock: MockTeapot

    init() throws {
        mock = MockTeapot(strictIn: .module, clock: clock)
        mock.authenticator = issuer.authenticator(.bearer("0"))
        try mock.overrideEndPoint("tea") { request in
            try request.headerFields["Authorization"] == "Bearer 1" ? .json(["kind": "green"]) : .status(401)
        }
    }

    private func error(_ timeout: TimeInterval = 15) async -> TeapotError? {
        await thrown { () throws(TeapotError) in try await mock.get("tea", timeoutInterval: timeout) }
    }

    private var tokens: [String?] { mock.requests.map { $0.headerFields["Authorization"] } }

    private func isTimeout(_ error: TeapotError?) -> Bool {
        error?.type == .noResponse && (error?.underlyingError as? URLError)?.code == .timedOut
    }

    // MARK: - Many at once

    @Test(arguments: [true, false])
    func `100 calls at once: one refresh, and equal outcomes`(succeeds: Bool) async throws {
        if !succeeds { issuer.error = Reason() }
        let errors = await withTaskGroup(of: TeapotError?.self) { group in
            for _ in 0..<100 { group.addTask { await error() } }
            // Each that waits has a timeout.
            await clock.waits(100)
            issuer.release()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(errors.count == 100)
        #expect(errors.allSatisfy { $0 == errors.first })
        #expect(errors.allSatisfy { $0?.type == (succeeds ? nil : .preparationFailed) })
        #expect(issuer.refreshes == [.bearer("0")])
        let first = tokens.count { $0 == "Bearer 0" }
        // Those that began after the first 401 waited, and sent nothing.
        #expect((1...100).contains(first))
        #expect(tokens.count { $0 == "Bearer 1" } == (succeeds ? 100 : 0))
        #expect(tokens.prefix(first).allSatisfy { $0 == "Bearer 0" })
        #expect(clock.waitCount == 0)
    }

    // MARK: - Delivery

    @Test func `a call that had to wait completes on the main queue, another one before its verb returns`() async throws
    {
        let main = MarkedQueue("main", queue: .main)
        let isOnMain = await withCheckedContinuation { continuation in
            mock.get("tea") { (_: NetworkResult) in continuation.resume(returning: main.isCurrent) }
            issuer.release()
        }
        #expect(isOnMain)
        let completions = Completions()
        mock.get("tea", completion: completions.take)
        #expect(completions.all.map(\.isSuccess) == [true])
    }

    // MARK: - Time

    @Test func `only the call that timed out ends`() async throws {
        async let impatient = error(2)
        await clock.waits(1)
        async let patient = error(60)
        await clock.waits(2)
        await clock.advanceToNext()
        #expect(clock.now.offset == .seconds(2))
        #expect(isTimeout(await impatient))
        #expect(clock.waitCount == 1)
        issuer.release()
        #expect(await patient == nil)
        #expect(issuer.refreshes.count == 1)
        #expect(clock.waitCount == 0)
    }

    @Test func `without a limit, a call waits forever`() async throws {
        let completions = Completions()
        let queue = MarkedQueue()
        let task = try #require(
            mock.get("tea", timeoutInterval: .infinity, deliveryQueue: queue.queue, completion: completions.take)
        )
        await issuer.begun.wait()
        #expect(clock.waitCount == 0)
        clock.advance(by: .seconds(1_000_000))
        await queue.queue.drain()
        #expect(completions.count == 0)
        task.cancel()
        issuer.release()
    }

    @Test func `the timeout stands still while a call is suspended, and begins anew`() async throws {
        let completions = Completions()
        let queue = MarkedQueue()
        let task = try #require(
            mock.get("tea", timeoutInterval: 2, deliveryQueue: queue.queue, completion: completions.take)
        )
        await issuer.begun.wait()
        clock.advance(by: .seconds(1))
        task.suspend()
        #expect(clock.waitCount == 0)
        clock.advance(by: .seconds(3_600))
        task.resume()
        #expect(clock.waitCount == 1)
        clock.advance(by: .milliseconds(1_999))
        await queue.queue.drain()
        #expect(completions.count == 0)
        clock.advance(by: .milliseconds(1))
        await queue.queue.drain()
        #expect(isTimeout(completions.all.first?.error))
        #expect(completions.count == 1)
        #expect(clock.waitCount == 0)
        issuer.release()
    }

    @Test(arguments: [true, false])
    func `the deadline of the policy ends the wait`(isFirst: Bool) async throws {
        mock.retryPolicy = RetryPolicy(deadline: .seconds(5))
        if isFirst { mock.authenticator = issuer.authenticator() }
        async let outcome = error(60)
        await clock.waits(1)
        await clock.advanceToNext()
        #expect(clock.now.offset == .seconds(5))
        let error = await outcome
        #expect(isTimeout(error))
        #expect(error?.attempts == (isFirst ? 0 : 1))
        #expect(mock.requests.count == (isFirst ? 0 : 1))
        #expect(clock.waitCount == 0)
        issuer.release()
    }

    @Test func `an attempt uses the credential that is current when it begins`() async throws {
        try mock.overrideEndPoint("later") { request in
            switch request.headerFields["Authorization"] {
            case "Bearer 0": return .status(503, headerFields: ["Retry-After": "10"])
            case "Bearer 1": return try .json(["kind": "black"])
            default: return .status(401)
            }
        }
        let clock = clock
        let mock = mock
        mock.retryPolicy = RetryPolicy(baseDelay: .zero)
        async let later = mock.get("later", timeoutInterval: .infinity)
        await clock.waits(1)
        issuer.release()
        #expect(await error(.infinity) == nil)
        clock.advance(by: .seconds(10))
        #expect(try await later.status == 200)
        #expect(tokens == ["Bearer 0", "Bearer 0", "Bearer 1", "Bearer 1"])
        #expect(issuer.refreshes.count == 1)
    }

    @Test func `an attempt that begins during a refresh waits for it`() async throws {
        try mock.overrideEndPoint("later") { request in
            try request.headerFields["Authorization"] == "Bearer 0"
                ? .status(503, headerFields: ["Retry-After": "10"]) : .json(["kind": "black"])
        }
        let mock = mock
        mock.retryPolicy = RetryPolicy(baseDelay: .zero)
        async let later = mock.get("later", timeoutInterval: 60)
        await clock.waits(1)
        async let first = error(.infinity)
        await issuer.begun.wait()
        clock.advance(by: .seconds(10))
        // It has its timeout.
        await clock.waits(1)
        #expect(tokens == ["Bearer 0", "Bearer 0"])
        issuer.release()
        #expect(try await later.status == 200)
        #expect(await first == nil)
        #expect(tokens.suffix(2) == ["Bearer 1", "Bearer 1"])
        #expect(clock.waitCount == 0)
    }

    // MARK: - Memory

    private final class Token: Sendable {}

    @Test func `a call that timed out is released`() async throws {
        let queue = MarkedQueue()
        weak var gone: Token?
        weak var plugin: WatchingPlugin?
        do {
            let (token, own) = (Token(), WatchingPlugin())
            (gone, plugin) = (token, own)
            mock.plugins = [own]
            mock.get("tea", timeoutInterval: 2, deliveryQueue: queue.queue) { (_: NetworkResult) in _ = token }
            mock.plugins = []
            await issuer.begun.wait()
            clock.advance(by: .seconds(2))
        }
        await queue.queue.drain()
        await queue.queue.drain()
        #expect(gone == nil)
        // The cancelled call has released its plugins.
        #expect(plugin == nil)
        issuer.release()
    }
}
