internal import Foundation

/// Hands progress to a caller, at a bounded rate and the last always, one call after the other on a queue of its own.
final class ProgressMeter: Sendable {
    private struct State {
        /// What has not been handed over yet.
        var latest: TransferProgress?
        var isScheduled = false
        var isFinished = false
        var nextTime = DispatchTime.now()
    }

    /// Seconds between two calls.
    static let interval = 0.1

    private let state = Locked(State())
    private let queue = DispatchQueue(label: "Teapot.ProgressMeter")
    private let report: @Sendable (TransferProgress) -> Void

    init(_ report: @escaping @Sendable (TransferProgress) -> Void) {
        self.report = report
    }

    func update(_ progress: TransferProgress) {
        let time: DispatchTime? = state.withLock { state in
            guard !state.isFinished else { return nil }
            state.latest = progress
            guard !state.isScheduled else { return nil }
            state.isScheduled = true
            return state.nextTime
        }
        if let time { queue.asyncAfter(deadline: time) { self.handOver() } }
    }

    /// Hands over the last, and then calls on; nothing is handed over after that.
    func finish(_ goOn: @escaping @Sendable () -> Void) {
        state.withLock { $0.isFinished = true }
        queue.async {
            self.handOver()
            goOn()
        }
    }

    private func handOver() {
        let progress: TransferProgress? = state.withLock { state in
            state.isScheduled = false
            state.nextTime = .now() + Self.interval
            defer { state.latest = nil }
            return state.latest
        }
        if let progress { report(progress) }
    }
}

/// How far a download or an upload has come.
public struct TransferProgress: Sendable, Hashable {
    /// How many bytes were transferred so far, those of a file that is resumed included.
    public let bytes: Int
    /// How many there are in all; `nil` when that is not known.
    public let expectedBytes: Int?

    /// Makes a state of a transfer, such as one for the preview or the test of a progress bar.
    ///
    /// - Parameters:
    ///   - bytes: How many bytes were transferred so far.
    ///   - expectedBytes: How many there are in all; `nil` when that is not known.
    public init(bytes: Int, expectedBytes: Int?) {
        self.bytes = bytes
        self.expectedBytes = expectedBytes
    }

    /// From 0 to 1; `nil` when the number of bytes in all is not known.
    public var fraction: Double? {
        expectedBytes.map { $0 > 0 ? min(Double(bytes) / Double($0), 1) : 1 }
    }
}
