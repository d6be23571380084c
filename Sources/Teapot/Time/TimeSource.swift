/// What a Teapot measures timeouts and delays by: the system's time, or the clock that it was given.
package protocol TimeSource: Sendable {
    /// The time since a moment that stays the same.
    var elapsed: Duration { get }

    /// Sets a timer that fires once.
    ///
    /// - Parameters:
    ///   - deadline: When, in the time of ``elapsed``.
    ///   - fire: Called once, on any thread, unless the timer was cancelled before.
    /// - Returns: The timer, to cancel it.
    func timer(at deadline: Duration, fire: @escaping @Sendable () -> Void) -> ScheduledTimer
}

/// A timer that fires once.
package struct ScheduledTimer: Sendable {
    /// Keeps it from firing, if it has not yet; may be called at any moment, from any thread.
    package let cancel: @Sendable () -> Void

    package init(cancel: @escaping @Sendable () -> Void) {
        self.cancel = cancel
    }
}
