import TeapotFoundation

extension Exchange {
    /// What is done once the lock is released. Foreign objects are released with it, too.
    struct Work {
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
    enum News {
        case sent(Int)
        case begin(ResponseHead)
        case append(Data)
    }

    struct State {
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
        /// The statuses besides 200 to 299 of which the sink takes the body; `nil` without a sink.
        let acceptedBySink: Set<Int>?
        let timeout: Duration?
        var deadline: Duration?
        var lastProgress: Duration
        var timer = TimerSlot()
        var response: ResponseHead?
        var data = Data()
        var bytesSent = 0
        var bytesReceived = 0
        var sinkUse = Ending.SinkUse.none
        var timings = Teapot.Timings()

        init(_ call: Call, timeout: Duration?, at now: Duration) {
            self.call = call
            self.timeout = timeout
            deadline = call.plan.rules.deadline
            lastProgress = now
            acceptedBySink = call.hooks.sink.map { $0.takesAccepted ? call.plan.rules.acceptedStatuses : [] }
        }
    }
}

extension Exchange.State {
    /// The transport has started it. It may have ended meanwhile.
    mutating func start(_ started: (any TransportTask)?, at now: Duration) -> Exchange.Work {
        (starter, task) = (nil, started)
        guard isOver else { return next(at: now) }
        var work = handOver()
        (work.task, work.cancelsTask, task) = (task, !isReported, nil)
        return work
    }

    /// Finds out what is due, or sets a timer for what is due next. Events come before a timeout that is due at the same time.
    /// Without `reasons`, a timer sees to the timeout.
    mutating func next(at now: Duration, _ reasons: (timeout: String, deadline: String)? = nil) -> Exchange.Work {
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

    /// Takes an event of the transport. The limit is that of the body, in bytes.
    mutating func receive(_ event: TransportEvent, at now: Duration, _ hooks: Call.Hooks, limit: Int?) -> Exchange.Work
    {
        if event.isFinished { isReported = true }
        guard !isOver else { return Exchange.Work() }
        (lastProgress, line) = (now, nil)
        let isForSink = acceptedBySink.map { response?.isAccepted(by: $0) == true } ?? false
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
            guard let acceptedBySink, response.isAccepted(by: acceptedBySink) else { break }
            sinkUse = .underWay
            // The call of a reader is over; its task reads as long as it likes.
            if hooks.sink is StreamSink { deadline = nil }
            return Exchange.Work(news: .begin(response))
        case .data(let piece):
            if let limit, !(hooks.isEndless && isForSink), bytesReceived + piece.count > limit {
                let error = TeapotError.responseTooLarge(limit: limit, response: response, data: data)
                return end(with: error, isPremature: true)
            }
            bytesReceived += piece.count
            guard isForSink else {
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
    mutating func end(with error: (any Error)?, isPremature: Bool) -> Exchange.Work {
        guard !isOver else { return Exchange.Work() }
        isOver = true
        ending = Ending(response: response, data: data, error: error, timings: timings, sinkUse: sinkUse)
        var work = handOver()
        (work.timer, work.task, work.cancelsTask) = (timer.stop(), task.take(), isPremature)
        // The caller may keep its task, and the transport its closure.
        (schedule, data) = (nil, Data())
        return work
    }

    mutating func cancel() -> Exchange.Work {
        var work = end(with: URLError(.cancelled), isPremature: true)
        if ending != nil { (work.ending, work.call) = (ending.take(), call.take()) }
        return work
    }

    /// Whether the current thread is starting it.
    var isOnStarter: Bool { starter.map { pthread_equal($0, pthread_self()) != 0 } ?? false }

    private mutating func handOver() -> Exchange.Work {
        guard !isOnStarter, !suspension.isOn, ending != nil else { return Exchange.Work() }
        return Exchange.Work(ending: ending.take(), call: call.take())
    }
}
