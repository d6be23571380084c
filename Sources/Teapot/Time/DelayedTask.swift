internal import Foundation

/// The task of a mock's transport that answers after a delay. The exchange tells it when, so that delay and timeout are one
/// wait on one clock, and neither can overtake the other.
package final class DelayedTask: TransportTask {
    /// From the moment the transport was asked.
    package let delay: Duration
    private let answer: Locked<(@Sendable () -> Void)?>

    /// Makes a task.
    ///
    /// - Parameters:
    ///   - delay: When to answer, from the moment the transport was asked.
    ///   - answer: Reports the events; called at most once, and not after ``cancel()``.
    package init(delay: Duration, answer: @escaping @Sendable () -> Void) {
        self.delay = delay
        self.answer = Locked(answer)
    }

    func fire() {
        take()?()
    }

    package func cancel() {
        _ = take()
    }

    private func take() -> (@Sendable () -> Void)? {
        answer.withLock { answer in
            defer { answer = nil }
            return answer
        }
    }
}
