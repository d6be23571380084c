import TeapotFoundation

extension Call {
    /// The state of a call. An ``Event`` changes it and returns an ``Effect``; it calls nothing itself.
    struct State: Sendable {
        enum Phase: Sendable {
            /// The next step is being decided: at first, and after each exchange and each wait.
            case deciding
            case waiting(Wait)
            case sending(Exchange)
            /// The exchange has ended while the caller's task is suspended.
            indirect case held(Exchange.End)
            /// The outcome is being shaped for the caller.
            case shaping
            /// The outcome waits for the delivery queue, or for the caller's task to be resumed.
            case finished(deliver: @Sendable () -> Void)
            case delivered
            case cancelled
        }

        private var limits: Limits
        private var phase = Phase.deciding
        private var isSuspended = false
        /// `nil` once the call is over.
        private var supplies: Supplies?
        private(set) var history: History
        /// Whether the call had to wait.
        private var isLate = false
        private var timer: (running: ScheduledTimer?, number: Int) = (nil, 0)
        // The caller's task shows these.
        private(set) var originalRequest: URLRequest?
        private(set) var latest: Exchange?
        private(set) var error: TeapotError?
        /// The transport's own first task, for platforms where Teapot cannot make one.
        private(set) var firstTask: URLSessionTask?

        init(_ limits: Limits, _ supplies: Supplies, _ log: CallLog) {
            (self.limits, self.supplies) = (limits, supplies)
            history = History(log: log)
        }
    }
}

extension Call.State {
    /// - Parameters:
    ///   - event: The event.
    ///   - now: The time of the event.
    /// - Returns: The action to take once the lock is released.
    mutating func handle(_ event: Call.Event, at now: Duration) -> Call.Effect {
        switch event {
        case .decided(let decision): return carryOut(decision, at: now)
        case .rejected: history.wasRejected = true
        case .progressed: history.attemptsBeforeProgress = history.attempts - 1
        case .shown(let request, let sent, let exchange):
            guard isSending(exchange), let transport = supplies?.transport else {
                return sent.map { .reportCancelled($0) } ?? .nothing
            }
            exchange.sent = sent
            return .start(exchange, exchange.plan, request, transport)
        case .started(let started, let exchange, let task):
            firstTask = firstTask ?? task
            return begin(started, exchange, at: now)
        case .received(let event, let exchange): return receive(event, exchange, at: now)
        case .sinkIsDone(nil, let exchange): exchange.sinkUse = .before
        case .sinkIsDone(let error?, let exchange):
            if isSending(exchange) { return end(exchange, error, isPremature: true) }
        case .asked(let wait, let withdraw):
            guard case .waiting(let current) = phase, current === wait else { return .run(withdraw) }
            wait.withdraw = withdraw
            return look(at: now)
        case .credential(let result, let wait):
            guard case .waiting(let current) = phase, current === wait else { break }
            wait.credential = result
            return look(at: now)
        case .timer(let timer, let number):
            guard number == self.timer.number, !isSuspended else { return .run(timer.cancel) }
            defer { self.timer.running = timer }
            return self.timer.running.map { .run($0.cancel) } ?? .nothing
        case .time(let isTaskSuspended): return look(at: now, isTaskSuspended: isTaskSuspended)
        case .shaped(let error, let deliver):
            guard case .shaping = phase else { break }
            self.error = error
            phase = .finished(deliver: deliver)
            return deliverOrEnqueue()
        case .delivery: return deliver()
        case .suspend:
            if isOver { break }
            isSuspended = true
            return withoutTimer(.nothing)
        case .resume: return resume(at: now)
        case .cancel: return cancel()
        case .holdBack(let isHeldBack):
            guard case .sending(let exchange) = phase, let task = exchange.task else { break }
            exchange.isHeldBack = isHeldBack
            exchange.lastProgress = now
            let effect = Call.Effect.run { isHeldBack ? task.suspend() : task.resume() }
            return isHeldBack ? effect : .both(effect, look(at: now))
        }
        return .nothing
    }

