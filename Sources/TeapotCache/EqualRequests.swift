import Teapot

/// The requests that the store cannot answer, each with the equal ones that wait for its response.
final class InFlightRequests: Sendable {
    private let leaders = Locked<[[String]: Leader]>([:])

    /// Lets a request wait for an equal one that is under way, or else lead the equal ones to come.
    /// - Returns: The leader, the request if it waits, and the leader before, to release outside of the lock: it may cancel its exchange.
    func join(_ key: [String], _ request: @autoclosure () -> WaitingRequest) -> (Leader, WaitingRequest?, Leader?) {
        leaders.withLock { leaders in
            let last = leaders[key]
            if let last, let request = last.add(request()) { return (last, request, nil) }
            let leader = Leader(key)
            leaders[key] = leader
            return (leader, nil, last)
        }
    }

    /// - Returns: A leader without a caller; `nil` if an equal request is under way.
    func lead(_ key: [String]) -> Leader? {
        leaders.withLock { leaders in
            guard leaders[key] == nil else { return nil }
            let leader = Leader(key)
            leaders[key] = leader
            return leader
        }
    }

    /// The exchange of a leader is over. Another leader may have its key by now, if nobody could wait for the first any more.
    func remove(_ leader: Leader) { leaders.withLock { if $0[leader.key] === leader { $0[leader.key] = nil } } }
}

/// A request under way, for whose response equal requests wait.
final class Leader: Sendable {
    private struct State {
        /// The requests that wait for its response; `nil` once they have gone on. A request that began to wait after
        /// that, and before the removal of this leader, would wait forever.
        var waiting: [WaitingRequest]? = []
        /// The event for a request that begins to wait.
        var news = TransportEvent.sent(0)
    }

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
        let news: TransportEvent =
            switch event.kind {
            case .queued: event
            // A body of unknown length may be endless, so the requests wait for a second at most.
            case .response(let head) where head.field("Content-Length") == nil:
                TransportEvent(.scheduled([.seconds(1)]) { self.release() })
            default: .sent(0)
            }
        state.withLock { state in
            if event.data == nil { state.news = news }
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
