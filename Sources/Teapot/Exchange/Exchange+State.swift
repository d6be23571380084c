internal import TeapotFoundation

extension Exchange {
    /// How far an exchange has come.
    enum Phase {
        /// A hop is under way, or its end is held back while the caller's task is suspended.
        case running
        /// The outcome waits for the delivery queue, or for the caller's task to be resumed.
        case finished
        /// The outcome has been handed over.
        case delivered
        case cancelled
    }

    /// The state of an exchange: transitions only, no calls to the outside.
    ///
    /// What a caller or a transport gave is handed back where it is let go of, so that it goes after the lock is released: its
    /// `deinit` may well come back here.
    struct State {
        typealias Call = (request: URLRequest, bodyFile: BodyFile?)

        var phase = Phase.running
        var isSuspended = false
        /// What was asked for, as each attempt begins with it.
        var call: Call?
        /// Of hops and pauses, which follow each other.
        var lastNumber = -1
        private var hop: Hop?
        var pause: Pause?
        /// How many attempts have begun.
        private(set) var attempts = 0
        /// When the call has to be over, in the exchange's time.
        var deadline: Duration?
        /// Those that were in use so far: secrets wherever they stand.
        private(set) var credentials: [Credential] = []
        /// Whether a request was sent again with another credential, which happens once.
        var isReplayed = false
        /// The end of a hop that came while suspended.
        private var heldEnding: Ending?
        private var transport: (any Transport)?
        private var prepare: (@Sendable (Outcome) -> @Sendable () -> Void)?
        private var delivery: (@Sendable () -> Void)?
        private var originalRequest: URLRequest?
        private var error: TeapotError?
        /// Whether the exchange had to wait: for a timeout, a delayed answer, the next attempt or a credential.
        var hasWaited = false
        /// Whether the outcome has been acted on, so that it is too late to cancel.
        private var isLastWord = false
        /// What callers hold where Teapot cannot make a task of its own.
        private(set) var firstTask: URLSessionTask?

        init(transport: any Transport, prepare: @escaping @Sendable (Outcome) -> @Sendable () -> Void) {
            self.transport = transport
            self.prepare = prepare
        }
    }
}

// MARK: - Hops

extension Exchange.State {
    mutating func beginHop(
        _ next: Exchange.NextHop,
        isAttempt: Bool,
        at now: Duration
    ) -> (number: Int, bodySize: Int, transport: any Transport)? {
        guard phase == .running, let transport else { return nil }
        lastNumber += 1
        if isAttempt { attempts += 1 }
        note(next.credentials)
        let next = Exchange.Hop(number: lastNumber, next, at: now)
        hop = next
        originalRequest = originalRequest ?? next.request
        return (next.number, next.bodySize, transport)
    }

    /// Keeps what credentials are in use.
    mutating func note(_ credentials: [Credential]) {
        for credential in credentials where !self.credentials.contains(credential) {
            self.credentials.append(credential)
        }
    }

    /// Keeps what the plugins have seen of the hop, while it is under way: they see the end of it, too.
    mutating func keep(_ sent: Teapot.SentRequest, hop number: Int) -> Bool {
        guard isUnderWay(number) else { return false }
        hop?.sent = sent
        return true
    }

    /// What the plugins have still to see the end of; given once.
    mutating func takeReport() -> Teapot.SentRequest? {
        defer { hop?.sent = nil }
        return hop?.sent
    }

    /// Keeps the transport's task while its hop is under way.
    mutating func adopt(_ task: any TransportTask, hop number: Int) -> Bool {
        if firstTask == nil, !ExchangeTask.isAvailable { firstTask = task.urlSessionTask }
        guard isUnderWay(number) else { return false }
        hop?.adopt(task)
        return true
    }

