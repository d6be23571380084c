import Teapot

/// A request under way.
final class Leader: Sendable {
    /// The parts that equal requests have in common. After a change, nobody waits for a response to a request before it.
    struct Key: Hashable {
        let method, url: String
        let fields: [FieldName: String]
        let invalidations: Int

        init(_ reservation: ResponseStore.Reservation) {
            method = reservation.asked.method
            url = reservation.asked.key
            fields = reservation.asked.equalFields
            invalidations = reservation.invalidations
        }
    }

    private struct State {
        /// The requests that wait for its response; `nil` once they have gone on: a request that began to wait between that and the
        /// removal of this leader would wait forever.
        var waiting: [WaitingRequest]? = []
        /// The event for a request that begins to wait.
        var news = TransportEvent.sent(0)
    }

    let key: Key
    private let state = Locked(State())
    /// Its exchange, if that ends with this object.
    let task = Locked<(any TransportTask)?>(nil)

    init(_ key: Key) { self.key = key }
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

    /// Its progress is that of the waiting requests, too: their timeouts go on.
    func report(_ event: TransportEvent) {
        let news =
            switch event.kind {
            case .queued: event
            // A body of unknown length may be endless: they wait for a second.
            case .response(let head) where head.field("Content-Length") == nil:
                TransportEvent(.scheduled([.seconds(1)]) { self.release() })
            default: TransportEvent.sent(0)
            }
        state.withLock { state in
            // This only puts the event into their queues: no code of theirs runs under the lock.
            if event.data == nil { state.news = news }
            state.waiting?.forEach { $0.report(news) }
        }
    }

    /// Lets the waiting requests go on.
    func release() { state.withLock { $0.waiting.take() }?.forEach { $0.proceed() } }
}

/// The exchange of a leader. If its caller cancels it, or reads slowly, the others go on.
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
