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
        let generator = Locked(SeededGenerator(seed: 4))
        var policy = RetryPolicy(baseDelay: .milliseconds(500))
        policy.maximumDelay = .seconds(5)
        policy.random = { generator.withLock { Double.random(in: 0..<1, using: &$0) } }
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
        var policy = RetryPolicy(baseDelay: base)
        policy.maximumDelay = maximum
        #expect((0...40).allSatisfy { policy.delay(afterAttempt: $0) == .zero })
    }

    @Test(arguments: [(0.0, 0.0), (0.25, 0.25), (1, 1), (-1, 0), (7, 1), (.nan, 0), (.infinity, 1), (-.infinity, 0)])
    func `a random number is a part of the maximum`(number: Double, seconds: Double) {
        var policy = RetryPolicy(baseDelay: .seconds(1))
        policy.random = { number }
        #expect(policy.delay(afterAttempt: 1) == .seconds(seconds))
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(1e20)])
    func `the longest delay is finite`(longest: Duration) {
        var policy = RetryPolicy(baseDelay: longest)
        (policy.maximumDelay, policy.random) = (longest, { 1 })
        #expect(policy.delay(afterAttempt: .max) == .seconds(1_000_000_000))
        #expect(longest.bounded == .seconds(1_000_000_000))
        #expect(longest.milliseconds == 1_000_000_000_000)
    }
}
