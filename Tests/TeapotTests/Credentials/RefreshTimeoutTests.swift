@testable import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// A refresh that takes too long, or never ends.
@Suite(.inTurn)
struct RefreshTimeoutTests {
    private struct Reason: Error {}

    private let clock = TestClock()
    private let refreshes = HeldRefreshes()
    private let mock: MockTeapot
    private let accepted = Locked<Set<String>>(["Bearer 1"])

    init() throws {
        mock = MockTeapot(strictIn: .module, clock: clock)
        try mock.overrideEndPoint("tea") { [accepted] request in
            let token = request.headerFields["Authorization"] ?? ""
            return try accepted.withLock { $0.contains(token) } ? .json(["kind": "green"]) : .status(401)
        }
    }

    private func authenticator(
        _ credential: Credential? = .bearer("0"),
        refreshTimeout: Duration? = .seconds(30)
    ) -> Authenticator {
        var authenticator = Authenticator(credential) { [refreshes] in try await refreshes.refresh($0.stale) }
        authenticator.refreshTimeout = refreshTimeout
        return authenticator
    }

    /// A call without a timeout of its own.
    private func error() async -> TeapotError? {
        await thrown { () throws(TeapotError) in
            try await mock.send(Teapot.Request(path: "tea").with { $0.timeoutInterval = .infinity })
        }
    }

    /// A call whose refresh, the first one, takes too long.
    private func giveUp() async {
        async let outcome = error()
        await refreshes.begun(1)
        await clock.advanceToNext()
        #expect(isTimeout(await outcome))
    }

    /// Ends a refresh, and waits until the authenticator knows.
    private func finish(_ index: Int, _ result: Result<Credential, any Error>) async {
        let authenticator = mock.authenticator
        let count = authenticator?.refreshCount
        refreshes.end(index, result)
        await eventually { authenticator?.refreshCount != count }
    }

    private var tokens: [String?] { mock.requests.map { $0.headerFields["Authorization"] } }

    private func isTimeout(_ error: TeapotError?, _ limit: String = "30.0 seconds") -> Bool {
        error?.type == .preparationFailed && error?.description.contains(limit) == true
            && error?.code == .timedOut
    }

    // MARK: - The limit

    @Test(arguments: [true, false])
    func `a refresh that never ends fails the call after 30 s, and the next call tries again`(
        hasCredential: Bool
    ) async throws {
        let credential = hasCredential ? Credential.bearer("0") : nil
        mock.authenticator = Authenticator(credential) { [refreshes] in try await refreshes.refresh($0.stale) }
        await giveUp()
        #expect(clock.now.offset == .seconds(30))
        #expect(clock.waitCount == 0)
        async let outcome = error()
        await refreshes.begun(2)
        // The refresh may begin before its timer is set.
        await clock.waits(1)
        refreshes.end(1, .success(.bearer("1")))
        #expect(await outcome == nil)
        #expect(tokens.last == "Bearer 1")
        #expect(clock.waitCount == 0)
        refreshes.endAll()
    }

    @Test(arguments: [
        (Duration.milliseconds(1_500), 1.5), (.zero, 0), (.seconds(-1), 0), (.seconds(86_401), 86_400),
        (.seconds(Int64.max), 86_400),
    ])
    func `the limit can be set, to a day at most`(limit: Duration, seconds: Double) async throws {
        mock.authenticator = authenticator(refreshTimeout: limit)
        async let outcome = error()
        await refreshes.begun(1)
        if seconds > 0 { await clock.advanceToNext() } else { clock.advance(by: .zero) }
        #expect(isTimeout(await outcome, "\(seconds) seconds"))
        #expect(clock.now.offset == .seconds(seconds))
        #expect(clock.waitCount == 0)
        refreshes.endAll()
    }

    @Test func `the task of an abandoned refresh is cancelled`() async throws {
        let isCancelled = Signal()
        mock.authenticator = Authenticator(.bearer("0")) { [refreshes] asked in
            try await withTaskCancellationHandler {
                try await refreshes.refresh(asked.stale)
            } onCancel: {
                isCancelled.fire()
            }
        }
        await giveUp()
        await isCancelled.wait()
        refreshes.endAll()
    }

    // MARK: - Late answers

    @Test func `a late credential is used if there is no other`() async throws {
        mock.authenticator = authenticator()
        await giveUp()
        await finish(0, .success(.bearer("1")))
        #expect(await error() == nil)
        #expect(refreshes.count == 1)
        #expect(tokens == ["Bearer 0", "Bearer 1"])
        #expect(clock.waitCount == 0)
    }

    @Test func `a late credential serves the calls that wait for the next refresh`() async throws {
        accepted.withLock { $0 = ["Bearer late", "Bearer 1"] }
        mock.authenticator = authenticator()
        await giveUp()
        async let second = error()
        await refreshes.begun(2)
        await finish(0, .success(.bearer("late")))
        #expect(await second == nil)
        #expect(tokens.last == "Bearer late")
        await finish(1, .success(.bearer("1")))
        #expect(await error() == nil)
        #expect(tokens.last == "Bearer 1")
        #expect(refreshes.count == 2)
        #expect(clock.waitCount == 0)
    }

    @Test func `a late credential is not taken in place of a later one`() async throws {
        mock.authenticator = authenticator()
        await giveUp()
        async let second = error()
        await refreshes.begun(2)
        await finish(1, .success(.bearer("1")))
        #expect(await second == nil)
        await finish(0, .success(.bearer("late")))
        #expect(await error() == nil)
        #expect(tokens.last == "Bearer 1")

        // Nor when that has gone stale, too.
        accepted.withLock { $0 = ["Bearer 2"] }
        async let third = error()
        await refreshes.begun(3)
        await finish(2, .success(.bearer("2")))
        #expect(await third == nil)
        #expect(!tokens.contains("Bearer late"))
    }

    @Test func `a late error is ignored`() async throws {
        mock.authenticator = authenticator()
        await giveUp()
        async let second = error()
        await refreshes.begun(2)
        await finish(0, .failure(Reason()))
        await clock.waits(1)
        #expect(clock.waitCount == 1)
        await finish(1, .success(.bearer("1")))
        #expect(await second == nil)
    }

    // MARK: - Its own requests

    @Test func `requests of an abandoned refresh are still sent without a credential`() async throws {
        let mock = mock
        try mock.overrideEndPoint("token") { request in
            request.headerFields["Authorization"] == nil ? .status(204) : .status(400)
        }
        let status = Locked<Int?>(nil)
        let isOver = Signal()
        mock.authenticator = Authenticator(.bearer("0")) { [refreshes] asked in
            let credential = try await refreshes.refresh(asked.stale)
            // An async call ends at once in a task that is cancelled.
            let result = await result { mock.post("token", timeoutInterval: .infinity, completion: $0) }
            status.withLock { $0 = result.response.statusCode }
            isOver.fire()
            return credential
        }
        await giveUp()
        refreshes.end(0, .success(.bearer("1")))
        await isOver.wait()
        #expect(status.withLock { $0 } == 204)
        mock.authenticator = nil
    }
}
