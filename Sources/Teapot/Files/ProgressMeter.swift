import Foundation

/// Reports progress at most ten times a second by the clock of the client, in order, on a queue of its own. The last
/// state is always reported.
final class ProgressMeter: Sendable {
    private struct State {
        /// The reports for the queue, in order.
        var reports: [Teapot.TransferProgress] = []
        /// The latest progress, if it came too early for a report.
        var held: Teapot.TransferProgress?
        /// Whether the queue will look at ``held`` again.
        var isWaiting = false
        /// An update of another thread may come after the end, and must not become the last report.
        var isFinished = false
        var nextTime = Duration.zero

        /// Adds a report. A slow caller gets fewer of them.
        mutating func add(_ progress: Teapot.TransferProgress) {
            held = nil
            if reports.count == 32 { reports.removeLast() }
            reports.append(progress)
        }

        /// - Returns: The time until the next report, which is zero if one is due; `nil` if there is nothing to do.
        mutating func take(_ progress: Teapot.TransferProgress, isFirst: Bool, at now: Duration) -> Duration? {
            guard !isFinished else { return nil }
            if isFirst || now >= nextTime {
                add(progress)
                if !isFirst { nextTime = now + .milliseconds(100) }
                return .zero
            }
            held = progress
            defer { isWaiting = true }
            return isWaiting ? nil : nextTime - now
        }
    }

    private let state = Locked(State())
    private let queue = DispatchQueue(label: "Teapot.ProgressMeter")
    private let time: any TimeSource
    private let report: @Sendable (Teapot.TransferProgress) -> Void

    init(_ time: any TimeSource, _ report: @escaping @Sendable (Teapot.TransferProgress) -> Void) {
        self.time = time
        self.report = report
    }

    /// Takes the state of the transfer. The first one, before anything is sent or received, is always reported.
    func update(_ progress: Teapot.TransferProgress, isFirst: Bool = false) {
        let now = time.elapsed
        guard let rest = state.withLock({ $0.take(progress, isFirst: isFirst, at: now) }) else { return }
        if rest > .zero { wait(rest) } else { queue.async { self.handOver() } }
    }

    /// Looks at the held progress again. The queue waits in real time, because a timer would be another wait on the clock of a test.
    private func wait(_ rest: Duration) {
        queue.asyncAfter(deadline: .now() + rest.seconds) { [weak self] in
            guard let self else { return }
            let now = time.elapsed
            let rest = state.withLock { state in
                state.isWaiting = false
                guard let held = state.held else { return Duration.zero }
                return state.take(held, isFirst: false, at: now) ?? .zero
            }
            if rest > .zero { wait(rest) } else { handOver() }
        }
    }

    /// Reports the last progress, and then calls `then`; nothing is reported after that.
    func finish(_ then: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.isFinished = true
            if let held = state.held { state.add(held) }
        }
        queue.async {
            self.handOver()
            then()
        }
    }

    private func handOver() {
        while let next = state.withLock({ $0.reports.isEmpty ? nil : $0.reports.removeFirst() }) { report(next) }
    }
}
