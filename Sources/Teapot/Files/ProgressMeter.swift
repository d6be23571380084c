import Foundation

/// Reports progress to a caller at a limited rate, in order, on a queue of its own; the last state is always reported.
final class ProgressMeter: Sendable {
    private struct State {
        /// The latest progress that has not been reported.
        var latest: Teapot.TransferProgress?
        /// Whether a report is on its way to the queue. It takes what is the latest by then, so an update before it starts no other.
        var isScheduled = false
        /// An update of another thread may come after the end, and must not be the last one that is reported.
        var isFinished = false
        var nextTime = DispatchTime.now()
    }

    /// Seconds between two calls.
    static let interval = 0.1

    private let state = Locked(State())
    private let queue = DispatchQueue(label: "Teapot.ProgressMeter")
    private let report: @Sendable (Teapot.TransferProgress) -> Void

    init(_ report: @escaping @Sendable (Teapot.TransferProgress) -> Void) { self.report = report }

    func update(_ progress: Teapot.TransferProgress) {
        let time: DispatchTime? = state.withLock { state in
            guard !state.isFinished else { return nil }
            state.latest = progress
            guard !state.isScheduled else { return nil }
            state.isScheduled = true
            return state.nextTime
        }
        if let time { queue.asyncAfter(deadline: time) { self.handOver() } }
    }

    /// Reports the last progress, and then calls `then`; nothing is reported after that.
    func finish(_ then: @escaping @Sendable () -> Void) {
        state.withLock { $0.isFinished = true }
        queue.async {
            self.handOver()
            then()
        }
    }

    private func handOver() {
        let progress: Teapot.TransferProgress? = state.withLock { state in
            state.isScheduled = false
            state.nextTime = .now() + Self.interval
            defer { state.latest = nil }
            return state.latest
        }
        if let progress { report(progress) }
    }
}
