import TeapotFoundation

/// One request and its response (RFC 9110, section 3.4).
///
/// It is started once, and ends once, with an ``ExchangeResult``: by its transport, its timeout, the call's deadline, the size limit,
/// its sink, or its call. What comes after that is dropped. Each event is a transition of the ``State`` under a lock; what it asks for,
/// an ``Action``, is done once the lock is released, as transports, sinks and plugins may come back here.
final class Exchange: Sendable {
    /// The number of its request: see ``Teapot/Teapot/SentRequest``. 0 if nobody sees it.
    let id: Int
    let attempt: Int
    /// The secrets of the call, with the credentials in use.
    let secrets: SecretPolicy
    /// The request as it was sent, but without cookies.
    let request: URLRequest
    let url: URL?
    /// The size of the request's body in bytes; `nil` if it is unknown.
    let bodySize: Int?
    /// The number of redirects that led to it, and whether its body cannot be sent again.
    private let redirects: (count: Int, isSentOnce: Bool)
    /// Whether the loop of the call goes on on the transport's thread. ``EventThread`` marks the thread meanwhile. A mock has no thread
    /// of its own.
    private let isOnTransport: Bool
    private let time: any TimeSource
    /// When it began, in the time of the call.
    private let start: Duration
    private let state: Locked<State>

    init(_ outgoing: Indirect<OutgoingRequest>, id: Int, of call: Call) {
        self.id = id
        attempt = call.plan.attempts
        secrets = call.plan.secrets
        request = outgoing.value.urlRequest
        url = request.url
        bodySize = OutgoingRequest.size(of: request.httpBody, outgoing.value.sent.file, outgoing.value.sent.bodyPieces)
        redirects = (outgoing.value.redirects, outgoing.value.sent.bodyPieces != nil)
        isOnTransport = call.owner.isClosure && !call.context.settings.answersAtOnce
        time = call.context.time
        start = time.elapsed
        state = Locked(State(of: call, timeout: request.timeout, at: start))
    }

    // MARK: - For the caller's task and the log

    var response: ResponseHead? { state.withLock { $0.response } }
    var bytesSent: Int { state.withLock { $0.bytesSent } }
    var bytesReceived: Int { state.withLock { $0.bytesReceived } }
    var timings: Teapot.Timings { state.withLock { $0.timings } }
    /// The transport's own task, for platforms where Teapot cannot make one.
    var urlSessionTask: URLSessionTask? { state.withLock { $0.task }?.value.urlSessionTask }
    var target: CallDetails.Target? { url.map { (request.httpMethod ?? "GET", $0) } }
    var age: Duration { time.elapsed - start }

    // MARK: - The call

    /// Starts the exchange, unless it was cancelled.
    /// - Returns: The result, if it came on this thread; otherwise the exchange hands over its event to the call.
    func start(for call: Call, over transport: any Transport, sending request: TransportRequest) -> ExchangeResult? {
        guard state.withLock({ $0.start(for: call) }) else {
            call.handle(.cancelled)
            return nil
        }
        let task = transport.start(request) { self.receive($0) }.map { Indirect($0) }
        let now = time.elapsed
        // The transport may have reported the end already, here or on a thread of its own, and the call may have been cancelled.
        let (action, result) = state.withLock { $0.didStart(task, at: now) }
        perform(action)
        return result
    }

    /// Ends the exchange, whose event is `cancelled`, unless it has an event already.
    func cancel() { perform(state.withLock { $0.cancel() }) }

    /// The caller's task stops: so does the timeout. The deadline still ends it.
    func suspend() {
        let (timer, action) = state.withLock { ($0.timer.stop(), $0.wakeAtDeadline()) }
        timer?.cancel()
        perform(action)
    }

    /// The caller's task goes on: the timeout begins anew.
    func resume() {
        let now = time.elapsed
        perform(state.withLock { $0.resume(at: now) })
    }

    func pauseBody(_ isPaused: Bool) -> Bool {
        let now = time.elapsed
        let (task, action) = state.withLock { ($0.task, $0.pauseBody(isPaused, at: now)) }
        guard let task else { return false }
        isPaused ? task.value.suspend() : task.value.resume()
        perform(action)
        return true
    }

    /// Checks the time: for the timer, and for a caller who waits on its own thread.
    func checkTime() {
        let (call, task) = state.withLock { ($0.call, $0.task) }
        // Without the exchange's lock. If the caller suspends its task after this line, the timeout still counts; if the caller resumes
        // the task, the time is checked again.
        guard let call else { return }
        let isSuspended = call.isSuspended
        let isTaskSuspended = !CallTask.isAvailable && task?.value.urlSessionTask?.state == .suspended
        let now = time.elapsed
        let action = state.withLock {
            guard !isSuspended else { return $0.checkDeadline(at: now) }
            return $0.checkTime(at: now, isReal: time is DispatchTimer, isTaskSuspended: isTaskSuspended)
        }
        perform(action)
    }

    // MARK: - The transport and the sink

    private func receive(_ event: TransportEvent) {
        let now = time.elapsed
        let action = state.withLock { $0.receive(event, at: now, of: self) }
        guard isOnTransport, case .end = action else { return perform(action) }
        EventThread.run { perform(action) }
    }

    /// Passes an event to the sink. Transports report one at a time.
    private func feed(_ sink: any BodySink, _ call: () throws(TeapotError) -> Void) {
        var failure: TeapotError?
        do throws(TeapotError) { try call() } catch { failure = error }
        if failure == nil, sink.isReader { return }
        perform(state.withLock { $0.didFeed(failure) })
    }

    /// If the response is a redirect that the call follows, no more of its body is needed than the connection needs to be used again.
    private func leave(_ response: ResponseHead) {
        let policy = RedirectPolicy(secrets: secrets, isSentOnce: redirects.isSentOnce)
        guard case .follow = policy.decision(for: request, response, after: redirects.count) else { return }
        let now = time.elapsed
        perform(state.withLock { $0.leave(at: now) })
    }

    private func perform(_ action: Action?) {
        switch action {
        case nil: break
        case .leave(let response): leave(response)
        case .report(let next): report(next)
        case .tell(let count, let sent): sent(count, bodySize)
        case .begin(let response, let sink): feed(sink) { () throws(TeapotError) in try sink.begin(response) }
        case .append(let piece, let sink): feed(sink) { () throws(TeapotError) in try sink.receive(piece) }
        case .wake(let time, let number):
            let timer = self.time.timer(at: time) { self.checkTime() }
            // The exchange may have ended, or asked for another time, since the lock was released: this timer is cancelled then.
            state.withLock { $0.timer.keep(timer, number: number) }?.cancel()
        case .release(let resources): resources?.value.release()
        case .end(let result, let call, let resources):
            resources?.value.release()
            call.handle(result.map { .result($0, of: self) } ?? .cancelled)
        }
    }

    /// In a loop, as the stack cannot hold thousands of events that are due.
    private func report(_ first: @escaping @Sendable () -> Void) {
        var action: Action? = .report(first)
        while case .report(let next) = action {
            next()
            let now = time.elapsed
            action = state.withLock { $0.didReport(at: now) }
        }
        perform(action)
    }
}
