import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

@Suite(.inTurn)
struct TestClockTests {
    private let clock = TestClock()

    @Test func `stands still until it is moved on`() {
        #expect(clock.now.offset == .zero)
        clock.advance(by: .seconds(2))
        clock.advance(by: .milliseconds(500))
        #expect(clock.now.offset == .milliseconds(2_500))
        clock.advance(by: .seconds(-9))
        clock.advance(to: TestClock().now)
        #expect(clock.now.offset == .milliseconds(2_500))
        #expect(clock.minimumResolution == .zero)
        #expect(clock.now.duration(to: clock.now.advanced(by: .seconds(1))) == .seconds(1))
    }

    @Test func `ends sleeps when they are due`() async throws {
        let clock = clock
        let woken = Locked<[Int]>([])
        await withThrowingTaskGroup(of: Void.self) { group in
            for seconds in [3, 1, 2] {
                group.addTask {
                    try await clock.sleep(for: .seconds(seconds))
                    woken.withLock { $0.append(seconds) }
                }
            }
            for number in 1...3 {
                await clock.waits(4 - number)
                #expect(woken.withLock { $0.count } == number - 1)
                clock.advance(by: .seconds(1))
                await eventually { clock.waitCount <= 3 - number }
                _ = try? await group.next()
            }
        }
        #expect(woken.withLock { $0 } == [1, 2, 3])
    }

    @Test func `a moment that is past needs no wait`() async throws {
        try await clock.sleep(until: clock.now)
        clock.advance(by: .seconds(2))
        try await clock.sleep(until: TestClock().now)
        #expect(clock.waitCount == 0)
    }

    @Test func `advances to the next deadline as soon as there is one`() async throws {
        let clock = clock
        async let time = {
            try await clock.sleep(for: .seconds(5))
            let first = clock.now.offset
            try await clock.sleep(for: .seconds(7))
            return [first, clock.now.offset]
        }()
        await clock.advanceToNext()
        #expect(clock.now.offset == .seconds(5))
        await clock.advanceToNext()
        #expect(try await time == [.seconds(5), .seconds(12)])
    }

    @Test func `a cancelled sleep throws, and no longer waits`() async throws {
        let clock = clock
        let task = Task { try await clock.sleep(for: .seconds(1)) }
        await clock.waits(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.waitCount == 0)
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(for: .seconds(1))
        }
        await #expect(throws: CancellationError.self) { try await early.value }
        #expect(clock.waitCount == 0)
    }

    @Test func `waiting for sleepers can be cancelled`() async {
        let clock = clock
        let task = Task { await clock.advanceToNext() }
        task.cancel()
        await task.value
        #expect(clock.now.offset == .zero)
    }

    @Test func `a thousand sleeps, cancelled and ended at once, each end once`() async {
        let clock = clock
        let tasks = (0..<1_000).map { number in
            Task { try await clock.sleep(for: .milliseconds(number % 7)) }
        }
        for (number, task) in tasks.enumerated() {
            if number.isMultiple(of: 3) { task.cancel() }
            clock.advance(by: .milliseconds(1))
        }
        // Some may begin to sleep only now.
        let isOver = Locked(false)
        let mover = Task {
            while !isOver.withLock({ $0 }) {
                clock.advance(by: .milliseconds(7))
                await Task.yield()
            }
        }
        for task in tasks { _ = await task.result }
        isOver.withLock { $0 = true }
        await mover.value
        #expect(clock.waitCount == 0)
    }
}

@Suite(.inTurn)
struct ImmediateClockTests {
    private let clock = ImmediateClock()

    @Test func `time passes without sleepers`() async throws {
        try await clock.sleep(for: .seconds(3_600))
        #expect(clock.now.offset == .seconds(3_600))
        try await clock.sleep(until: TestClock().now)
        #expect(clock.now.offset == .seconds(3_600))
        #expect(clock.minimumResolution == .zero)
    }

    @Test func `a cancelled sleep throws`() async {
        let clock = clock
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(for: .seconds(1))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.now.offset == .zero)
    }
}
