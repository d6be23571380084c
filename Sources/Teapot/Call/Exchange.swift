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
    private let time: any TimeSource
    private let hooks: Call.Hooks
    /// Of the body, in bytes; `nil` for no limit.
    private let maximumResponseSize: Int?
    /// The statuses of a success besides 200 to 299.
    private let acceptedStatuses: Set<Int>
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
        (time, hooks) = (call.context.time, call.hooks)
        maximumResponseSize = call.context.settings.maximumResponseSize
        acceptedStatuses = call.acceptedStatuses
        (self.request, self.bodySize) = (request, bodySize)
        start = time.elapsed
        state = Locked(
            State(call, timeout: timeout.map { .seconds($0) }, deadline: call.deadline, at: start)
        )
    }

    // MARK: - For the caller's task and the log

    var response: HTTPURLResponse? { state.withLock { $0.response } }
    var bytesSent: Int { state.withLock { $0.bytesSent } }
    var bytesReceived: Int { state.withLock { $0.bytesReceived } }
    var timings: Teapot.Timings { state.withLock { $0.timings } }
    /// The transport's own task, for platforms where Teapot cannot make one.
    var urlSessionTask: URLSessionTask? { state.withLock { $0.task }?.urlSessionTask }

    /// The time since it began.
    var age: Duration { time.elapsed - start }

    // MARK: - The call

    /// Starts the exchange.
    ///
    /// - Returns: The ending, if it came on this thread; otherwise the call gets it on another.
    func start(
        with transport: (@escaping @Sendable (TransportEvent) -> Void) -> (any TransportTask)?
    ) -> Ending? {
        let started = transport { self.receive($0) }
        let now = time.elapsed
        var work = state.withLock { $0.start(started, at: now) }
        let ending = work.ending.take()
        carryOut(work)
        return ending
    }

    /// Ends the exchange; the call gets no ending.
    ///
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
                return suspension.isOn
                    ? Work(timer: state.timer.stop()) : state.next(at: now)
            }
        )
    }

    /// Asks the transport to pause the body, or to resume it. The timeout is paused meanwhile.
    ///
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
    func checkTime() {
        let (task, line) = state.withLock { ($0.task, $0.line) }
        let isTaskSuspended = !CallTask.isAvailable && task?.urlSessionTask?.state == .suspended
        let now = time.elapsed
        let reasons = (
            timeout: timeoutReason ?? "there was no progress for \(timeout ?? 0) seconds",
            deadline: line.map { "waited \((now - start).inSeconds) for \($0.origin.line(of: $0.connections))" }
                ?? "the call's deadline has passed"
        )
        carryOut(
            state.withLock { state in
                // A task that waits for a connection, or is suspended by the caller, cannot make progress.
                if line != nil || isTaskSuspended { state.lastProgress = now }
                return state.next(at: now, reasons)
            }
        )
    }

    // MARK: - The transport and the sink

    private func receive(_ event: TransportEvent) {
        let now = time.elapsed
        carryOut(
            state.withLock {
                $0.receive(event, at: now, hooks, accepting: acceptedStatuses, limit: maximumResponseSize)
            }
        )
    }

    /// Passes an event to the sink. Transports report one at a time.
    private func feed(_ call: (any BodySink) throws(TeapotError) -> Void) {
        guard let sink = hooks.sink else { return }
        var failure: TeapotError?
        do throws(TeapotError) { try call(sink) } catch { failure = error }
        let kept = sink.kept
        carryOut(
            state.withLock { state in
                state.sinkUse = .kept(kept)
                return failure.map { state.end(with: $0, isPremature: true) } ?? Work()
            }
        )
    }

    // MARK: - After the lock

    private func carryOut(_ work: Work) {
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
        if let scheduled = work.scheduled {
            scheduled()
            state.withLock { $0.isReporting = false }
            checkTime()
        }
        if let ending = work.ending { work.call?.go(on: ending, of: self) }
    }
}