    private func isSending(_ exchange: Exchange) -> Bool {
        if case .sending(let current) = phase { current === exchange } else { false }
    }

    private var isOver: Bool {
        switch phase {
        case .delivered, .cancelled: true
        default: false
        }
    }

    // MARK: - What comes next

    private mutating func carryOut(_ decision: Call.Decision, at now: Duration) -> Call.Effect {
        guard case .deciding = phase else {
            // It was cancelled meanwhile.
            if case .finish(_, let sent?, _) = decision { return .reportCancelled(sent) }
            return .nothing
        }
        switch decision {
        case .attempt(let fields):
            set(fields)
            return attempt
        case .retry(let error, let time, let fields):
            set(fields)
            return wait(Call.Wait(.attempt(after: error), due: time, start: now), at: now)
        case .ask(let next, let stale):
            let wait = Call.Wait(.credential(for: next), start: now)
            isLate = true
            phase = .waiting(wait)
            return .ask(wait, insteadOf: stale)
        case .proceed(let next, let issued): return proceed(next, with: issued)
        case .send(let exchange, let isAttempt):
            if isAttempt { history.attempts += 1 }
            // A plugin may have changed it.
            let timeout = exchange.plan.request.timeoutInterval
            if timeout > 0 { limits.timeout = timeout < 1e9 ? timeout : nil }
            history.log = history.log.adding(exchange.plan.credentials)
            originalRequest = originalRequest ?? exchange.plan.request
            latest = exchange
            phase = .sending(exchange)
            return .show(exchange, exchange.plan, history)
        case .finish(let outcome, let sent, let credentials):
            guard let supplies else { return .nothing }
            history.log = history.log.adding(credentials)
            phase = .shaping
            defer { self.supplies = nil }
            return .shape(
                Call.Shaping(
                    outcome: outcome,
                    supplies: supplies,
                    request: latest?.plan.request ?? supplies.request?.0,
                    exchange: latest,
                    timings: latest?.timings ?? Teapot.Timings(),
                    sent: sent,
                    history: history
                )
            )
        }
    }

    private mutating func set(_ fields: [String: String?]) {
        for (name, value) in fields { supplies?.request?.0.setValue(value, forHTTPHeaderField: name) }
    }

    private var attempt: Call.Effect { supplies?.request.map { .attempt($0.0, $0.1) } ?? .nothing }

    private func proceed(_ next: Call.Next, with issued: Authenticator.Issued) -> Call.Effect {
        switch next {
        case .attempt(let isSame):
            supplies?.request.map { .prepare($0.0, $0.1, with: issued, isSame: isSame) } ?? .nothing
        case .request(let plan): .send(plan, with: issued)
        }
    }

    // MARK: - An exchange

    private mutating func begin(
        _ started: StartedExchange,
        _ exchange: Exchange,
        at now: Duration
    ) -> Call.Effect {
        switch started {
        case .over: return .nothing
        case .underWay(let task):
            // The call may have ended the exchange before the transport returned its task.
            guard isSending(exchange) else { return exchange.isOver ? .nothing : .run { task.cancel() } }
            exchange.task = task
            return look(at: now)
        case .delayed(let delay, let answer):
            guard isSending(exchange) else { return .run { answer.cancel() } }
            exchange.task = answer
            let start = exchange.lastProgress
            return wait(Call.Wait(.answer(answer, exchange), due: start + delay, start: start), at: now)
        }
    }

