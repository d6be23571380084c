import Foundation
import Teapot
import TestTraits
import Testing

@Suite(.inTurn)
struct LockedTests {
    private struct Refusal: Error, Equatable {}

    @Test func `many threads lose no change`() {
        let count = Locked(0)
        DispatchQueue.concurrentPerform(iterations: 1_000) { _ in
            count.withLock { $0 += 1 }
        }
        #expect(count.withLock { $0 } == 1_000)
    }

    @Test func `an error leaves the lock open`() {
        let names = Locked(["a"])
        #expect(throws: Refusal()) {
            try names.withLock { names throws(Refusal) in
                names.append("b")
                throw Refusal()
            }
        }
        #expect(names.withLock { $0 } == ["a", "b"])
    }
}
