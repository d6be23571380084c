import TeapotFoundation

/// One request and its response (RFC 9110, section 3.4): a state machine with a lock of its own.
///
/// It is started once, and ends once, with an ``Ending``: by its transport, its timeout, the call's deadline, the size limit,
/// its sink, or its call. What comes after that is dropped. Nothing foreign is called under the lock.
final class Exchange: Sendable {
    /// Whether the caller's task is suspended. Several threads may change that: the highest number is the latest.
    struct Suspension: Sendable {
        var isOn = false
        var number = 0
    }

    typealias Next = @Sendable (Call, Exchange, Ending) -> CallPlan.Step?

    /// The number of its request: see ``Teapot/Teapot/SentRequest``. 0 if nobody sees it.
    let id: Int
    /// The number of the attempt.
    let attempt: Int
    /// The secrets of the call, with the credentials in use.
    let secrets: SecretPolicy
    /// As it was sent, without cookies.
    let request: URLRequest
    /// Of the request's body; `nil` if it is unknown.
    let bodySize: Int?
    private let context: Call.Context
    private let hooks: Call.Hooks
    /// When it began, in the time of the call.
    private let start: Duration
    /// Seconds without progress; `nil` for no limit.
    private let timeout: TimeInterval?
    private let timeoutReason: String?
    /// Decides what the call does after the ending.
    let next: Next
    private let state: Locked<State>

    init(
        _ request: URLRequest,
        bodySize: Int? = 0,
        id: Int = 0,
        attempt: Int = 0,
        secrets: SecretPolicy = .standard,
        timeout: TimeInterval?,
        _ timeoutReason: String? = nil,
        of call: Call,
        next: @escaping Next
    ) {
        (self.id, self.attempt, self.secrets) = (id, attempt, secrets)
        (self.timeout, self.timeoutReason, self.next) = (timeout, timeoutReason, next)
        (context, hooks) = (call.context, call.hooks)
        (self.request, self.bodySize) = (request, bodySize)
        start = context.time.elapsed
        state = Locked(State(call, timeout: timeout.map { .nanoseconds(Int64($0 * 1e9)) }, at: start))
    }

    // MARK: - For the caller's task and the log

    var response: ResponseHead? { state.withLock { $0.response } }
    var bytesSent: Int { state.withLock { $0.bytesSent } }
    var bytesReceived: Int { state.withLock { $0.bytesReceived } }
    var timings: Teapot.Timings { state.withLock { $0.timings } }
    /// The transport's own task, for platforms where Teapot cannot make one.
    var urlSessionTask: URLSessionTask? { state.withLock { $0.task }?.urlSessionTask }

    private var time: any TimeSource { context.time }
    /// The time since it began.
    var age: Duration { time.elapsed - start }

    // MARK: - The call

    /// Starts the exchange.
    /// - Returns: The ending, if it came on this thread; otherwise the call gets it on another.
    func start(with transport: (@escaping @Sendable (TransportEvent) -> Void) -> (any TransportTask)?) -> Ending? {
        let started = transport { self.receive($0) }
        let now = time.elapsed
        var work = state.withLock { $0.start(started, at: now) }
        let ending = work.ending.take()
        carryOut(work)
        return ending
    }

    /// Ends the exchange; the call gets no ending.
    /// - Returns: Whether the call would have got one.
    func cancel() -> Bool {
        var work = state.withLock { $0.cancel() }
        let isDropped = work.ending != nil
        work.ending = nil
        carryOut(work)
        return isDropped
    }

    /// Pauses the timeout while the caller's task is suspended, and keeps the ending until it is resumed.
    func set(_ suspension: Suspension) {
        let now = time.elapsed
        carryOut(
            state.withLock { state in
                guard suspension.number > state.suspension.number else { return Work() }
                (state.suspension, state.lastProgress) = (suspension, now)
                return suspension.isOn ? Work(timer: state.timer.stop()) : state.next(at: now)
            }
        )
    }

    /// Asks the transport to pause the body, or to resume it. The timeout is paused meanwhile.
    /// - Returns: Whether there was a transport to ask.
    func pauseBody(_ isPaused: Bool) -> Bool {
        let now = time.elapsed
        let (task, work) = state.withLock { state in
            guard let task = state.task else { return ((any TransportTask)?.none, Work()) }
            (state.isPaused, state.lastProgress) = (isPaused, now)
            return (task, isPaused ? Work() : state.next(at: now))
        }
        guard let task else { return false }
        isPaused ? task.suspend() : task.resume()
        carryOut(work)
        return true
    }

    /// Checks the time: for the timer, and for a caller who waits on its own thread.
    func checkTime() { carryOut(dueWork()) }

    private func dueWork() -> Work {
        let (task, line) = state.withLock { ($0.task, $0.line) }
        let isTaskSuspended = !CallTask.isAvailable && task?.urlSessionTask?.state == .suspended
        let now = time.elapsed
        let reasons = (
            timeout: timeoutReason ?? "there was no progress for \(timeout ?? 0) seconds",
            deadline: line.map { "waited \((now - start).inSeconds) for \($0.origin.line(of: $0.connections))" }
                ?? "the call's deadline has passed"
        )
        return state.withLock { state in
            // A task that waits for a connection, or is suspended by the caller, cannot make progress.
            if line != nil || isTaskSuspended { state.lastProgress = now }
            return state.next(at: now, reasons)
        }
    }

    // MARK: - The transport and the sink

    private func receive(_ event: TransportEvent) {
        let now = time.elapsed
        let (isOnEventThread, work) = state.withLock { state in
            // Not for a wait, nor for events on the thread that starts the exchange, or that asked for them.
            let isOnEventThread = attempt > 0 && !state.isOnStarter && !state.isReporting
            return (isOnEventThread, state.receive(event, at: now, hooks, limit: context.settings.maximumResponseSize))
        }
        isOnEventThread ? EventThread.run { carryOut(work) } : carryOut(work)
    }

    /// Passes an event to the sink. Transports report one at a time.
    private func feed(_ call: (any BodySink) throws(TeapotError) -> Void) {
        guard let sink = hooks.sink else { return }
        var failure: TeapotError?
        do throws(TeapotError) { try call(sink) } catch { failure = error }
        carryOut(
            state.withLock { state in
                state.sinkUse = .begun
                return failure.map { state.end(with: $0, isPremature: true) } ?? Work()
            }
        )
    }

    // MARK: - After the lock

    private func carryOut(_ work: Work) {
        perform(work)
        // In a loop, as the stack cannot hold thousands of events that are due.
        var scheduled = work.scheduled
        while let report = scheduled {
            report()
            state.withLock { $0.isReporting = false }
            let due = dueWork()
            perform(due)
            scheduled = due.scheduled
        }
    }

    /// All but the scheduled event.
    private func perform(_ work: Work) {
        switch work.news {
        case .none: break
        case .sent(let count): hooks.sent?(count, bodySize)
        case .begin(let response): feed { sink throws(TeapotError) in try sink.begin(response) }
        case .append(let piece): feed { sink throws(TeapotError) in try sink.receive(piece) }
        }
        work.timer?.cancel()
        if work.cancelsTask { work.task?.cancel() }
        if let (time, number) = work.alarm {
            let timer = self.time.timer(at: time) { self.checkTime() }
            state.withLock { $0.timer.keep(timer, number: number) }?.cancel()
        }
        if let ending = work.ending { work.call?.go(on: ending, of: self) }
    }
}
