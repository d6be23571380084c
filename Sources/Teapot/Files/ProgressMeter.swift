import Foundation

/// Reports progress to a caller at a limited rate by the clock of the client, in order, on a queue of its own; the last state is always
/// reported.
final class ProgressMeter: Sendable {
    private struct State {
        /// On their way to the queue, in order.
        var reports: [Teapot.TransferProgress] = []
        /// The latest progress, if it came too early to be reported.
        var held: Teapot.TransferProgress?
        /// Whether the held one is looked at again.
        var isWaiting = false
        /// An update of another thread may come after the end, and must not be the last one that is reported.
        var isFinished = false
        var nextTime = Duration.zero

        /// A caller that is slow gets fewer than others.
        mutating func add(_ progress: Teapot.TransferProgress) {
            held = nil
            if reports.count == 32 { reports.removeLast() }
            reports.append(progress)
        }

        /// Adds one that has come, unless that is too early.
        /// - Returns: The time until it may be reported, otherwise.
        mutating func take(_ progress: Teapot.TransferProgress, at now: Duration) -> Duration? {
            guard now >= nextTime else {
                held = progress
                return nextTime - now
            }
            add(progress)
            nextTime = now + ProgressMeter.interval
            return nil
        }
    }

    /// The time between two reports.
    static let interval = Duration.milliseconds(100)

    private let state = Locked(State())
    private let queue = DispatchQueue(label: "Teapot.ProgressMeter")
    private let time: any TimeSource
    private let report: @Sendable (Teapot.TransferProgress) -> Void

    init(_ time: any TimeSource, _ report: @escaping @Sendable (Teapot.TransferProgress) -> Void) {
        self.time = time
        self.report = report
    }

    /// - Parameters:
    ///   - progress: The state of the transfer.
    ///   - isFirst: Whether it is the state before anything was sent or received, which is reported in any case.
    func update(_ progress: Teapot.TransferProgress, isFirst: Bool = false) {
        let now = time.elapsed
        let (isReported, rest): (Bool, Duration?) = state.withLock { state in
            guard !state.isFinished else { return (false, nil) }
            if isFirst { state.add(progress) }
            guard !isFirst, let rest = state.take(progress, at: now) else { return (true, nil) }
            defer { state.isWaiting = true }
            return (false, state.isWaiting ? nil : rest)
        }
        if isReported { queue.async { self.handOver() } }
        if let rest { wait(rest) }
    }

    /// Looks again at what is held. The queue waits in real time: a timer would be another wait on the clock of a test.
    private func wait(_ rest: Duration) {
        queue.asyncAfter(deadline: .now() + rest.seconds) { [weak self] in
            guard let self else { return }
            let now = time.elapsed
            let rest = state.withLock { state in
                let rest = state.held.flatMap { state.take($0, at: now) }
                state.isWaiting = rest != nil
                return rest
            }
            if let rest { wait(rest) } else { handOver() }
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
