internal import Foundation

/// The system's monotonic time, which stands still while the machine sleeps.
struct DispatchTimer: TimeSource {
    private static let queue = DispatchQueue(label: "Teapot.DispatchTimer", attributes: .concurrent)

    var elapsed: Duration { .nanoseconds(DispatchTime.now().uptimeNanoseconds) }

    /// Fires on a private queue, after a day at the latest.
    func timer(at deadline: Duration, fire: @escaping @Sendable () -> Void) -> ScheduledTimer {
        // A dispatch source may be used from any thread, and the reference to it never changes.
        nonisolated(unsafe) let source = DispatchSource.makeTimerSource(queue: Self.queue)
        source.schedule(deadline: .now() + min(max((deadline - elapsed).seconds, 0), 86_400), leeway: .milliseconds(5))
        source.setEventHandler(handler: fire)
        source.activate()
        return ScheduledTimer { source.cancel() }
    }
}

extension Duration {
    /// In seconds, as exactly as `Double` can say.
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