    private mutating func receive(_ event: TransportEvent, _ exchange: Exchange, at now: Duration) -> Call.Effect {
        if case .finished = event { exchange.isOver = true }
        guard isSending(exchange) else { return .nothing }
        exchange.lastProgress = now
        switch event {
        case .sent(let count):
            let (sum, isTooLarge) = exchange.bytesSent.addingReportingOverflow(max(count, 0))
            exchange.bytesSent = isTooLarge ? .max : sum
            return count > 0 ? .sent(exchange.bytesSent, of: exchange.bodySize) : .nothing
        case .response(let response):
            guard exchange.response == nil else { return .nothing }
            exchange.response = response
            guard limits.hasSink, response.isSuccess else { return .nothing }
            exchange.sinkUse = .now
            return .beginSink(response, exchange)
        case .data(let data):
            let isEndless = limits.isEndless && exchange.response?.isSuccess == true
            if let limit = limits.maximumResponseSize, !isEndless, exchange.bytesReceived + data.count > limit {
                let response = exchange.response
                let error = TeapotError.responseTooLarge(limit: limit, response: response, data: exchange.data)
                return end(exchange, error, isPremature: true)
            }
            exchange.bytesReceived += data.count
            if limits.hasSink, exchange.response?.isSuccess == true {
                exchange.sinkUse = .now
                return .writeToSink(data, exchange)
            }
            exchange.data.append(data)
            return .nothing
        case .measured(let timings):
            exchange.timings = timings
            exchange.sent?.timings = timings
            return .nothing
        case .finished(let error): return end(exchange, error, isPremature: false)
        }
    }

    private mutating func end(_ exchange: Exchange, _ error: (any Error)?, isPremature: Bool) -> Call.Effect {
        let end = Exchange.End(
            exchange: exchange,
            plan: exchange.plan,
            response: exchange.response,
            data: exchange.data,
            error: error,
            timings: exchange.timings,
            sinkUse: exchange.sinkUse,
            sent: exchange.sent,
            task: exchange.task,
            isPremature: isPremature,
            history: history
        )
        exchange.letGo()
        phase = isSuspended ? .held(end) : .deciding
        return withoutTimer(isSuspended ? .nothing : .decide(end))
    }

    // MARK: - Time

    private mutating func wait(_ wait: Call.Wait, at now: Duration) -> Call.Effect {
        isLate = true
        phase = .waiting(wait)
        return look(at: now)
    }

    /// Finds out which timer is due, or sets a timer for the next one.
    private mutating func look(at now: Duration, isTaskSuspended: Bool = false) -> Call.Effect {
        guard !isSuspended else { return .nothing }
        let idleSince: Duration?
        switch phase {
        case .waiting(let wait):
            if wait.credential != nil { return end(wait, at: now) }
            if case .attempt = wait.reason { idleSince = nil } else { idleSince = wait.start }
        case .sending(let exchange) where exchange.task != nil:
            // A body that is paused has a wait of its own.
            idleSince = exchange.isHeldBack ? nil : isTaskSuspended ? now : exchange.lastProgress
        default: return .nothing
        }
        let idleEnd = limits.timeout.flatMap { timeout in idleSince.map { $0 + Duration.seconds(timeout) } }
        let deadline = [idleEnd, limits.deadline].compactMap(\.self).min()
        // A late timer must not let the timeout overtake an earlier wait.
        if case .waiting(let wait) = phase, let due = wait.due, due <= deadline ?? due {
            if due <= now, wait.hasTimer { return end(wait, at: now) }
            wait.hasTimer = true
            return setTimer(at: due)
        }
        guard let deadline else { return .nothing }
        guard deadline <= now else { return setTimer(at: deadline) }
        return timeOut(deadline == limits.deadline)
    }

    private mutating func setTimer(at time: Duration) -> Call.Effect {
        timer.number += 1
        return .setTimer(at: time, number: timer.number)
    }

    /// Cancels the timer, as another event came first.
    private mutating func withoutTimer(_ effect: Call.Effect) -> Call.Effect {
        timer.number += 1
        guard let running = timer.running else { return effect }
        timer.running = nil
        return .both(.run(running.cancel), effect)
    }

