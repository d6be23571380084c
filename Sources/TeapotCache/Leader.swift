import Teapot

/// A request under way, for whose response equal requests wait.
final class Leader: Sendable {
    private struct State {
        /// The requests that wait for its response; `nil` once they have gone on. A request that began to wait after that, and before
        /// the removal of this leader, would wait forever.
        var waiting: [WaitingRequest]? = []
        /// The event for a request that begins to wait.
        var news = TransportEvent.sent(0)
    }

    /// The parts that equal requests have in common.
    let key: [String]
    private let state = Locked(State())
    /// The exchange of the request, if the exchange ends with this object.
    let task = Locked<(any TransportTask)?>(nil)

    init(_ key: [String]) { self.key = key }
    deinit { cancel() }

    func cancel() {
        release()
        task.withLock { $0 }?.cancel()
    }

    /// - Returns: The request, if it waits from now on.
    func add(_ request: WaitingRequest) -> WaitingRequest? {
        state.withLock { state in
            guard let waiting = state.waiting?.filter(\.isWaiting) else { return nil }
            request.report(state.news)
            state.waiting = waiting + [request]
            return request
        }
    }

    /// Reports progress to the waiting requests, too, so that their timeouts go on.
    func report(_ event: TransportEvent) {
        var news = TransportEvent.sent(0)
        var isLasting = true
        switch event.kind {
        case .queued: news = event
        // A body of unknown length may be endless, so the requests wait for a second at most.
        case .response(let head) where head.field("Content-Length") == nil:
            news = TransportEvent(.scheduled([.seconds(1)]) { self.release() })
        case .data: isLasting = false
        default: break
        }
        state.withLock { [news, isLasting] state in
            if isLasting { state.news = news }
            // This only puts the event into their queues: no code of theirs runs under the lock.
            for request in state.waiting ?? [] { request.report(news) }
        }
    }

    /// Lets the waiting requests go on.
    func release() { state.withLock { $0.waiting.take() }?.forEach { $0.proceed() } }
}

/// The exchange of a leader. If its caller cancels it, or reads slowly, the waiting requests go on.
struct LeadingTask: TransportTask {
    let task: any TransportTask
    let leader: Leader

    func cancel() {
        leader.release()
        task.cancel()
    }

    func suspend() {
        leader.release()
        task.suspend()
    }

    func resume() { task.resume() }
    var urlSessionTask: URLSessionTask? { task.urlSessionTask }
}
