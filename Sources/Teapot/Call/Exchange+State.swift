import TeapotFoundation

extension Exchange {
    /// The work that a transition asks for.
    enum Action {
        /// Tell the caller the number of bytes of the request's body that were sent.
        case tell(Int, @Sendable (Int, Int?) -> Void)
        case begin(ResponseHead, any BodySink)
        /// Find out whether the call follows this redirect.
        case leave(ResponseHead)
        case append(Data, any BodySink)
        case wake(at: Duration, number: Int)
        /// Have the transport report the next scheduled event.
        case report(@Sendable () -> Void)
        /// Release the resources. The thread that starts the exchange has the result, or the call already has its event.
        case release(Indirect<Resources>?)
        /// Release the resources, and hand over the result to the call; without one, the cancellation.
        case end(ExchangeResult?, Call, Indirect<Resources>?)
    }

    /// The objects that an exchange releases at its end. It does so after the lock: the `deinit` of a foreign object may call it.
    struct Resources: Sendable {
        var timer: ScheduledTimer?
        var schedule: Timeouts.Schedule?
        var task: Indirect<any TransportTask>?
        /// Whether the transport may still be working on the task.
        var cancelsTask = false
        /// The part of the body that arrived before the exchange was cancelled.
        var data: Data?

        func release() {
            timer?.cancel()
            if cancelsTask { task?.value.cancel() }
        }
    }

    enum Phase {
        /// The transport does not have the request.
        case new
        /// The transport has yet to return its task.
        case starting(Call)
        case running(Call, Indirect<any TransportTask>?)
        /// The exchange has ended. The transport has yet to return its task, which is cancelled then unless the transport has
        /// reported the end. The result is there if the exchange has ended on the thread that starts it: the thread takes it then.
        /// Otherwise the call already has its event.
        case awaitsTask(ExchangeResult?, isReported: Bool)
        case over
    }

    struct State {
        private var phase = Phase.new
        /// The thread that makes and starts the exchange.
        private let starter = pthread_self()
        private var timeouts: Timeouts
        var timer = TimerSlot()
        private let options: Call.Options
        /// Of the body, in bytes.
        private var maximumSize: Int?
        /// Whether the response is a redirect that the call follows, whatever becomes of its body.
        private var isLeft = false
        private var sink: (any BodySink)?
        private var sinkState = ExchangeResult.SinkState.none
        private var data = Data()
        /// Whether a piece of the body has arrived. A decoded piece may be empty.
        private var hasBody = false
        // The caller's task shows these properties, also when the exchange is over.
        private(set) var response: ResponseHead?
        private(set) var timings = Teapot.Timings()
        private(set) var bytesSent = 0
        private(set) var bytesReceived = 0

        init(of call: Call, timeout: Duration?, at now: Duration) {
            timeouts = Timeouts(from: now, timeout: timeout, deadline: call.plan.rules.deadline)
            options = call.options
            maximumSize = call.context.settings.maximumResponseSize
        }
    }
}

extension Exchange.State {
    typealias Action = Exchange.Action

    /// The call, while it can get a result.
    var call: Call? {
        switch phase {
        case .starting(let call), .running(let call, _): call
        case .new, .awaitsTask, .over: nil
        }
    }

    var task: Indirect<any TransportTask>? { if case .running(_, let task) = phase { task } else { nil } }

    /// - Returns: `false` if the call was cancelled before.
    mutating func start(for call: Call) -> Bool {
        guard case .new = phase else { return false }
        phase = .starting(call)
        return true
    }

    mutating func didStart(_ task: Indirect<any TransportTask>?, at now: Duration) -> (Action?, ExchangeResult?) {
        switch phase {
        case .starting(let call):
            phase = .running(call, task)
            return (next(at: now), nil)
        case .awaitsTask(let result, let isReported):
            phase = .over
            return (.release(task.map { Indirect(Exchange.Resources(task: $0, cancelsTask: !isReported)) }), result)
        case .new, .running, .over: return (nil, nil)
        }
    }

