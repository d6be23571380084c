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
        await thrown { () throws(TeapotError) in
            try await mock.send(Teapot.Request(path: "tea").with { $0.timeoutInterval = timeout })
        }
    }

    private var tokens: [String?] { mock.requests.map { $0.headerFields["Authorization"] } }

    private func isTimeout(_ error: TeapotError?) -> Bool {
        error?.type == .noResponse && (error?.underlyingError as? URLError)?.code == .timedOut
    }

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

    @Test(arguments: [true, false])
    func `the deadline of the call ends the wait, that of a policy does not`(isFirst: Bool) async throws {
        mock.retryPolicy = RetryPolicy(deadline: .seconds(1))
        mock.deadline = .seconds(5)
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
}