extension Exchange {
    /// What is done once the lock is released. Foreign objects are released with it, too.
    fileprivate struct Work {
        /// To pass to the caller or the sink.
        var news: News?
        /// To cancel.
        var timer: ScheduledTimer?
        var task: (any TransportTask)?
        var cancelsTask = false
        /// To set a timer.
        var alarm: (time: Duration, number: Int)?
        /// To report the next events.
        var scheduled: (@Sendable () -> Void)?
        /// To pass to the call.
        var ending: Ending?
        var call: Call?
    }

    /// What an event of the transport means for the caller.
    fileprivate enum News {
        case sent(Int)
        case begin(HTTPURLResponse)
        case append(Data)
    }

    fileprivate struct State {
        var isOver = false
        /// Gets the ending; kept alive until then.
        var call: Call?
        /// The ending, while the exchange is suspended, or the thread that starts it has yet to take it.
        var ending: Ending?
        /// The thread that starts it; `nil` once the transport has returned.
        var starter: pthread_t? = pthread_self()
        /// Whether the transport has reported the end.
        var isReported = false
        var task: (any TransportTask)?
        /// The line in which it waits for a connection.
        var line: (origin: Origin, connections: Int)?
        /// The times of the events that the transport will report, each when it is asked for it.
        var schedule: (next: @Sendable () -> Void, times: ArraySlice<Duration>)?
        var isReporting = false
        var suspension = Suspension()
        /// Whether the transport was asked to pause the body.
        var isPaused = false
        let timeout: Duration?
        let deadline: Duration?
        var lastProgress: Duration
        var timer = TimerSlot()
        var response: HTTPURLResponse?
        var data = Data()
        var bytesSent = 0
        var bytesReceived = 0
        var sinkUse = Ending.SinkUse.none
        var timings = Teapot.Timings()

        init(_ call: Call, timeout: Duration?, deadline: Duration?, at now: Duration) {
            (self.call, self.timeout, self.deadline) = (call, timeout, deadline)
            lastProgress = now
        }
    }
}

extension Exchange.State {
    /// The transport has started it. It may have ended meanwhile.
    fileprivate mutating func start(_ started: (any TransportTask)?, at now: Duration) -> Exchange.Work {
        (starter, task) = (nil, started)
        guard isOver else { return next(at: now) }
        var work = handOver()
        (work.task, work.cancelsTask, task) = (task, !isReported, nil)
        return work
    }

    /// Finds out what is due, or sets a timer for what is due next. Events come before a timeout that is due at the same time.
    /// Without `reasons`, a timer sees to the timeout.
    fileprivate mutating func next(
        at now: Duration,
        _ reasons: (timeout: String, deadline: String)? = nil
    ) -> Exchange.Work {
        guard !isOver else { return handOver() }
        guard starter == nil, !suspension.isOn, !isReporting else { return Exchange.Work() }
        // A paused body has a wait of its own.
        let idle = isPaused ? nil : timeout.map { lastProgress + $0 }
        let limit = [idle, deadline].compactMap(\.self).min()
        if let report = schedule?.next, let due = schedule?.times.first, due <= limit ?? due {
            guard due <= now else { return Exchange.Work(alarm: (due, timer.next())) }
            schedule?.times.removeFirst()
            isReporting = true
            return Exchange.Work(scheduled: report)
        }
        guard let limit else { return Exchange.Work() }
        guard let reasons, limit <= now else { return Exchange.Work(alarm: (limit, timer.next())) }
        let reason = limit == deadline ? reasons.deadline : reasons.timeout
        return end(with: URLError.timedOut(reason), isPremature: true)
    }

