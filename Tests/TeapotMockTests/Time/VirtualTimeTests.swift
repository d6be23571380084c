import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// Delays and timeouts on a clock that tests move on.
@Suite(.inTurn)
struct VirtualTimeTests {
    private let clock = TestClock()

    private func mock(_ responses: MockResponse..., clock: (any Clock<Duration>)? = nil) throws -> MockTeapot {
        let mock = MockTeapot(strictIn: .module, clock: clock ?? self.clock)
        try mock.overrideEndPoint("tea", withSequence: responses)
        return mock
    }

    private func teapot(_ transport: ManualTransport, _ clock: any Clock<Duration>) throws -> Teapot {
        let url = try #require(URL(string: "http://127.0.0.1:1"))
        return Teapot(baseURL: url, defaultDeliveryQueue: DispatchQueue(label: "t"), transport: transport, clock: clock)
    }

    @Test func `on an immediate clock, the earlier of answer and timeout comes`() async throws {
        let clock = ImmediateClock()
        let mock = try mock(
            .status(200).delayed(by: .seconds(3_600)),
            .status(201).delayed(by: .seconds(10)),
            clock: clock
        )
        let error = await thrown { () throws(TeapotError) in try await mock.get("tea") }
        #expect(error?.type == .noResponse)
        #expect(try await mock.get("tea").status == 201)
        #expect(clock.now.offset == .seconds(25))
    }

    @Test func `a delayed response comes when it is due, and not before`() async throws {
        let mock = try mock(.json(["a": 1]).delayed(by: .seconds(2)))
        let completions = Completions()
        let queue = MarkedQueue()
        mock.get("tea", deliveryQueue: queue.queue, completion: completions.take)
        #expect(clock.waitCount == 1)
        clock.advance(by: .milliseconds(1_999))
        await queue.queue.drain()
        #expect(completions.count == 0)
        clock.advance(by: .milliseconds(1))
        await queue.queue.drain()
        #expect(completions.all.map(\.isSuccess) == [true])
        #expect(clock.waitCount == 0)
    }

    @Test func `without a delivery queue, it comes on the main queue`() async throws {
        let mock = try mock(.status(200).delayed(by: .seconds(2)), .status(404).delayed(by: .seconds(60)))
        let main = MarkedQueue("main", queue: .main)
        for isSuccess in [true, false] {
            let (result, isOnMain) = await withCheckedContinuation { continuation in
                mock.get("tea") { result in
                    continuation.resume(returning: (CallResult(result), main.isCurrent))
                }
                clock.advance(by: .seconds(60))
            }
            #expect(isOnMain)
            #expect(result.isSuccess == isSuccess)
            #expect(isSuccess || result.error?.code == .timedOut)
        }
    }

    @Test func `a timeout ends what is later`() async throws {
        let mock = try mock(.status(200).delayed(by: .seconds(3)))
        for (timeout, isTimedOut) in [(2.999, true), (3, false), (.infinity, false), (0.001, true)] {
            async let error = thrown { () throws(TeapotError) in
                try await mock.send(Teapot.Request(path: "tea").with { $0.timeoutInterval = timeout })
            }
            await clock.advanceToNext()
            let type = await error?.type
            #expect(type == (isTimedOut ? .noResponse : nil))
        }
        #expect(clock.waitCount == 0)
    }

    @Test func `each redirect has its own timeout`() async throws {
        let transport = ManualTransport()
        let teapot = try teapot(transport, clock)
        async let status = teapot.send(Teapot.Request(path: "old").with { $0.timeoutInterval = 15 }).status
        await clock.waits(1)
        clock.advance(by: .seconds(10))
        transport.hops.last?.answer(302, headers: ["Location": "/new"])
        await clock.waits(1)
        clock.advance(by: .seconds(10))
        transport.hops.last?.answer(200)
        #expect(try await status == 200)
    }

    @Test func `while suspended, nothing comes and no timeout runs, which begins anew after that`() async throws {
        let mock = try mock(.status(200).delayed(by: .seconds(2)), .status(200).delayed(by: .seconds(3_600)))
        let (completions, queue) = (Completions(), MarkedQueue())
        for (isSuccess, rest) in [(true, Duration.zero), (false, .seconds(15))] {
            let count = completions.count
            let task = mock.get("tea", timeoutInterval: 15, deliveryQueue: queue.queue, completion: completions.take)
            task?.suspend()
            #expect(clock.waitCount == 0)
            clock.advance(by: .seconds(100))
            await queue.queue.drain()
            #expect(completions.count == count)
            task?.resume()
            clock.advance(by: rest - .milliseconds(1))
            await queue.queue.drain()
            #expect(completions.count == (isSuccess ? count + 1 : count))
            clock.advance(by: .milliseconds(1))
            await queue.queue.drain()
            #expect(completions.all.last?.isSuccess == isSuccess)
        }
    }

