import TeapotFoundation

/// What the caller and its task ask of a call, on any thread.
extension Call {
    func suspend() { set(isSuspended: true) }
    func resume() { set(isSuspended: false) }

    private func set(isSuspended: Bool) {
        let (exchange, suspension, next) = state.withLock { state in
            if !state.isOver, state.suspension.isOn != isSuspended {
                state.suspension = Exchange.Suspension(isOn: isSuspended, number: state.suspension.number + 1)
            }
            return (state.exchange, state.suspension, state.deliver(self))
        }
        exchange?.set(suspension)
        next?()
    }

    /// Delivers the outcome on this thread, unless the queue has done it.
    func deliver() { state.withLock { $0.deliver(self, here: true) }?() }

    /// Checks the time for a caller who waits on its own thread.
    func checkTime() { state.withLock { $0.exchange }?.checkTime() }

    /// Ends the call without an outcome. The loop, if it runs, finds that out.
    func cancel() {
        typealias Ended = (exchange: Exchange?, latest: Exchange?, tell: Cancelled?)
        // The phase may hold the completion, which is released after the lock: a `deinit` may come back here.
        let (cancelled, _) = state.withLock { state -> (Ended?, Phase) in
            let phase = state.phase
            switch phase {
            case .delivered, .cancelled: return (nil, phase)
            // The work of the sink cannot be undone.
            case .finishing where hooks.sink != nil, .finished where hooks.sink != nil: return (nil, phase)
            default: break
            }
            defer { (state.phase, state.cancelled) = (.cancelled, nil) }
            return ((state.exchange, state.latest, state.cancelled), phase)
        }
        guard let (exchange, latest, tell) = cancelled else { return }
        var sent: Teapot.SentRequest?
        // The loop does not run until its end, which nobody gets now.
        if let exchange, exchange.cancel() {
            sent = self.sent
            release()
        }
        let error = TeapotError.cancelled().with(
            details(
                latest?.request,
                latest?.secrets ?? context.settings.secretPolicy,
                latest?.attempt ?? 0,
                latest?.timings ?? Teapot.Timings()
            )
        )
        report(.failure(error), of: sent, error.timings)
        guard let sink = hooks.sink else { return tell?(error) ?? () }
        sink.finish(.failure(error)) { _ in tell?(error) }
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
    var taskState: URLSessionTask.State {
        state.withLock { $0.isOver ? .completed : $0.suspension.isOn ? .suspended : .running }
    }
}