    private mutating func end(_ wait: Call.Wait, at now: Duration) -> Call.Effect {
        phase = .deciding
        switch (wait.reason, wait.credential) {
        case (.attempt(let error), _):
            // The caller's task may have been suspended for longer than the deadline.
            if let deadline = limits.deadline, deadline <= now { return .fail(error) }
            return attempt
        case (.credential(let next), .success(let issued)): return withoutTimer(proceed(next, with: issued))
        case (.credential, .failure(let error)): return withoutTimer(.failRefresh(error))
        case (.credential, nil): return .nothing
        case (.answer(let answer, let exchange), _):
            phase = .sending(exchange)
            return .run(answer.give)
        }
    }

    private mutating func timeOut(_ isDeadline: Bool) -> Call.Effect {
        isLate = true
        let deadlineReason = "the call's deadline has passed"
        let exchange: Exchange
        switch phase {
        case .waiting(let wait):
            if case .answer(_, let waiting) = wait.reason {
                exchange = waiting
                break
            }
            phase = .deciding
            let reason = isDeadline ? deadlineReason : "no credential arrived in time"
            let failure = Call.Effect.fail(TeapotError.noResponse(Call.timedOut(reason)))
            return withoutTimer(wait.withdraw.map { .both(.run($0), failure) } ?? failure)
        case .sending(let current): exchange = current
        default: return .nothing
        }
        let reason = isDeadline ? deadlineReason : "there was no progress for \(limits.timeout ?? 0) seconds"
        return end(exchange, Call.timedOut(reason), isPremature: true)
    }

    // MARK: - The outcome

    private mutating func deliverOrEnqueue() -> Call.Effect {
        guard !isSuspended else { return .nothing }
        switch limits.delivery {
        case .queue(let queue), .awaited(let queue): return .enqueue(queue)
        case .atOnceOrOn(let queue) where isLate: return .enqueue(queue)
        case .atOnce, .atOnceOrOn: return deliver()
        }
    }

    /// The caller may have suspended or cancelled while the outcome waited for its queue.
    private mutating func deliver() -> Call.Effect {
        guard case .finished(let deliver) = phase, !isSuspended else { return .nothing }
        phase = .delivered
        return .run(deliver)
    }

    /// Whether there is an outcome to deliver, or it is delivered.
    var hasOutcome: Bool {
        switch phase {
        case .finished, .delivered: true
        default: false
        }
    }

    // MARK: - The caller's task

    private mutating func resume(at now: Duration) -> Call.Effect {
        guard isSuspended else { return .nothing }
        isSuspended = false
        switch phase {
        case .held(let end):
            phase = .deciding
            return .decide(end)
        case .finished: return deliverOrEnqueue()
        case .waiting(let wait): wait.start = now
        case .sending(let exchange): exchange.lastProgress = now
        case .deciding, .shaping, .delivered, .cancelled: break
        }
        return look(at: now)
    }

    private mutating func cancel() -> Call.Effect {
        var stop: (@Sendable () -> Void)?
        var sent: Teapot.SentRequest?
        switch phase {
        case .delivered, .cancelled: return .nothing
        case .shaping, .finished:
            // The work of the sink cannot be undone.
            if limits.hasSink { return .nothing }
        case .deciding: break
        case .waiting(let wait):
            stop = wait.withdraw
            if case .answer(let answer, let exchange) = wait.reason {
                stop = { answer.cancel() }
                sent = exchange.sent
                exchange.letGo()
            }
        case .sending(let exchange):
            if let task = exchange.task { stop = { task.cancel() } }
            sent = exchange.sent
            exchange.letGo()
        case .held(let end):
            if end.isPremature, let task = end.task { stop = { task.cancel() } }
            sent = end.sent
        }
        (phase, supplies) = (.cancelled, nil)
        let told = Call.Effect.tellCancelled(sent, history)
        return withoutTimer(stop.map { .both(.run($0), told) } ?? told)
    }

    var isCancelled: Bool {
        if case .cancelled = phase { true } else { false }
    }

    var taskState: URLSessionTask.State {
        switch phase {
        case .delivered, .cancelled: .completed
        default: isSuspended ? .suspended : .running
        }
    }
}
