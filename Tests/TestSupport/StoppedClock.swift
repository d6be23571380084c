/// A clock that stands still: for tests whose calls have no timeout, however busy the machine is.
package struct StoppedClock: Clock {
    package struct Instant: InstantProtocol {
        fileprivate let offset: Duration

        package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        package func duration(to other: Instant) -> Duration { other.offset - offset }
        package static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
    }

    package init() {}

    package var now: Instant { Instant(offset: .zero) }
    package var minimumResolution: Duration { .zero }

    /// Suspends until the task is cancelled.
    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        // The stream of a signal ends with the task, too.
        let never = Signal()
        await never.wait()
        withExtendedLifetime(never) {}
        throw CancellationError()
    }
}
