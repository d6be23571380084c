import Teapot

/// A time by two clocks, as the clock of the system can be set back.
struct Moment: Sendable {
    let date: Date
    /// On a clock that only goes forward.
    let elapsed: Duration

    /// The clocks of the system or, instead of both, a time of the caller.
    static func clock(_ now: (@Sendable () -> Date)?) -> @Sendable () -> Moment {
        let start = ContinuousClock.now
        return { Moment(date: now?() ?? Date(), elapsed: now == nil ? start.duration(to: .now) : .zero) }
    }

    /// The seconds that have passed by the clock that says more; at least zero.
    func time(since earlier: Moment) -> TimeInterval {
        max(date.timeIntervalSince(earlier.date), (elapsed - earlier.elapsed) / .seconds(1), 0)
    }
}
