import Teapot

/// A clock without waiting: a sleep, a delay or a timeout moves it on to its own end at once.
///
/// For transports that answer by themselves, such as ``MockTeapot``. A call that waits for a server, or for an `Authenticator`
/// that refreshes its credential, has no time on this clock: its timeout and that of the refresh, if any, expire at once.
public final class ImmediateClock: Clock, Sendable {
    /// A moment of the clock.
    public typealias Instant = TestClock.Instant

    private let time = Locked(Duration.zero)
    private let queue = DispatchQueue(label: "TeapotMock.ImmediateClock")

    /// Makes a clock that stands at zero.
    public init() {}

    /// The current time of the clock: the latest time that was waited for.
    public var now: Instant { Instant(offset: elapsed) }

    /// Zero: each time is exact.
    public var minimumResolution: Duration { .zero }

    /// Moves the clock to a time, unless the time has passed, and returns; the tolerance is ignored. Throws `CancellationError` if the task
    /// is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        move(to: deadline.offset)
        // Loops that sleep still yield their thread to others.
        await Task.yield()
    }

    private func move(to moment: Duration) { time.withLock { $0 = max($0, moment) } }
}

extension ImmediateClock: TimeSource {
    var elapsed: Duration { time.withLock { $0 } }

    func timer(at deadline: Duration, fire: @escaping @Sendable () -> Void) -> ScheduledTimer {
        let fire = Locked<(@Sendable () -> Void)?>(fire)
        queue.async { [self] in
            guard let fire = fire.withLock({ $0 }) else { return }
            move(to: deadline)
            fire()
        }
        return ScheduledTimer { fire.withLock { $0 = nil } }
    }
}
