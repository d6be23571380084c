import TeapotFoundation

/// The controls of a call, for the caller and its task, on any thread.
extension Call {
    /// Stops the timer. What arrives waits until the call is resumed: see ``State/take(_:)``.
    func suspend() {
        let phase = state.withLock { state -> Phase in
            guard !state.isOver, !state.isSuspended else { return .looping }
            state.isSuspended = true
            return state.phase
        }
        switch phase {
        case .running(let exchange): exchange.suspend()
        case .waiting(let wait): wait.suspend()
        case .looping, .held, .finished, .delivered: return
        }
        // Another thread may have resumed the call before the timer was stopped, and the new timer was stopped with it.
        if !isSuspended { restart(phase) }
    }

    func resume() {
        let phase = state.withLock { state -> Phase in
            guard state.isSuspended else { return .looping }
            state.isSuspended = false
            defer { if case .held = state.phase { state.phase = .looping } }
            return state.phase
        }
        restart(phase)
    }

    private func restart(_ phase: Phase) {
        switch phase {
        case .running(let exchange): exchange.resume()
        case .waiting(let wait): wait.resume()
        case .held(let event): proceed(after: event)
        case .finished(_, let queue?): queue.async { self.deliver() }
        case .finished: deliver()
        case .looping, .delivered: break
        }
    }

    var isSuspended: Bool { state.withLock { $0.isSuspended } }

    /// Delivers the outcome to a closure on this thread, once, unless the caller has suspended or cancelled the call.
    func deliver() { if case .finished(let deliver, _) = state.withLock({ $0.takeFinished() }) { deliver() } }

    /// Checks the time for a caller who waits on its own thread.
    func checkTime() {
        switch state.withLock({ $0.phase }) {
        case .running(let exchange): exchange.checkTime()
        case .waiting(let wait): wait.checkTime()
        case .looping, .held, .finished, .delivered: break
        }
    }

    /// Ends the call. A closure gets no outcome; a task or a thread that waits gets ``cancellation``.
    func cancel() {
        // The phase may hold the completion, which is released after the lock: a `deinit` may come back here.
        let (phase, isSuspended) = state.withLock { ($0.cancel(), $0.isSuspended) }
        switch phase {
        // Unless they are ending at this moment, they hand over `cancelled`. Then or later the owner ends the call.
        case .running(let exchange): exchange.cancel()
        case .waiting(let wait): wait.cancel()
        case .held where isSuspended: proceed(after: .cancelled)
        case nil, .looping, .held, .finished, .delivered: break
        }
    }

    /// The error of a call that is cancelled now: it names the last request, or the one to be sent.
    var cancellation: TeapotError {
        let (latest, first) = state.withLock { ($0.latest, $0.first) }
        return .cancelled().with(details(of: latest, first?.value.urlRequest))
    }

    /// Asks the transport to pause the body, or to resume it. The timeout is paused meanwhile.
    /// - Returns: Whether there was a transport to ask.
    func pauseBody(_ isPaused: Bool) -> Bool {
        guard case .running(let exchange) = state.withLock({ $0.phase }) else { return false }
        return exchange.pauseBody(isPaused)
    }

    /// Whether there is an outcome to deliver, or it is delivered.
    var hasOutcome: Bool {
        switch state.withLock({ $0.phase }) {
        case .finished, .delivered: true
        case .looping, .running, .waiting, .held: false
        }
    }

    var latest: Exchange? { state.withLock { $0.latest } }
    var isCancelled: Bool { state.withLock { $0.isCancelled } }
}