    /// Takes in an event.
    ///
    /// - Returns: What to do about it; the end of the hop, if this is it and the caller's task is not suspended.
    mutating func receive(
        _ event: TransportEvent,
        hop number: Int,
        limit: Int?,
        hasSink: Bool,
        at now: Duration
    ) -> Exchange.Reaction {
        guard isUnderWay(number) else { return .nothing }
        hop?.lastProgress = now
        switch event {
        case .sent(let count):
            hop?.countSent(count)
            return count > 0 ? .sent(hop?.bytesSent ?? 0, of: hop?.bodySize ?? 0) : .nothing
        case .response(let response):
            guard hop?.response == nil else { return .nothing }
            hop?.response = response
            guard hasSink, response.isSuccess else { return .nothing }
            hop?.hasFedSink = true
            hop?.isFeedingSink = true
            return .begin(response)
        case .data(let data):
            if let limit, (hop?.bytesReceived ?? 0) + data.count > limit {
                return end(Exchange.SizeLimitExceeded(limit: limit), isPremature: true)
            }
            let isForSink = hasSink && hop?.response?.isSuccess == true
            hop?.take(data, keeps: !isForSink)
            hop?.isFeedingSink = isForSink
            return isForSink ? .write(data) : .nothing
        case .finished(let error):
            return end(error, isPremature: false)
        }
    }

    /// The sink has taken what it was given.
    mutating func endFeeding(hop number: Int) {
        if hop?.number == number { hop?.isFeedingSink = false }
    }

    /// Ends a hop that is under way, for a reason of Teapot's own.
    mutating func endHop(_ number: Int, _ error: any Error) -> Exchange.Ending? {
        isUnderWay(number) ? endHop(error, isPremature: true) : nil
    }

    private mutating func end(_ error: (any Error)?, isPremature: Bool) -> Exchange.Reaction {
        endHop(error, isPremature: isPremature).map { .end($0) } ?? .nothing
    }

    private func isUnderWay(_ number: Int) -> Bool {
        phase == .running && hop?.number == number && hop?.isOver == false
    }

    private mutating func endHop(_ error: (any Error)?, isPremature: Bool) -> Exchange.Ending? {
        let ending = hop?.end(error, isPremature: isPremature)
        guard isSuspended else { return ending }
        heldEnding = ending
        return nil
    }
}

// MARK: - Time

extension Exchange.State {
    /// Looks at the time, and what the hop or the pause is to wait for next: a hop for its timeout, or for its answer where that
    /// is delayed.
    mutating func afterWait(_ number: Int, timeout: TimeInterval?, at now: Duration) -> Exchange.AfterWait {
        if pause?.number == number { return afterPause(timeout: timeout, at: now) }
        // Before there is a task plugins still look at the request.
        guard isUnderWay(number), !isSuspended, let hop, hop.task != nil else { return .nothing }
        // Where callers hold the transport's own task, they suspend that one.
        let isTaskSuspended = hop.task?.urlSessionTask?.state == .suspended
        // A body that is held back goes on with a wait of its own.
        let idleDeadline =
            hop.isHeldBack
            ? nil : timeout.map { (isTaskSuspended ? now : hop.lastProgress) + Duration.seconds($0) }
        let deadline = [idleDeadline, self.deadline].compactMap(\.self).min()
        // A timer that is late must not let the answer overtake the timeout.
        if let answerTime = hop.answerTime, answerTime <= deadline ?? answerTime {
            guard let task = self.hop?.takeAnswer(at: now) else { return wait(until: answerTime) }
            hasWaited = true
            return .answer(task)
        }
        guard let deadline else { return .nothing }
        guard deadline <= now else { return wait(until: deadline) }
        hasWaited = true
        let reason = deadline == self.deadline ? Exchange.deadlineReason : "nothing came for \(timeout ?? 0) seconds"
        return endHop(Exchange.timedOut(reason), isPremature: true).map { .expired($0) } ?? .nothing
    }

    private mutating func wait(until deadline: Duration) -> Exchange.AfterWait {
        hop?.timers.beginWait(until: deadline) ?? .nothing
    }

    /// Notes that the transport is asked to wait, or to go on.
    ///
    /// - Returns: The hop under way, if its transport is to be asked.
    mutating func holdBack(_ isHeldBack: Bool, at now: Duration) -> (number: Int, task: any TransportTask)? {
        guard let hop, let task = hop.task else { return nil }
        self.hop?.isHeldBack = isHeldBack
        self.hop?.lastProgress = now
        return (hop.number, task)
    }

