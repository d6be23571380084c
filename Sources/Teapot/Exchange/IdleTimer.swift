internal import Foundation

/// A timer that fires once.
///
/// `@unchecked` is sound: a dispatch source may be used from any thread, and the reference to it never changes.
package final class IdleTimer: @unchecked Sendable {
    private let source = DispatchSource.makeTimerSource(queue: queue)

    private static let queue = DispatchQueue(label: "Teapot.IdleTimer", attributes: .concurrent)

    /// Sets a timer.
    ///
    /// - Parameters:
    ///   - delay: Seconds; at most a day, after which the timer fires early.
    ///   - fire: Called on a private queue, unless the timer was cancelled before.
    init(after delay: TimeInterval, fire: @escaping @Sendable () -> Void) {
        source.schedule(deadline: .now() + min(max(delay, 0), 86_400), leeway: .milliseconds(5))
        source.setEventHandler(handler: fire)
        source.activate()
    }

    func cancel() {
        source.cancel()
    }

    /// The seconds a caller's timeout stands for: 15 for what is no time, `nil` for no limit.
    package static func limit(for timeoutInterval: TimeInterval) -> TimeInterval? {
        guard timeoutInterval > 0 else { return 15 }
        return timeoutInterval.isFinite ? timeoutInterval : nil
    }
}