    mutating func receive(_ event: TransportEvent, at now: Duration, of exchange: Exchange) -> Action? {
        guard let call else {
            guard event.isFinished, case .awaitsTask(let result, _) = phase else { return nil }
            // The transport's task need not be cancelled any more.
            phase = .awaitsTask(result, isReported: true)
            return nil
        }
        timeouts.progress(at: now)
        switch event.kind {
        case .queued(let origin, let connections, let movement): timeouts.enter((origin, connections, movement))
        case .scheduled(let delays, let report):
            timeouts.schedule = Exchange.Timeouts.Schedule(report: report, times: delays.map { now + $0 }[...])
            return next(at: now)
        case .sent(let count):
            let (sum, isTooLarge) = bytesSent.addingReportingOverflow(max(count, 0))
            bytesSent = isTooLarge ? .max : sum
            if count > 0, let sent = options.sent { return .tell(bytesSent, sent) }
        case .response(let response): return begin(response, accepting: call.plan.rules.acceptedStatuses)
        case .data(let piece):
            hasBody = true
            return piece.isEmpty ? nil : append(piece)
        case .measured(let timings): self.timings = timings
        // A success has no body although its header promises one.
        case .finished(nil)
        where !hasBody && response?.isAccepted(by: call.plan.rules.acceptedStatuses) == true
            && response?.promisesBody == true && exchange.request.httpMethod != "HEAD":
            let reason = "the compressed body is cut off: nothing of it was decoded"
            return end(with: URLError(.cannotDecodeContentData, reason), isPremature: false)
        case .finished(let error): return end(with: error, isPremature: false)
        }
        return nil
    }

    private mutating func begin(_ response: ResponseHead, accepting accepted: Set<Int>) -> Action? {
        guard self.response == nil else { return nil }
        self.response = response
        guard let sink = options.sink, response.isAccepted(by: sink.isReader ? accepted : []) else {
            // Nothing that follows a 101 is HTTP (RFC 9110, section 15.2.2), and the connection may stay open.
            if response.status == 101 { return end(with: nil, isPremature: true) }
            return (300...399).contains(response.status) && !response.isAccepted(by: accepted) ? .leave(response) : nil
        }
        self.sink = sink
        sinkState = sink.isReader ? .begun : .running
        // The deadline is for the call, which ends with the response's header; its reader may take any time for the body.
        if sink.isReader { timeouts.deadline = nil }
        return .begin(response, sink)
    }

    /// The call follows this redirect. A small body is still read, for the connection to be used again.
    mutating func leave(at now: Duration) -> Action? {
        isLeft = true
        maximumSize = min(maximumSize ?? .max, 65_536)
        timeouts.end = now + .seconds(1)
        return next(at: now)
    }

    private mutating func append(_ piece: Data) -> Action? {
        if let maximumSize, sink == nil || !options.isEndless, bytesReceived + piece.count > maximumSize {
            let error = TeapotError.responseTooLarge(limit: maximumSize, response: response, data: data)
            return end(with: error, isPremature: true)
        }
        bytesReceived += piece.count
        guard let sink else {
            if data.isEmpty { data = piece } else { data.append(piece) }
            return nil
        }
        if !sink.isReader { sinkState = .running }
        return .append(piece, sink)
    }

    mutating func didFeed(_ failure: TeapotError?) -> Action? {
        sinkState = .begun
        return failure.flatMap { end(with: $0, isPremature: true) }
    }

    /// Ends it. `isPremature` says whether the transport may still be working on it.
    mutating func end(with failure: (any Error)?, isPremature: Bool) -> Action? {
        // A fault of the body of a redirect that is followed does not matter; a cancellation and a fault of the request's body do.
        let error = isLeft && !(failure is BodyError) && failure?.isCancellation != true ? nil : failure
        switch phase {
        // The transport answers before it returns. The loop that has started the exchange takes the result: if it were handed over
        // here, a thousand attempts over such a transport would be a thousand calls on one stack.
        case .starting where pthread_equal(starter, pthread_self()) != 0:
            phase = .awaitsTask(takeResult(error), isReported: !isPremature)
            return .release(takeResources())
        // A thread of the transport hands over the result itself, so that outcomes get into their queue in the order of the results.
        case .starting(let call):
            phase = .awaitsTask(nil, isReported: !isPremature)
            return .end(takeResult(error), call, takeResources())
        case .running(let call, let task):
            phase = .over
            return .end(takeResult(error), call, takeResources(task, cancelsTask: isPremature))
        case .new, .awaitsTask, .over: return nil
        }
    }

