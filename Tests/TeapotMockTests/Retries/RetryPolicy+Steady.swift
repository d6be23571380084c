import Teapot

extension RetryPolicy {
    /// One whose delays are the same each time: half of the longest, which is two seconds at first.
    static func steady(maximumAttempts: Int = 3, deadline: Duration? = nil) -> RetryPolicy {
        RetryPolicy(
            maximumAttempts: maximumAttempts,
            baseDelay: .seconds(2),
            deadline: deadline,
            generator: Middle()
        )
    }
}

/// Always the middle of a range.
struct Middle: RandomNumberGenerator {
    mutating func next() -> UInt64 { 1 << 63 }
}