    @Test func `a cancelled call no longer waits`() async throws {
        let mock = try mock(.status(200).delayed(by: .seconds(2)))
        let completions = Completions()
        let task = mock.get("tea", deliveryQueue: .global(), completion: completions.take)
        task?.cancel()
        #expect(clock.waitCount == 0)
        let waiting = Task { await thrown { () throws(TeapotError) in try await mock.get("tea") } }
        await clock.waits(1)
        waiting.cancel()
        #expect(await waiting.value?.type == .cancelled)
        #expect(clock.waitCount == 0)
        clock.advance(by: .seconds(100))
        #expect(completions.count == 0)
    }

    /// Also where its answer was still to come, which the mock holds no longer than the call does.
    @Test(arguments: [true, false])
    func `a call that ends early is released`(isCancelled: Bool) async throws {
        let queue = MarkedQueue()
        weak var gone: WatchingPlugin?
        do {
            let mock = try mock(.status(200).delayed(by: .seconds(9)))
            let plugin = WatchingPlugin()
            gone = plugin
            mock.plugins = [plugin]
            let task = mock.get("tea", timeoutInterval: 2, deliveryQueue: queue.queue) { (_: NetworkResult) in }
            if isCancelled { task?.cancel() } else { clock.advance(by: .seconds(2)) }
        }
        await queue.queue.drain()
        #expect(gone == nil)
    }

    @Test(arguments: [CallShape.postClosure, .upload, .chunks, .blocking])
    func `any progress restarts the timeout`(shape: CallShape) async throws {
        let (transport, folder) = (ManualTransport(), try TemporaryFolder())
        let teapot = try teapot(transport, clock)
        for isEnough in [true, false] {
            async let outcome = shape.outcome(of: "tea", from: teapot, timeoutInterval: 15, in: folder)
            await clock.waits(1)
            let hop = try #require(transport.hops.last)
            let steps: [@Sendable () -> Void] = [
                { hop.report(.sent(1)) }, { hop.respond(200) }, { hop.report(.data(Data("{}".utf8))) },
                { hop.report(.finished(nil)) },
            ]
            for step in steps {
                clock.advance(by: .seconds(isEnough ? 14 : 15))
                step()
            }
            let code = await outcome.error?.code
            #expect(code == (isEnough ? nil : .timedOut))
        }
    }

    /// In bytes: so much is not read yet that the transport is asked to hold back.
    private static let heldBody = 1_048_576

    @Test func `the timeout stands still while the transport holds back`() async throws {
        let transport = ManualTransport { hop in
            hop.respond(200)
            hop.report(.data(Data(count: Self.heldBody)))
        }
        let bytes = try await teapot(transport, clock).bytes("tea")
        let hop = try #require(transport.hops.first)
        await hop.paused.wait()
        clock.advance(by: .seconds(100))
        var chunks = bytes.makeAsyncIterator()
        #expect(try await chunks.next()?.count == Self.heldBody)
        #expect(hop.flowChanges == [false, true])
        hop.report(.data(Data("tea".utf8)))
        #expect(try await chunks.next() == Data("tea".utf8))
        // It runs again now.
        clock.advance(by: .seconds(15))
        let end = await thrown { () throws(TeapotError) in try await chunks.next() }
        #expect(end?.code == .timedOut)
    }

    // MARK: - Other clocks

    /// A clock whose sleeps take longer than they should.
    private struct LateClock: Clock {
        let base = ImmediateClock()
        var now: ImmediateClock.Instant { base.now }
        var minimumResolution: Duration { .zero }

        func sleep(until deadline: ImmediateClock.Instant, tolerance: Duration?) async throws {
            try await base.sleep(until: deadline.advanced(by: .seconds(10)))
        }
    }

    @Test func `an answer does not overtake a timeout that is noticed late`() async throws {
        let mock = try mock(.status(200).delayed(by: .seconds(20)), clock: LateClock())
        let error = await thrown { () throws(TeapotError) in
            try await mock.send(Teapot.Request(path: "tea").with { $0.timeoutInterval = 15 })
        }
        #expect(error?.code == .timedOut)
    }

