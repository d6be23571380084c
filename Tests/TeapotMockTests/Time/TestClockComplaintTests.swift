import Teapot
@testable import TeapotMock
import TestSupport
import TestTraits
import Testing

/// A test that forgets to move the clock is told what waits, instead of hanging without a word.
@Suite(.inTurn)
struct TestClockComplaintTests {
    private let complaints = Locked<[String]>([])
    private let complained = Signal()

    private func clock(patience: DispatchTimeInterval, limit: DispatchTimeInterval = .seconds(600)) -> TestClock {
        TestClock(patience: patience, limit: limit) { [complaints, complained] text in
            complaints.withLock { $0.append(text) }
            complained.fire()
        }
    }

    @Test func `the complaint names what waits, once`() async throws {
        let clock = clock(patience: .milliseconds(1))
        clock.advance(by: .seconds(1))
        let mock = MockTeapot(strictIn: .main, clock: clock)
        try mock.overrideEndPoint("tea", with: .json(["kind": "green"]).delayed(by: .seconds(2)))
        let call = Task { try await mock.get("tea") }
        await complained.wait()
        #expect(
            complaints.withLock { $0 } == [
                "TestClock: the clock is not being moved and stands at 1.0 seconds. Pending waits: for 2.0 seconds. "
                    + "Move it with advance(by:) or advanceToNext()."
            ]
        )
        await clock.advanceToNext()
        _ = try await call.value
    }

    @Test func `a test that waits for waits is named`() async throws {
        let clock = clock(patience: .milliseconds(1))
        let test = Task { await clock.waits(3) }
        await complained.wait()
        let text = complaints.withLock { $0.first }
        #expect(text?.contains("Nothing is waiting for it. A test is waiting for 3 waits.") == true)
        let advice = " A call that is answered without a delay does not wait: do not move the clock for it."
        #expect(text?.hasSuffix(advice) == true)
        test.cancel()
        await test.value
    }

    @Test func `a test does not wait for ever for what will not wait`() async throws {
        let clock = clock(patience: .milliseconds(1), limit: .milliseconds(20))
        await clock.advanceToNext()
        #expect(clock.now.offset == .zero)
        let timer = Task { try await clock.sleep(for: .seconds(1)) }
        await clock.waits(2)
        #expect(clock.waitCount <= 1)
        await complained.wait()
        await clock.waits(1)
        clock.advance(by: .seconds(1))
        try await timer.value
    }
}
