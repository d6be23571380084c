import Teapot

/// A clock that stands still until a test moves it on.
///
/// A ``MockTeapot`` or a `Teapot` with this clock measures delays and timeouts by it. A call that waits is one wait on the
/// clock, whether its delay or its timeout ends first.
///
/// ```swift
/// async let notes = client.notes()
/// await clock.advanceToNext()
/// ```
///
/// If a test waits and the clock has not moved for five seconds of real time, the clock reports the waits on standard error. A test
/// that waits for waits which do not come continues after ten seconds.
public final class TestClock: Clock, Sendable {
    /// A time of a test clock, relative to its creation.
    public struct Instant: InstantProtocol {
        /// The time since the clock was made.
        public let offset: Duration

        /// The time that is later by a duration.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// The duration until the other time.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Whether one time is before another.
        public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
    }

    fileprivate struct Wait {
        let id: Int
        let deadline: Duration
        let end: @Sendable () -> Void
    }

    fileprivate struct State {
        var now = Duration.zero
        /// The first deadline comes first.
        var waits: [Wait] = []
        var nextID = 0
        /// Tests that wait for a number of waits.
        var watchers: [(id: Int, count: Int, end: AsyncStream<Void>.Continuation)] = []
        /// The number of times the clock was moved.
        var moves = 0
        /// Whether a check of the clock's movement is scheduled.
        var isWatched = false
    }

    private let state = Locked(State())
    private let patience: DispatchTimeInterval
    private let limit: DispatchTimeInterval
    private let complain: @Sendable (String) -> Void

    /// Makes a clock that stands at zero.
    public convenience init() { self.init(patience: .seconds(5), limit: .seconds(10), complain: Logger.standardError) }

    /// In real time, a clock that is not moved complains once after `patience`; ``waits(_:)`` gives up after `limit`.
    init(
        patience: DispatchTimeInterval,
        limit: DispatchTimeInterval = .seconds(10),
        complain: @escaping @Sendable (String) -> Void
    ) {
        self.patience = patience
        self.limit = limit
        self.complain = complain
    }

    /// The current time of the clock.
    public var now: Instant { Instant(offset: elapsed) }

    /// Zero: each time is exact.
    public var minimumResolution: Duration { .zero }

    /// The number of sleeps, delays and timeouts that wait for the clock.
    public var waitCount: Int { state.withLock { $0.waits.count } }

    // MARK: - Moving

    /// Moves the clock forward, and ends the waits that are due, in the order of their deadlines, each with the clock at its
    /// deadline.
    ///
    /// The code that was waiting may continue after this method returns: a sleeping task resumes in its own time.
    ///
    /// - Parameter duration: The duration; a negative one has no effect.
    public func advance(by duration: Duration) { advance(to: now.advanced(by: duration)) }

    /// Moves the clock forward to a time, as ``advance(by:)`` does. A time in the past has no effect.
    public func advance(to moment: Instant) {
        while let wait = state.withLock({ $0.takeNext(until: moment.offset) }) { wait.end() }
    }

    /// Suspends until something waits for the clock, moves the clock to the first deadline, and ends the waits that are due
    /// then.
    ///
    /// A call that is answered without a delay does not wait. If nothing else waits either, this returns after ten seconds of real
    /// time, or when the task is cancelled, and has no effect.
    public func advanceToNext() async {
        await waits(1)
        guard let deadline = state.withLock({ $0.waits.first?.deadline }) else { return }
        advance(to: Instant(offset: deadline))
    }

    /// Suspends until at least a number of sleeps, delays and timeouts wait for the clock, the task is cancelled, or ten seconds of real
    /// time are over.
    public func waits(_ count: Int) async {
        let (moments, end) = AsyncStream.makeStream(of: Void.self)
        // Counted and registered in one step, so that no wait can begin unseen in between.
        let id: Int? = state.withLock { state in
            guard state.waits.count < count else { return nil }
            let id = state.makeID()
            state.watchers.append((id, count, end))
            return id
        }
        guard let id else { return }
        watch()
        DispatchQueue.global().asyncAfter(deadline: .now() + limit) { end.finish() }
        for await _ in moments {}
        state.withLock { $0.watchers = $0.watchers.filter { $0.id != id } }
    }

