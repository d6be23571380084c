import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// No exchange begins after the deadline of its call.
@Suite(.inTurn)
struct DeadlineStartContractTests {
    @Test(arguments: Backend.scriptable, [Duration.zero, .seconds(-5), .nanoseconds(1)])
    func `a call whose deadline has passed sends nothing`(backend: Backend, deadline: Duration) async throws {
        let service = try ScriptedService(backend) { _ in ScriptedAnswer() }
        let teapot = service.client()
        let seen = WatchingPlugin()
        teapot.plugins = [seen]
        for shape in 0..<3 {
            var request = Teapot.Request(.post, path: "tea", body: .form(["a": "b"]))
            request.deadline = deadline
            let error: TeapotError?
            switch shape {
            case 0: error = await thrown { () throws(TeapotError) in try await teapot.send(request) }
            case 1: error = await thrown { () throws(TeapotError) in try await teapot.bytes(request) }
            default:
                teapot.deadline = deadline
                error = await result { teapot.post("tea", parameters: ["a": 1], completion: $0) }.error
            }
            #expect(error?.type == .noResponse)
            #expect(error?.failureReason == "the call's deadline has passed")
            #expect(error?.attempts == 0)
        }
        #expect(service.requests.isEmpty)
    }

    /// Code of a user that takes longer than the deadline.
    enum Delay: CaseIterable { case prepare, willSend, sign, credential }

    @Test(arguments: Backend.scriptable, Delay.allCases)
    func `what a user's code delays until after the deadline is not sent`(backend: Backend, delay: Delay) async throws {
        let service = try ScriptedService(backend) { _ in ScriptedAnswer() }
        let clock = TestClock()
        let teapot = service.client(clock: clock)
        teapot.deadline = .seconds(1)
        let pass: @Sendable () -> Void = { clock.advance(by: .seconds(2)) }
        switch delay {
        case .prepare: teapot.plugins = [WatchingPlugin(prepare: { _ in pass() })]
        case .willSend: teapot.plugins = [WatchingPlugin(willSend: { _ in pass() })]
        case .sign: teapot.plugins = [Credential.signing { _, _ in pass() }]
        case .credential:
            teapot.authenticator = Authenticator { _ in
                pass()
                return .bearer("a")
            }
        }
        let error = await thrown { () throws(TeapotError) in try await teapot.post("tea", body: ["a": 1]) }
        #expect(error?.type == .noResponse)
        #expect(error?.code == .timedOut)
        #expect(service.requests.isEmpty)
    }

    /// What comes after the first exchange.
    enum Next: CaseIterable { case redirect, attempt, refresh }

    @Test(arguments: Backend.scriptable, Next.allCases)
    func `nothing follows an answer that was looked at after the deadline`(backend: Backend, next: Next) async throws {
        let service = try ScriptedService(backend) { _ in
            switch next {
            case .redirect: ScriptedAnswer(302, [("Location", "/other")])
            case .attempt: ScriptedAnswer(503)
            case .refresh: ScriptedAnswer(401)
            }
        }
        let clock = TestClock()
        let teapot = service.client(clock: clock)
        teapot.deadline = .seconds(1)
        teapot.retryPolicy = RetryPolicy(maximumAttempts: 3, baseDelay: .zero)
        if next == .refresh { teapot.authenticator = Authenticator(.bearer("a")) { _ in .bearer("b") } }
        teapot.logger = Logger(level: .incomingData) { _ in clock.advance(by: .seconds(2)) }
        let error = await thrown { () throws(TeapotError) in try await teapot.get("tea") }
        #expect(error?.type == .noResponse || error?.type == .invalidResponseStatus)
        #expect(service.requests.count == 1)
    }

    @Test(arguments: Backend.scriptable, [Delay.prepare, .willSend, .sign])
    func `an attempt that a user's code delays until after the policy's window is not sent`(
        backend: Backend,
        delay: Delay
    ) async throws {
        let service = try ScriptedService(backend) { _ in ScriptedAnswer(503) }
        let clock = TestClock()
        let teapot = service.client(clock: clock)
        teapot.retryPolicy = RetryPolicy(maximumAttempts: 3, baseDelay: .zero, window: .seconds(1))
        let pass: @Sendable () -> Void = { clock.advance(by: .seconds(0.6)) }
        teapot.plugins =
            switch delay {
            case .prepare, .credential: [WatchingPlugin(prepare: { _ in pass() })]
            case .willSend: [WatchingPlugin(willSend: { _ in pass() })]
            case .sign: [Credential.signing { _, _ in pass() }]
            }
        let error = await thrown { () throws(TeapotError) in try await teapot.get("tea") }
        #expect(error?.responseStatus == 503)
        #expect(service.requests.count == 1)
    }
}
