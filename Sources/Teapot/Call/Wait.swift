/// A wait of a call before an exchange: for a credential or for a time. It ends once.
final class Wait: Sendable {
    enum Goal {
        case time(Duration)
        /// At most for the timeout, without the time in which the caller's task is suspended, and not beyond the deadline.
        case credential(PendingCredential, timeout: Duration?)
    }

    private struct State {
        /// `nil` once it is over.
        var call: Call?
        var start: Duration
        var timer = TimerSlot()
    }

    private let goal: Goal
    private let time: any TimeSource
    private let state: Locked<State>

    init(for goal: Goal, of call: Call) {
        self.goal = goal
        time = call.context.time
        state = Locked(State(call: call, start: time.elapsed))
    }

    func start() {
        if case .credential(let credential, _) = goal {
            credential.wait { self.end(with: .credential($0)) }
            // The wait was cancelled before the credential had its waiter.
            if state.withLock({ $0.call == nil }) { credential.cancel() }
        }
        checkTime()
    }

    /// The caller's task stops: so does the timeout.
    func suspend() { state.withLock { $0.timer.stop() }?.cancel() }

    /// The caller's task goes on: the timeout begins anew.
    func resume() {
        let now = time.elapsed
        state.withLock { $0.start = now }
        checkTime()
    }

    /// Ends the wait if its time has come, or else sets a timer.
    func checkTime() {
        let now = time.elapsed
        let (call, start) = state.withLock { ($0.call, $0.start) }
        guard let call, !call.isSuspended else { return }
        let (end, event) = end(from: start, deadline: call.plan.rules.deadline)
        guard let end else { return }
        guard end > now else { return self.end(with: event) }
        // A wait that has ended meanwhile gets no timer, which nobody would stop.
        guard let number = state.withLock({ $0.call == nil ? nil : $0.timer.next() }) else { return }
        let timer = time.timer(at: end) { self.checkTime() }
        // The timer is cancelled if the credential has arrived meanwhile, or another thread has set a timer.
        state.withLock { $0.timer.keep(timer, number: number) }?.cancel()
    }

    private func end(from start: Duration, deadline: Duration?) -> (Duration?, Call.Event) {
        switch goal {
        case .time(let time): return (time, .time)
        case .credential(_, let timeout):
            let limit = timeout.map { start + $0 }
            guard let deadline, limit.map({ deadline <= $0 }) ?? true else {
                return (limit, .failure(.timedOut("no credential arrived in time")))
            }
            return (deadline, .failure(.deadlinePassed))
        }
    }

    private func end(with event: Call.Event) { take()?.handle(event) }

    /// Ends the wait, whose event is `cancelled`, unless it has an event already.
    func cancel() { end(with: .cancelled) }

    /// Takes the call, once. Nobody waits for the credential any more.
    @discardableResult func take() -> Call? {
        let (call, timer) = state.withLock { ($0.call.take(), $0.timer.stop()) }
        timer?.cancel()
        if case .credential(let credential, _) = goal { credential.cancel() }
        return call
    }
}