    // MARK: - Waiting

    /// Suspends until the clock has reached a time; the tolerance is ignored. Throws `CancellationError` if the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        let (moments, end) = AsyncStream.makeStream(of: Void.self)
        let timer = timer(at: deadline.offset) { end.yield() }
        end.onTermination = { _ in timer.cancel() }
        for await _ in moments { return }
        throw CancellationError()
    }
}

extension TestClock: TimeSource {
    var elapsed: Duration { state.withLock { $0.now } }

    func timer(at deadline: Duration, fire: @escaping @Sendable () -> Void) -> ScheduledTimer {
        let (id, isDue, watchers): (Int, Bool, [AsyncStream<Void>.Continuation]) = state.withLock { state in
            let id = state.makeID()
            guard deadline > state.now else { return (id, true, []) }
            let wait = Wait(id: id, deadline: deadline, end: fire)
            let place = state.waits.firstIndex { $0.deadline > deadline } ?? state.waits.endIndex
            state.waits.insert(wait, at: place)
            var ended: [AsyncStream<Void>.Continuation] = []
            for watcher in state.watchers where watcher.count <= state.waits.count { ended.append(watcher.end) }
            state.watchers = state.watchers.filter { $0.count > state.waits.count }
            return (id, false, ended)
        }
        // Outside of the lock, since code that waits may use the clock.
        for watcher in watchers { watcher.finish() }
        if isDue { fire() } else { watch() }
        return ScheduledTimer { [self] in
            // The timer's contents are released after the lock.
            _ = state.withLock { $0.takeWait(id) }
        }
    }
}

extension TestClock {
    /// Schedules a check of whether the clock is moved: a test that forgets to move it hangs.
    private func watch() {
        let moves: Int? = state.withLock { state in
            guard !state.isWatched, state.isAwaited else { return nil }
            state.isWatched = true
            return state.moves
        }
        guard let moves else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + patience) { [weak self] in
            guard let self else { return }
            let complaint: String? = state.withLock { state in
                state.isWatched = state.isAwaited && state.moves == moves
                return state.isWatched ? state.complaint : nil
            }
            if let complaint { complain(complaint) } else { watch() }
        }
    }
}

extension TestClock.State {
    fileprivate var isAwaited: Bool { !waits.isEmpty || !watchers.isEmpty }

    /// The pending waits, and their durations.
    fileprivate var complaint: String {
        let times = waits.map { "for \($0.deadline - now)" }.joined(separator: ", ")
        var text = "TestClock: the clock is not being moved and stands at \(now). "
        text += waits.isEmpty ? "Nothing is waiting for it." : "Pending waits: " + times + "."
        for watcher in watchers { text += " A test is waiting for \(watcher.count) waits." }
        guard waits.isEmpty else { return text + " Move it with advance(by:) or advanceToNext()." }
        return text + " A call that is answered without a delay does not wait: do not move the clock for it."
    }

    fileprivate mutating func makeID() -> Int {
        nextID += 1
        return nextID
    }

    /// The next wait that is due, with the clock at its deadline; if there is none, the clock is at the given time.
    fileprivate mutating func takeNext(until moment: Duration) -> TestClock.Wait? {
        moves += 1
        guard let next = waits.first, next.deadline <= moment else {
            now = max(now, moment)
            return nil
        }
        now = max(now, next.deadline)
        return waits.remove(at: 0)
    }

    fileprivate mutating func takeWait(_ id: Int) -> TestClock.Wait? {
        for index in waits.indices where waits[index].id == id { return waits.remove(at: index) }
        return nil
    }
}
