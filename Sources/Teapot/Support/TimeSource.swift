internal import Foundation

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

/// The system's monotonic time, which stands still while the machine sleeps.
struct DispatchTimer: TimeSource {
    private static let queue = DispatchQueue(label: "Teapot.DispatchTimer", attributes: .concurrent)

    var elapsed: Duration { .nanoseconds(DispatchTime.now().uptimeNanoseconds) }

    /// Fires on a private queue, after a day at the latest.
    func timer(at deadline: Duration, fire: @escaping @Sendable () -> Void) -> ScheduledTimer {
        // A dispatch source may be used from any thread, and the reference to it never changes.
        nonisolated(unsafe) let source = DispatchSource.makeTimerSource(queue: Self.queue)
        source.schedule(deadline: .now() + min(max((deadline - elapsed).seconds, 0), 86_400), leeway: .milliseconds(5))
        source.setEventHandler(handler: fire)
        source.activate()
        return ScheduledTimer { source.cancel() }
    }
}

extension Duration {
    /// In seconds, as exactly as `Double` can say.
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}

/// The time of a caller's clock. Each timer is a task that sleeps on it.
struct ClockTime<C: Clock>: TimeSource where C.Duration == Duration {
    private let clock: C
    private let start: C.Instant

    init(_ clock: C) {
        self.clock = clock
        start = clock.now
    }

    var elapsed: Duration { start.duration(to: clock.now) }

    func timer(at deadline: Duration, fire: @escaping @Sendable () -> Void) -> ScheduledTimer {
        let (clock, moment) = (clock, start.advanced(by: deadline))
        let task = Task {
            do {
                try await clock.sleep(until: moment, tolerance: nil)
            } catch {
                // On a clock that cannot sleep, real time passes, so that the call does not wait for ever.
                try? await Task.sleep(for: max(clock.now.duration(to: moment), .milliseconds(1)))
            }
            if !Task.isCancelled { fire() }
        }
        return ScheduledTimer { task.cancel() }
    }
}

extension Optional where Wrapped == any Clock<Duration> {
    /// What the clock stands for; the system's time without one.
    package var timeSource: any TimeSource {
        guard let clock = self else { return DispatchTimer() }
        // TeapotMock's clocks set timers themselves, so that a timer is there before the call returns.
        return clock as? any TimeSource ?? Self.time(of: clock)
    }

    private static func time(of clock: some Clock<Duration>) -> any TimeSource {
        ClockTime(clock)
    }
}