    /// A clock that knows nothing of Teapot.
    private struct OtherClock: Clock {
        let base = ContinuousClock()
        var now: ContinuousClock.Instant { base.now }
        var minimumResolution: Duration { base.minimumResolution }

        func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
            try await base.sleep(until: deadline, tolerance: tolerance)
        }
    }

    @Test func `any clock works`() async throws {
        let (answer, late) = (MockResponse.status(200).delayed(by: .milliseconds(5)), MockResponse.status(200))
        let mock = try mock(answer, late.delayed(by: .seconds(3_600)), clock: OtherClock())
        let began = ContinuousClock.now
        #expect(try await mock.send(Teapot.Request(path: "tea").with { $0.timeoutInterval = .infinity }).status == 200)
        #expect(began.duration(to: .now) >= .milliseconds(5))
        let error = await thrown { () throws(TeapotError) in
            try await mock.send(Teapot.Request(path: "tea").with { $0.timeoutInterval = 0.01 })
        }
        #expect(error?.type == .noResponse)
    }

    /// A clock on which something happens before the first timer is known to who set it.
    private final class RacyClock: Clock, TimeSource {
        let base = TestClock()
        let meanwhile: Locked<(@Sendable () -> Void)?>

        init(_ meanwhile: @escaping @Sendable (TestClock) -> Void) {
            self.meanwhile = Locked { [base] in meanwhile(base) }
        }

        var now: TestClock.Instant { base.now }
        var minimumResolution: Duration { .zero }
        var elapsed: Duration { base.elapsed }

        func sleep(until deadline: TestClock.Instant, tolerance: Duration?) async throws {
            try await base.sleep(until: deadline)
        }

        func timer(at deadline: Duration, fire: @escaping @Sendable () -> Void) -> ScheduledTimer {
            let timer = base.timer(at: deadline, fire: fire)
            meanwhile.withLock { meanwhile in
                defer { meanwhile = nil }
                return meanwhile
            }?()
            return timer
        }
    }

    @Test func `a timer that fires before it is known does not undo the next one`() async throws {
        let transport = ManualTransport()
        let clock = RacyClock { clock in
            clock.advance(by: .seconds(10))
            transport.hops.last?.report(.sent(1))
            clock.advance(by: .seconds(5))
        }
        let teapot = try teapot(transport, clock)
        let (completions, queue) = (Completions(), DispatchQueue(label: "test"))
        teapot.get("tea", deliveryQueue: queue, completion: completions.take)
        #expect(clock.base.waitCount == 1)
        clock.base.advance(by: .seconds(9))
        await queue.drain()
        #expect(completions.count == 0)
        clock.base.advance(by: .seconds(1))
        await queue.drain()
        #expect(completions.all.map(\.error?.type) == [.noResponse])
    }

    @Test func `a deadline may be arbitrarily far away`() async throws {
        for clock in [ContinuousClock(), SuspendingClock(), OtherClock(), nil] as [(any Clock<Duration>)?] {
            let mock = MockTeapot(strictIn: .module, clock: clock)
            try mock.overrideEndPoint("tea", with: .status(200).delayed(by: .seconds(Int64.max)))
            for (number, timeout) in [9e8, .infinity].enumerated() {
                let task = Task {
                    await thrown { () throws(TeapotError) in
                        try await mock.send(Teapot.Request(path: "tea").with { $0.timeoutInterval = timeout })
                    }
                }
                await eventually { mock.requests.count > number }
                task.cancel()
                #expect(await task.value?.type == .cancelled)
            }
        }
    }

    /// A clock that cannot sleep.
    private struct SleeplessClock: Clock {
        struct Fault: Error {}
        var now: ContinuousClock.Instant { .now }
        var minimumResolution: Duration { .zero }

        func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
            throw Fault()
        }
    }

    @Test func `on a clock that cannot sleep, real time passes`() async throws {
        let mock = try mock(.status(201).delayed(by: .milliseconds(5)), clock: SleeplessClock())
        #expect(try await mock.send(Teapot.Request(path: "tea").with { $0.timeoutInterval = .infinity }).status == 201)
    }

    @Test func `timers that are due at once fire in the order they were set`() {
        let fired = Locked<[Int]>([])
        let timers = (0..<9).map { number in
            clock.timer(at: .seconds(1)) { fired.withLock { $0.append(number) } }
        }
        clock.advance(by: .seconds(1))
        #expect(fired.withLock { $0 } == Array(0..<9))
        withExtendedLifetime(timers) {}
    }
}