    /// - Returns: `nil` if the call already has an event, or has yet to start the exchange, which then does not begin.
    mutating func cancel() -> Action? {
        let (call, task) = (call, task)
        switch phase {
        case .new, .running: phase = .over
        case .starting: phase = .awaitsTask(nil, isReported: false)
        case .awaitsTask, .over: break
        }
        guard let call else { return nil }
        defer { data = Data() }
        return .end(nil, call, takeResources(task, cancelsTask: true, data))
    }

    private mutating func takeResult(_ error: (any Error)?) -> ExchangeResult {
        // The caller may keep its task.
        defer { data = Data() }
        return ExchangeResult(response: response, data: data, error: error, timings: timings, sinkState: sinkState)
    }

    /// - Returns: `nil` if there is nothing to release.
    private mutating func takeResources(
        _ task: Indirect<any TransportTask>? = nil,
        cancelsTask: Bool = false,
        _ data: Data? = nil
    ) -> Indirect<Exchange.Resources>? {
        let (timer, schedule) = (timer.stop(), timeouts.schedule.take())
        guard timer != nil || schedule != nil || task != nil || data != nil else { return nil }
        return Indirect(.init(timer: timer, schedule: schedule, task: task, cancelsTask: cancelsTask, data: data))
    }

    // MARK: - The time

    mutating func resume(at now: Duration) -> Action? {
        timeouts.progress(at: now, inLine: true)
        return next(at: now)
    }

    mutating func pauseBody(_ isPaused: Bool, at now: Duration) -> Action? {
        // Before there is a task, nothing is paused, and the reader asks again.
        guard task != nil else { return nil }
        timeouts.isPaused = isPaused
        return isPaused ? nil : resume(at: now)
    }

    @inline(never) mutating func didReport(at now: Duration) -> Action? {
        timeouts.schedule?.isReporting = false
        return checkTime(at: now)
    }

    /// `isReal` says whether the time is that of the system, in which the process can have stopped.
    mutating func checkTime(at now: Duration, isReal: Bool = false, isTaskSuspended: Bool = false) -> Action? {
        guard case .running = phase else { return nil }
        if isReal { timeouts.forgiveStop(at: now) }
        // A task that waits for a connection, or is suspended by the caller, cannot make progress.
        if isTaskSuspended || timeouts.isLineMoving() { timeouts.progress(at: now, inLine: true) }
        if let error = timeouts.error(at: now) {
            // A redirect is not followed after the call's deadline.
            if let deadline = timeouts.deadline, deadline <= now { isLeft = false }
            return end(with: error, isPremature: true)
        }
        return next(at: now)
    }

    /// A timer for the deadline, while the caller's task is suspended.
    mutating func wakeAtDeadline() -> Action? {
        guard case .running = phase, let deadline = timeouts.deadline else { return nil }
        return .wake(at: deadline, number: timer.next())
    }

    mutating func checkDeadline(at now: Duration) -> Action? {
        guard case .running = phase, let deadline = timeouts.deadline, deadline <= now else { return nil }
        isLeft = false
        return end(with: URLError.deadlinePassed, isPremature: true)
    }

    /// Has the next event reported, if it is due, or a timer set.
    private mutating func next(at now: Duration) -> Action? {
        guard case .running = phase else { return nil }
        if let report = timeouts.takeReport(at: now) { return .report(report) }
        return timeouts.wakeTime.map { .wake(at: $0, number: timer.next()) }
    }
}
