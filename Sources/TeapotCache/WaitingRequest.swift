import Teapot

/// A request that waits for an equal one to end, and starts then.
final class WaitingRequest: TransportTask {
    private typealias Wait = (receive: @Sendable (TransportEvent) -> Void, start: @Sendable () -> (any TransportTask)?)

    /// Runs all code of callers, one after the other, while nobody holds a lock.
    private let queue = DispatchQueue(label: "Teapot.WaitingRequest")
    /// `nil` once the wait is over.
    private let wait: Locked<Wait?>
    /// The exchange after the wait.
    private let next = Locked<(any TransportTask)?>(nil)

    init(
        _ receive: @escaping @Sendable (TransportEvent) -> Void,
        start: @escaping @Sendable () -> (any TransportTask)?
    ) { wait = Locked((receive, start)) }

    var isWaiting: Bool { wait.withLock { $0 != nil } }
    func report(_ event: TransportEvent) { queue.async { self.wait.withLock { $0 }?.receive(event) } }

    func proceed() {
        queue.async {
            guard let wait = self.wait.withLock({ $0.take() }) else { return }
            // The request is not in line any more, unless its own exchange says so.
            wait.receive(.sent(0))
            guard let task = wait.start() else { return }
            self.next.withLock { $0 = task }
        }
    }

    func cancel() {
        queue.async {
            self.task?.cancel()
            self.wait.withLock { $0.take() }?.receive(.finished(URLError(.cancelled)))
        }
    }

    func suspend() { queue.async { self.task?.suspend() } }
    func resume() { queue.async { self.task?.resume() } }
    var urlSessionTask: URLSessionTask? { task?.urlSessionTask }
    private var task: (any TransportTask)? { next.withLock { $0 } }
}
