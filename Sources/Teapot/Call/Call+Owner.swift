import TeapotFoundation

extension Call {
    /// The task or the threads that run the loop of a call, and so own its variables.
    enum Owner: Sendable {
        /// The caller's task: it awaits each event, and gets the outcome.
        case task
        /// The caller's thread: it blocks until the next event, and gets the outcome.
        case thread(Condition)
        /// The caller of a verb with a closure does not wait. Its thread owns the loop until the first event, then each thread that has
        /// an event: the transport's, a timer's, or the one that resumes or cancels the call. The closure gets the outcome on the queue,
        /// or, if `isAtOnce` and the call did not have to wait, on the thread that has the outcome.
        case closure(DispatchQueue, isAtOnce: Bool)

        var isClosure: Bool { if case .closure = self { true } else { false } }
    }

    // MARK: - The three shapes

    /// Runs the loop of a call that has begun in the caller's task.
    @inline(never) func outcome() async -> Teapot.Outcome {
        while true {
            if let outcome = ended.take() { return outcome }
            if let event = held { proceed(after: event) } else { await event() }
        }
    }

    /// Takes the event that waits for the owner; `nil` while there is none.
    @inline(never) private var held: Event? {
        let (event, isCancelled) = state.withLock { ($0.takeHeld(), $0.isCancelled) }
        switch event {
        case nil, .ended: return event
        // What has arrived does not count any more. It is released here, after the lock.
        default: return isCancelled ? .cancelled : event
        }
    }

    private func event() async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if case .held = state.phase { return true }
                state.reader = continuation
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// Runs the loop of a call that has begun on the caller's thread, and blocks that. The thread also keeps the time: if such calls block
    /// all of Dispatch's threads, no timer fires.
    func outcome(blocking condition: Condition) -> Teapot.Outcome {
        // Until the first timeout or the deadline, in seconds.
        let patience = [plan.first.value.urlRequest.timeout, plan.rules.deadline.map { $0 - plan.rules.begun }]
            .compactMap(\.self).min()?.seconds
        while true {
            if let outcome = ended.take() { return outcome }
            let end = DispatchTime.now() + min(patience ?? 86_400, 86_400)
            let event = condition.wait(until: end) { held }
            if let event { proceed(after: event) } else if patience != nil { checkTime() }
        }
    }

    /// Begins the call, once. An error found before anything was sent ends it.
    @inline(never) func begin() { run(ended.take().map { .finish($0) } ?? plan.start()) }

    /// Hands over an event to the owner, on the thread that has it. Called by an exchange, a wait or a sink, once by each.
    func handle(_ handed: Event) {
        switch owner {
        case .task: state.withLock { $0.hold(handed) }?.resume()
        case .thread(let condition):
            condition.withLock {
                _ = state.withLock { $0.hold(handed) }
                condition.broadcast()
            }
        case .closure:
            guard let isCancelled = state.withLock({ $0.take(handed) }) else { return }
            proceed(after: isCancelled ? .cancelled : handed)
        }
    }
}
