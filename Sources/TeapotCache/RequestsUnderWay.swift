import Teapot

/// The requests that the store cannot answer, each with the equal ones that wait for its response.
final class RequestsUnderWay: Sendable {
    private let leaders = Locked<[Leader.Key: Leader]>([:])

    /// Lets a request wait for an equal one that is under way, or else lead those to come.
    func join(_ key: Leader.Key, _ request: @autoclosure () -> WaitingRequest) -> (Leader, WaitingRequest?) {
        let (leader, request, _) = leaders.withLock { leaders in
            // Released outside of the lock, as that may cancel its exchange.
            let last = leaders[key]
            if let last, let request = last.add(request()) { return (last, Optional(request), last) }
            let leader = Leader(key)
            leaders[key] = leader
            return (leader, nil, last ?? leader)
        }
        return (leader, request)
    }

    /// - Returns: A leader without a caller; `nil` if an equal request is under way.
    func lead(_ key: Leader.Key) -> Leader? {
        leaders.withLock { leaders in
            guard leaders[key] == nil else { return nil }
            leaders[key] = Leader(key)
            return leaders[key]
        }
    }

    /// The exchange of a leader is over.
    func remove(_ leader: Leader) { leaders.withLock { if $0[leader.key] === leader { $0[leader.key] = nil } } }
}

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
        /// The requests that wait for its response; `nil` once they have gone on.
        var waiting: [WaitingRequest]? = []
        /// What is reported to a request that begins to wait.
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
    fileprivate func add(_ request: WaitingRequest) -> WaitingRequest? {
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
            if event.data == nil { state.news = news }
            state.waiting?.forEach { $0.report(news) }
        }
    }

    /// Lets the waiting requests go on.
    func release() { state.withLock { $0.waiting.take() }?.forEach { $0.goOn() } }
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

/// A request that waits for an equal one, and is started then.
final class WaitingRequest: TransportTask {
    private typealias Wait = (receive: @Sendable (TransportEvent) -> Void, start: @Sendable () -> (any TransportTask)?)

    /// All happens here, one after the other, while nobody holds a lock.
    private let queue = DispatchQueue(label: "Teapot.WaitingRequest")
    /// `nil` once the wait is over.
    private let wait: Locked<Wait?>
    /// The exchange after the wait.
    private let next = Locked<(any TransportTask)?>(nil)

    init(
        _ receive: @escaping @Sendable (TransportEvent) -> Void,
        start: @escaping @Sendable () -> (any TransportTask)?
    ) { wait = Locked((receive, start)) }

    fileprivate var isWaiting: Bool { wait.withLock { $0 != nil } }
    fileprivate func report(_ event: TransportEvent) { queue.async { self.wait.withLock { $0 }?.receive(event) } }

    fileprivate func goOn() {
        queue.async {
            guard let wait = self.wait.withLock({ $0.take() }) else { return }
            // It is not in line any more, unless its own exchange says so.
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
