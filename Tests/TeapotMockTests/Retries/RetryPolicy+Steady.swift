import Teapot

extension RetryPolicy {
    /// One whose delays are the same each time: half of the longest, which is two seconds at first.
    static func steady(maximumAttempts: Int = 3, window: Duration? = nil) -> RetryPolicy {
        var policy = RetryPolicy(maximumAttempts: maximumAttempts, baseDelay: .seconds(2), window: window)
        policy.random = { 0.5 }
        return policy
    }
}
