import Foundation

/// Measures timeouts and delays: the system's time, or a given clock.
package protocol TimeSource: Sendable {
    /// The time since a fixed moment.
    var elapsed: Duration { get }

    /// Sets a timer that fires once, on any thread, unless it is cancelled before. The deadline is in the time of ``elapsed``.
    func timer(at deadline: Duration, fire: @escaping @Sendable () -> Void) -> ScheduledTimer
}

extension TimeSource {
    /// Suspends for a duration, or until the task is cancelled.
    func sleep(for duration: Duration) async {
        let (moments, continuation) = AsyncStream.makeStream(of: Void.self)
        let timer = timer(at: elapsed + duration) { continuation.finish() }
        for await _ in moments {}
        timer.cancel()
    }
}

package struct ScheduledTimer: Sendable {
    /// Prevents the timer from firing, if it has not fired yet; can be called at any moment, from any thread.
    package let cancel: @Sendable () -> Void

    package init(cancel: @escaping @Sendable () -> Void) { self.cancel = cancel }
}

/// The one timer that somebody waits for. It is set without a lock and kept under one.
struct TimerSlot: Sendable {
    private var running: ScheduledTimer?
    private var number = 0

    /// The number of the next timer, which makes earlier ones useless: greater than all before, and never 0.
    mutating func next() -> Int {
        number += 1
        return number
    }

    /// Keeps a timer, and returns one to cancel: the one before it, or itself if there is no use for it any more.
    mutating func keep(_ timer: ScheduledTimer, number: Int) -> ScheduledTimer? {
        guard number == self.number else { return timer }
        defer { running = timer }
        return running
    }

    /// - Returns: The timer to cancel.
    mutating func stop() -> ScheduledTimer? {
        number += 1
        defer { running = nil }
        return running
    }
}

/// The system's monotonic time, which stands still while the machine sleeps.
package struct DispatchTimer: TimeSource {
    private static let alarm = Alarm()

    package init() {}

    package var elapsed: Duration { .nanoseconds(DispatchTime.now().uptimeNanoseconds) }

    /// Fires on a private queue.
    package func timer(at deadline: Duration, fire: @escaping @Sendable () -> Void) -> ScheduledTimer {
        let number = Self.alarm.add(deadline, fire)
        return ScheduledTimer { Self.alarm.remove(number) }
    }
}

/// All timers of the system's time, over one Dispatch timer, as arming and disarming one takes longer than the rest of a call.
/// It is armed for the earliest timer, and stays armed when that is cancelled, as most are: the next is due later.
private final class Alarm: Sendable {
    private struct State {
        var timers: [Int: (deadline: Duration, fire: @Sendable () -> Void)] = [:]
        var lastNumber = 0
        var armed: Duration?
    }

    // A dispatch source can be used from any thread, and the reference to it never changes.
    nonisolated(unsafe) private let source: any DispatchSourceTimer
    private let state = Locked(State())

    init() {
        source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "Teapot.Alarm"))
        source.setEventHandler { [weak self] in self?.ring() }
        source.schedule(deadline: .distantFuture)
        source.activate()
    }

    func add(_ deadline: Duration, _ fire: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.lastNumber += 1
            state.timers[state.lastNumber] = (deadline, fire)
            if state.armed.map({ deadline < $0 }) ?? true { arm(&state, for: deadline) }
            return state.lastNumber
        }
    }

    func remove(_ number: Int) {
        // The closure is released after the lock: its `deinit` may call back here.
        _ = state.withLock { $0.timers.removeValue(forKey: number) }
    }

    private func ring() {
        let due = state.withLock { state in
            let now = DispatchTimer().elapsed
            let due = state.timers.filter { $0.value.deadline <= now }
            for number in due.keys { state.timers[number] = nil }
            state.armed = nil
            if let next = state.timers.values.map(\.deadline).min() { arm(&state, for: next) }
            return due.values.map(\.fire)
        }
        for fire in due { DispatchQueue.runApart(fire) }
    }

    /// Called under the lock, so that the last change wins.
    private func arm(_ state: inout State, for deadline: Duration) {
        state.armed = deadline
        let time = min(max((deadline - DispatchTimer().elapsed).seconds, 0), 86_400)
        source.schedule(deadline: .now() + time, leeway: .milliseconds(5))
    }
}

extension Duration {
    /// In whole milliseconds, thirty years at most.
    package var milliseconds: Int { Int((min(max(seconds, 0), 1e9) * 1000).rounded()) }

    /// For a sentence: `12 s`, `0.4 s`.
    var inSeconds: String {
        let tenths = (seconds * 10).rounded() / 10
        return tenths == tenths.rounded() ? "\(Int(min(tenths, 1e15))) s" : "\(tenths) s"
    }

    /// From zero to thirty years: a longer time cannot be added to that of every clock.
    package var bounded: Duration { min(max(self, .zero), .seconds(1_000_000_000)) }

    /// In seconds, as exactly as `Double` can represent.
    var seconds: Double { self / .seconds(1) }
}

/// The time of a caller's clock. Each timer is a task that sleeps on it.
final class ClockTime<C: Clock>: TimeSource where C.Duration == Duration {
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
            do { try await clock.sleep(until: moment, tolerance: nil) } catch {
                // On a clock that cannot sleep, real time passes, so that the call does not wait forever.
                try? await Task.sleep(for: max(clock.now.duration(to: moment), .milliseconds(1)))
            }
            if !Task.isCancelled { fire() }
        }
        return ScheduledTimer { task.cancel() }
    }
}

extension Optional where Wrapped == any Clock<Duration> {
    package var timeSource: any TimeSource {
        guard let clock = self else { return DispatchTimer() }
        // TeapotMock's clocks set timers themselves, so that a timer exists before the call returns.
        return clock as? any TimeSource ?? Self.time(of: clock)
    }

    private static func time(of clock: some Clock<Duration>) -> any TimeSource { ClockTime(clock) }
}
