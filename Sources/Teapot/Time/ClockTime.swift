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