    /// That of the hop or the pause.
    var number: Int { lastNumber }

    /// Keeps the timer of a wait, if that goes on.
    ///
    /// - Returns: The timer that is not needed, this one or the one before.
    mutating func keep(_ timer: ScheduledTimer, for number: Int, wait waitNumber: Int) -> ScheduledTimer? {
        guard !isSuspended else { return timer }
        if pause?.number == number { return pause?.timers.keep(timer, wait: waitNumber) }
        guard isUnderWay(number) else { return timer }
        return hop?.timers.keep(timer, wait: waitNumber)
    }
}

// MARK: - The outcome

extension Exchange.State {
    /// The right to finish, given once.
    ///
    /// - Parameter isLastWord: Whether it is too late to cancel from here on.
    /// - Returns: What shapes the outcome.
    mutating func takePrepare(isLastWord: Bool) -> (@Sendable (Exchange.Outcome) -> @Sendable () -> Void)? {
        defer { prepare = nil }
        if prepare != nil { self.isLastWord = isLastWord }
        return prepare
    }

    /// - Returns: Whether the outcome can be delivered now, and the transport, which is let go of.
    mutating func finish(
        with delivery: @escaping @Sendable () -> Void,
        error: TeapotError?
    ) -> (isDeliverable: Bool, transport: (any Transport)?, bodyFile: BodyFile?) {
        guard phase == .running else { return (false, nil, nil) }
        phase = .finished
        self.delivery = delivery
        self.error = error
        defer { (transport, call) = (nil, nil) }
        return (!isSuspended, transport, call?.bodyFile)
    }

    mutating func takeDelivery() -> (@Sendable () -> Void)? {
        guard phase == .finished, !isSuspended else { return nil }
        phase = .delivered
        defer { delivery = nil }
        return delivery
    }
}

// MARK: - The caller's task

extension Exchange.State {
    mutating func suspend() -> ScheduledTimer? {
        guard phase == .running || phase == .finished else { return nil }
        isSuspended = true
        return pause?.timers.take() ?? hop?.timers.take()
    }

    mutating func resume(at now: Duration) -> Exchange.AfterResume {
        guard isSuspended else { return .nothing }
        isSuspended = false
        switch phase {
        case .delivered, .cancelled: return .nothing
        case .finished: return .deliver
        case .running: break
        }
        if let ending = heldEnding {
            heldEnding = nil
            return .conclude(ending)
        }
        hop?.lastProgress = now
        pause?.start = now
        return .watch(number)
    }

    /// - Returns: What is left to clean up; `nil` when there is nothing to cancel any more.
    mutating func cancel() -> Exchange.Remains? {
        guard phase == .running || phase == .finished, !isLastWord else { return nil }
        phase = .cancelled
        defer {
            (transport, prepare, delivery, heldEnding, pause, call) = (nil, nil, nil, nil, nil, nil)
            hop?.letGo()
        }
        return Exchange.Remains(
            task: hop?.task,
            timer: hop?.timers.timer,
            pause: pause,
            sent: takeReport(),
            bodyFile: call?.bodyFile,
            transport: transport,
            prepare: prepare,
            delivery: delivery,
            ending: heldEnding
        )
    }

    var currentRequest: URLRequest? { hop?.request }

    var snapshot: Exchange.Snapshot {
        let taskState: URLSessionTask.State =
            switch phase {
            case .running, .finished: isSuspended ? .suspended : .running
            case .delivered: .completed
            case .cancelled: .canceling
            }
        return Exchange.Snapshot(
            state: taskState,
            originalRequest: originalRequest,
            currentRequest: hop?.request,
            response: hop?.response,
            bytesSent: hop?.bytesSent ?? 0,
            bytesExpectedToSend: hop?.bodySize ?? 0,
            bytesReceived: hop?.bytesReceived ?? 0,
            error: error
        )
    }
}
