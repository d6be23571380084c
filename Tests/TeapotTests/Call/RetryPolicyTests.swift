import Foundation
import LoopbackServer
import TestTraits
import Testing

@testable internal import Teapot

@Suite(.inTurn)
struct RetryPolicyTests {
    /// Full jitter: from zero to a bound that doubles, up to the maximum.
    @Test(arguments: [(1, 0.5), (2, 1.0), (3, 2.0), (4, 4.0), (5, 5.0), (60, 5.0), (5_000, 5.0), (Int.max, 5.0)])
    func `jitter stays in range over ten thousand draws`(attempt: Int, bound: Double) {
        let policy = RetryPolicy(
            baseDelay: .milliseconds(500),
            maximumDelay: .seconds(5),
            generator: SeededGenerator(seed: 4)
        )
        let draws = (0..<10_000).map { _ in policy.delay(afterAttempt: attempt).seconds }
        #expect(draws.allSatisfy { (0...bound).contains($0) })
        // All of the range is made use of, evenly.
        let tenths = Dictionary(grouping: draws) { min(Int($0 / bound * 10), 9) }.mapValues(\.count)
        #expect(tenths.count == 10)
        #expect(tenths.values.allSatisfy { (850...1_150).contains($0) })
    }

    @Test(arguments: [
        (Duration.zero, Duration.seconds(5)), (.seconds(-1), .seconds(5)), (.seconds(1), .zero),
        (.seconds(1), .seconds(-1)),
        (.seconds(Int64.min), .seconds(Int64.min)),
    ])
    func `no delay is negative`(base: Duration, maximum: Duration) {
        let policy = RetryPolicy(baseDelay: base, maximumDelay: maximum)
        #expect((0...40).allSatisfy { policy.delay(afterAttempt: $0) == .zero })
    }

    @Test func `no number of a generator is drawn twice`() {
        struct Counter: RandomNumberGenerator {
            var count: UInt64 = 0
            mutating func next() -> UInt64 {
                count += 1
                return count << 11
            }
        }
        let policy = RetryPolicy(baseDelay: .seconds(1 << 30), maximumDelay: .seconds(1 << 30), generator: Counter())
        let delays = Locked(Set<Duration>())
        DispatchQueue.concurrentPerform(iterations: 1_000) { _ in
            let delay = policy.delay(afterAttempt: 1)
            delays.withLock { _ = $0.insert(delay) }
        }
        #expect(delays.withLock { $0.count } == 1_000)
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(1e20)])
    func `the longest delay is finite`(longest: Duration) {
        let policy = RetryPolicy(baseDelay: longest, maximumDelay: longest, deadline: longest)
        #expect(policy.delay(afterAttempt: .max) <= .seconds(1_000_000_000))
        #expect(policy.limit == .seconds(1_000_000_000))
        #expect(longest.milliseconds == 1_000_000_000_000)
    }

    @Test func `a generator may use the policy that draws from it`() {
        /// Draws once more, from the policy that asks it, the first time that it is asked.
        final class Nested: RandomNumberGenerator, Sendable {
            let policy = Locked<RetryPolicy?>(nil)
            func next() -> UInt64 {
                let policy = policy.withLock { policy in
                    defer { policy = nil }
                    return policy
                }
                return policy.map { $0.delay(afterAttempt: 1) == .zero } == true ? .max : 0
            }
        }
        let generator = Nested()
        let policy = RetryPolicy(baseDelay: .seconds(1), generator: generator)
        generator.policy.withLock { $0 = policy }
        #expect(policy.delay(afterAttempt: 1) == .zero)
        #expect(generator.policy.withLock { $0 } == nil)
    }
}
