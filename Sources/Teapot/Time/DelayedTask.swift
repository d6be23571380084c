internal import Foundation

/// The task of a mock's transport that answers after a delay. The exchange tells it when, so that delay and timeout are one
/// wait on one clock, and neither can overtake the other.
package final class DelayedTask: TransportTask {
    /// From the moment the transport was asked.
    package let delay: Duration
    private let end: Locked<(@Sendable (_ isCancelled: Bool) -> Void)?>

    /// Makes a task.
    ///
    /// - Parameters:
    ///   - delay: When to answer, from the moment the transport was asked.
    ///   - end: Called once: answers, or reports that the exchange was cancelled.
    package init(delay: Duration, end: @escaping @Sendable (_ isCancelled: Bool) -> Void) {
        self.delay = delay
        self.end = Locked(end)
    }

    func fire() {
        takeEnd()?(false)
    }

    package func cancel() {
        takeEnd()?(true)
    }

    private func takeEnd() -> (@Sendable (_ isCancelled: Bool) -> Void)? {
        end.withLock { end in
            defer { end = nil }
            return end
        }
    }
}