    fileprivate mutating func receive(
        _ event: TransportEvent,
        at now: Duration,
        _ hooks: Call.Hooks,
        accepting statuses: Set<Int>,
        limit: Int?
    ) -> Exchange.Work {
        if event.isFinished { isReported = true }
        guard !isOver else { return Exchange.Work() }
        (lastProgress, line) = (now, nil)
        let isSuccess = response?.isAccepted(by: hooks.sink?.takesAccepted == false ? [] : statuses) == true
        switch event.kind {
        case .queued(let origin, let connections): line = (origin, connections)
        case .scheduled(let delays, let report):
            schedule = (report, delays.map { now + $0 }[...])
            return next(at: now)
        case .sent(let count):
            let (sum, isTooLarge) = bytesSent.addingReportingOverflow(max(count, 0))
            bytesSent = isTooLarge ? .max : sum
            return count > 0 ? Exchange.Work(news: .sent(bytesSent)) : Exchange.Work()
        case .response(let response):
            guard self.response == nil else { break }
            self.response = response
            guard let sink = hooks.sink, response.isAccepted(by: sink.takesAccepted ? statuses : []) else { break }
            sinkUse = .underWay
            return Exchange.Work(news: .begin(response))
        case .data(let piece):
            if let limit, !(hooks.isEndless && isSuccess), bytesReceived + piece.count > limit {
                let error = TeapotError.responseTooLarge(limit: limit, response: response, data: data)
                return end(with: error, isPremature: true)
            }
            bytesReceived += piece.count
            guard hooks.sink != nil, isSuccess else {
                if data.isEmpty { data = piece } else { data.append(piece) }
                break
            }
            sinkUse = .underWay
            return Exchange.Work(news: .append(piece))
        case .measured(let timings): self.timings = timings
        case .finished(let error): return end(with: error, isPremature: false)
        }
        return Exchange.Work()
    }

    /// Ends it. `isPremature` says whether the transport may still be working on it.
    fileprivate mutating func end(with error: (any Error)?, isPremature: Bool) -> Exchange.Work {
        guard !isOver else { return Exchange.Work() }
        isOver = true
        ending = Ending(response: response, data: data, error: error, timings: timings, sinkUse: sinkUse)
        var work = handOver()
        (work.timer, work.task, work.cancelsTask) = (timer.stop(), task.take(), isPremature)
        // The caller may keep its task, and the transport its closure.
        (schedule, data) = (nil, Data())
        return work
    }

    fileprivate mutating func cancel() -> Exchange.Work {
        var work = end(with: URLError(.cancelled), isPremature: true)
        if ending != nil { (work.ending, work.call) = (ending.take(), call.take()) }
        return work
    }

    private mutating func handOver() -> Exchange.Work {
        let isStarter = starter.map { pthread_equal($0, pthread_self()) != 0 } ?? false
        guard !isStarter, !suspension.isOn, ending != nil else { return Exchange.Work() }
        return Exchange.Work(ending: ending.take(), call: call.take())
    }
}

/// The end of an exchange.
final class Ending: Sendable {
    /// The state of the sink in which the body arrives.
    enum SinkUse: Sendable {
        /// It has got nothing.
        case none
        /// It is working at this moment.
        case underWay
        /// `nil` if the reader already got the beginning.
        case kept(KeptBody?)
    }

    let response: HTTPURLResponse?
    let data: Data
    let error: (any Error)?
    let timings: Teapot.Timings
    let sinkUse: SinkUse

    init(
        response: HTTPURLResponse? = nil,
        data: Data = Data(),
        error: (any Error)? = nil,
        timings: Teapot.Timings = Teapot.Timings(),
        sinkUse: SinkUse = .none
    ) {
        (self.response, self.data, self.error) = (response, data, error)
        (self.timings, self.sinkUse) = (timings, sinkUse)
    }

    /// The failure of an exchange without a whole response.
    func failure(_ secrets: SecretPolicy) -> TeapotError {
        // A body may come from another call, whose errors are not those of this one.
        let bodyError = (error as? BodyError)?.cause
        let cause = bodyError ?? error ?? URLError(.badServerResponse)
        let own = bodyError == nil ? cause as? TeapotError : nil
        guard let response else { return own ?? .noResponse(cause) }
        guard let error = own else {
            let reason = secrets.redacted(line: cause.localizedDescription)
            return .dataTaskError(cause, reason: reason, response: response, data: data)
        }
        return error.response == nil ? error.with(response, data) : error
    }
}
