import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// The maximum duration of a call, on a clock that stands still until a test moves it on.
@Suite(.inTurn)
struct DeadlineTests {
    private let clock = TestClock()
    private let mock: MockTeapot

    init() {
        mock = MockTeapot(strictIn: .module, clock: clock)
        mock.timeoutInterval = .infinity
    }

    /// Something that takes a second or more.
    enum Kind: CaseIterable {
        case response, body, accepted, attempts, redirects, firstCredential, refresh, closure, refusedStream

        func declare(in mock: MockTeapot, until gate: Signal) throws {
            let second = Duration.seconds(1)
            switch self {
            case .response, .closure: try mock.overrideEndPoint("tea", with: .status(200).delayed(by: .seconds(60)))
            case .body:
                let pieces = Array(repeating: "tea", count: 60)
                try mock.overrideEndPoint("tea", with: .pieces(pieces, every: second, contentType: "text/plain"))
            case .accepted, .refusedStream:
                let pieces = Array(repeating: "tea", count: 60)
                let answer = MockResponse.pieces(pieces, every: second, contentType: "text/plain", status: 503)
                try mock.overrideEndPoint("tea", with: answer)
            case .attempts:
                try mock.overrideEndPoint("tea", with: .status(503).delayed(by: second))
                mock.retryPolicy = RetryPolicy(maximumAttempts: 100, baseDelay: .zero)
            case .redirects:
                let location = ["Location": "/tea"]
                try mock.overrideEndPoint("tea", with: .status(307, headerFields: location).delayed(by: second))
            case .firstCredential, .refresh:
                try mock.overrideEndPoint("tea", with: .status(401))
                mock.authenticator = Authenticator(self == .refresh ? .bearer("0") : nil) { _ in
                    await gate.wait()
                    return .bearer("1")
                }
                mock.authenticator?.refreshTimeout = nil
                // It does not end a wait.
                mock.retryPolicy = RetryPolicy(window: .seconds(1))
            }
        }
    }

    /// Makes the call, and moves the clock on while something waits for it.
    private func error(_ kind: Kind, _ request: Teapot.Request) async -> TeapotError? {
        let (mock, isOver) = (mock, Locked(false))
        async let error: TeapotError? = {
            let error: TeapotError?
            switch kind {
            case .closure:
                error = await withCheckedContinuation { continuation in
                    let queue = DispatchQueue(label: "test")
                    mock.send(request, deliveryQueue: queue) { (outcome: Result<Teapot.Response, TeapotError>) in
                        if case .failure(let error) = outcome { return continuation.resume(returning: error) }
                        continuation.resume(returning: nil)
                    }
                }
            case .refusedStream: error = await thrown { () throws(TeapotError) in try await mock.bytes(request) }
            default: error = await thrown { () throws(TeapotError) in try await mock.send(request) }
            }
            isOver.withLock { $0 = true }
            return error
        }()
        while !isOver.withLock({ $0 }) {
            if clock.waitCount > 0 { clock.advance(by: .seconds(0.5)) }
            await Task.yield()
        }
        return await error
    }

    @Test(arguments: Kind.allCases, [true, false])
    func `a call ends at its deadline, whatever it is at`(_ kind: Kind, isOfRequest: Bool) async throws {
        let gate = Signal()
        try kind.declare(in: mock, until: gate)
        var request = Teapot.Request(path: "tea")
        if kind == .accepted { request.acceptedStatuses = [503] }
        // That of the request replaces that of the client.
        mock.deadline = isOfRequest ? .seconds(1) : .seconds(5.5)
        if isOfRequest { request.deadline = .seconds(5.5) }
        let error = await error(kind, request)
        #expect(clock.now.offset == .seconds(5.5))
        #expect(error?.code == .timedOut)
        #expect(error?.failureReason == "the call's deadline has passed")
        let hasResponse = [Kind.body, .accepted, .refusedStream].contains(kind)
        #expect(error?.type == (hasResponse ? .dataTaskError : .noResponse))
        #expect(clock.waitCount == 0)
        if [Kind.firstCredential, .refresh].contains(kind) {
            #expect(error?.attempts == (kind == .refresh ? 1 : 0))
            #expect(mock.requests.count == (kind == .refresh ? 1 : 0))
        }
        gate.fire()
    }

    @Test func `an attempt that would begin after the deadline of the call is not made`() async throws {
        try mock.overrideEndPoint("tea", with: .status(503, headerFields: ["Retry-After": "10"]))
        mock.retryPolicy = RetryPolicy(window: .seconds(60))
        mock.deadline = .seconds(9)
        let error = await thrown { () throws(TeapotError) in try await mock.get("tea") }
        #expect(error?.responseStatus == 503)
        #expect(clock.now.offset == .zero)
    }

    @Test func `a download has the deadline, and the window of a policy does not cut it`() async throws {
        let folder = try TemporaryFolder()
        let pieces = Array(repeating: "tea", count: 5)
        try mock.overrideEndPoint("tea", with: .pieces(pieces, every: .seconds(1), contentType: "text/plain"))
        mock.retryPolicy = RetryPolicy(window: .seconds(1))
        for (deadline, isWhole) in [(Duration.seconds(3.5), false), (.seconds(60), true)] {
            mock.deadline = deadline
            async let error = thrown { () throws(TeapotError) in
                try await mock.download("tea", to: folder.file("tea"))
            }
            for _ in 0..<4 { await clock.advanceToNext() }
            #expect(await (error == nil) == isWhole)
            #expect(folder.names == (isWhole ? ["tea"] : []))
        }
    }

    /// The body comes long after the deadline.
    @Test func `a stream has its deadline until the response begins`() async throws {
        let answer = MockResponse.pieces(["a\n", "b\n", "c\n"], every: .seconds(9), contentType: "text/plain")
        try mock.overrideEndPoint("tea", with: answer.delayed(by: .seconds(4)))
        mock.retryPolicy = RetryPolicy(window: .seconds(1))
        mock.deadline = .seconds(5)
        async let response = mock.bytes("tea")
        await clock.advanceToNext()
        var lines: [String] = []
        for try await line in try await response.lines {
            lines.append(line)
            if lines.count < 3 { await clock.advanceToNext() }
        }
        #expect(lines == ["a", "b", "c"])
        #expect(clock.now.offset == .seconds(22))
        mock.deadline = .seconds(3)
        async let late = thrown { () throws(TeapotError) in try await mock.bytes("tea") }
        await clock.advanceToNext()
        #expect(await late?.failureReason == "the call's deadline has passed")
    }

    @Test func `a blocking call has the deadline`() async throws {
        try mock.overrideEndPoint("tea", with: .status(200).delayed(by: .seconds(60)))
        mock.deadline = .seconds(5)
        let mock = mock
        async let outcome = onThread {
            Result { () throws(TeapotError) in try mock.sendAndWait(Teapot.Request(path: "tea")) }
        }
        await clock.advanceToNext()
        #expect(await outcome.error?.failureReason == "the call's deadline has passed")
        #expect(clock.now.offset == .seconds(5))
    }

    @Test(arguments: [Duration.zero, .seconds(-1), .seconds(Int64.min), .seconds(Int64.max)])
    func `any deadline is a time`(deadline: Duration) async throws {
        try mock.overrideEndPoint("tea", with: .status(200).delayed(by: .seconds(1)))
        mock.deadline = deadline
        #expect(await (error(.response, "tea") == nil) == (deadline > .zero))
    }
}
