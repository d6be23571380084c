import TeapotFoundation

/// The controls of a call, for the caller and its task, on any thread.
extension Call {
    /// Stops the timer. What arrives waits until the call is resumed: see ``State/receive(_:)``.
    func suspend() {
        let phase = state.withLock { state -> Phase in
            guard !state.isOver, !state.isSuspended else { return .looping }
            state.isSuspended = true
            return state.phase
        }
        switch phase {
        case .running(let exchange): exchange.suspend()
        case .waiting(let wait): wait.suspend()
        case .looping, .held, .finishing, .finished, .delivered, .cancelled: return
        }
        // Another thread may have resumed the call before the timer was stopped, and the new timer was stopped with it.
        if !isSuspended { restart(phase) }
    }

    func resume() {
        let (phase, handover) = state.withLock { state -> (Phase, Handover?) in
            guard state.isSuspended else { return (.looping, nil) }
            state.isSuspended = false
            let phase = state.phase
            if case .held = phase { state.phase = .looping }
            return (phase, state.deliver(by: delivery))
        }
        restart(phase)
        handover?.perform(for: self)
    }

    private func restart(_ phase: Phase) {
        switch phase {
        case .running(let exchange): exchange.resume()
        case .waiting(let wait): wait.resume()
        case .held(let event): handle(event)
        case .looping, .finishing, .finished, .delivered, .cancelled: break
        }
    }

    var isSuspended: Bool { state.withLock { $0.isSuspended } }

    /// Delivers the outcome on this thread, unless the queue has done it.
    func deliver() { state.withLock { $0.deliver(by: .atOnce) }?.perform(for: self) }

    /// Checks the time for a caller who waits on its own thread.
    func checkTime() {
        switch state.withLock({ $0.phase }) {
        case .running(let exchange): exchange.checkTime()
        case .waiting(let wait): wait.checkTime()
        case .looping, .held, .finishing, .finished, .delivered, .cancelled: break
        }
    }

    /// Ends the call without an outcome. The loop, if it runs, finds that out.
    func cancel() {
        // The phase may hold the completion, which is released after the lock: a `deinit` may come back here.
        let (phase, tell) = state.withLock { state -> (Phase, Cancelled?) in
            let phase = state.phase
            guard !state.isOver else { return (phase, nil) }
            switch phase {
            // The work of the sink cannot be undone.
            case .finishing where options.sink != nil, .finished where options.sink != nil: return (.delivered, nil)
            default: break
            }
            state.phase = .cancelled
            return (phase, state.cancelled.take())
        }
        // Whether the loop will never run again, and its variables are this thread's.
        let isLast: Bool
        switch phase {
        case .running(let exchange): isLast = exchange.cancel()
        case .waiting(let wait): isLast = wait.cancel()
        case .held: isLast = true
        case .looping, .finishing, .finished: isLast = false
        case .delivered, .cancelled: return
        }
        var sent: Indirect<Teapot.SentRequest>?
        if isLast {
            sent = self.sent
            release()
        }
        let error = cancellation
        report(.failure(error), of: sent, error.timings)
        guard let sink = options.sink else { return tell?(error) ?? () }
        sink.finish(.failure(error)) { _ in tell?(error) }
    }

    /// The error of a call that is cancelled now: it names the last request, or the one to be sent.
    var cancellation: TeapotError {
        let (latest, first) = state.withLock { ($0.latest, $0.first) }
        return .cancelled().with(
            details(
                of: latest?.target ?? first?.value.urlRequest.target,
                secrets: latest?.secrets ?? context.settings.secretPolicy,
                attempts: latest?.attempt ?? 0,
                timings: latest?.timings ?? Teapot.Timings()
            )
        )
    }

    /// Asks the transport to pause the body, or to resume it. The timeout is paused meanwhile.
    /// - Returns: Whether there was a transport to ask.
    func pauseBody(_ isPaused: Bool) -> Bool { state.withLock { $0.exchange }?.pauseBody(isPaused) ?? false }

    /// Whether there is an outcome to deliver, or it is delivered.
    var hasOutcome: Bool {
        state.withLock { state in
            switch state.phase {
            case .finished, .delivered: true
            default: false
            }
        }
    }

    // MARK: - What the caller's task shows

    var originalRequest: URLRequest? { state.withLock { $0.originalRequest } }
    var latest: Exchange? { state.withLock { $0.latest } }
    var error: TeapotError? { state.withLock { $0.error } }
    var isCancelled: Bool { state.withLock { state in if case .cancelled = state.phase { true } else { false } } }
    var taskState: URLSessionTask.State { state.withLock { $0.taskState } }
}
