import TeapotFoundation

extension Call {
    /// The settings of a Teapot, shared by the calls that begin with them.
    final class Context: Sendable {
        let settings: Teapot.Settings
        let cookies: CookieJar?
        let time: any TimeSource

        init(_ settings: Teapot.Settings, cookies: CookieJar?, time: any TimeSource) {
            self.settings = settings
            self.cookies = cookies
            self.time = time
        }
    }

    struct Options: Sendable {
        /// Takes the body of a success in place of the response. Only a call of a task has one.
        var sink: (any BodySink)?
        /// Whether the sink can resume a body that broke off.
        var resumes = false
        /// Whether the body may go on indefinitely: the size limit does not apply then.
        var isEndless = false
        /// Takes the number of bytes of the request's body sent so far, and their total if known, on the thread that reports them.
        var sent: (@Sendable (Int, Int?) -> Void)?
    }

    /// The end of what a call waited for, with which its loop continues. Each exchange and each wait of a call has one.
    enum Event: Sendable {
        case result(ExchangeResult, of: Exchange)
        case credential(Result<Authenticator.Issued?, any Error>)
        case time
        /// No credential arrived in time, or before the call's deadline.
        case failure(URLError)
        case cancelled
        /// The sink has finished its work.
        case ended(Indirect<Teapot.Outcome>)
    }

    /// The phase of the loop. The variables of the call belong to its owner, in `running`, `waiting` and `held` to nobody.
    enum Phase {
        /// The owner takes a step, or shows the outcome to plugins, or the sink finishes its work.
        case looping
        /// The exchange, or the wait, has yet to hand over its event.
        case running(Exchange), waiting(Wait)
        /// The event waits for the owner, or for the caller to resume the call.
        case held(Event)
        /// The outcome waits for its queue or, without one, for the caller to resume the call.
        case finished(deliver: @Sendable () -> Void, on: DispatchQueue?)
        case delivered
    }

    struct State {
        var phase = Phase.looping
        /// Whether the caller has cancelled the call. The owner of the loop finds the flag, and ends the call.
        private(set) var isCancelled = false
        var isSuspended = false
        /// Wakes the task that owns the loop.
        var reader: CheckedContinuation<Void, Never>?
        /// The first request, until it is sent.
        var first: Indirect<OutgoingRequest>?
        // The caller's task shows these properties.
        var originalRequest: URLRequest?
        var latest: Exchange?
        var error: TeapotError?
    }
}

extension Call.State {
    var isOver: Bool { if case .delivered = phase { true } else { isCancelled } }

    /// - Returns: `false` if the call was cancelled: it stays in its phase.
    mutating func begin(_ new: Call.Phase) -> Bool {
        guard !isCancelled else { return false }
        phase = new
        return true
    }

    /// Takes an event for the current thread, which owns the loop from here.
    /// - Returns: Whether the call was cancelled, which replaces the event; `nil` if the event is held until the call is resumed.
    mutating func take(_ event: Call.Event) -> Bool? {
        if isCancelled || !isSuspended {
            phase = .looping
            return isCancelled
        }
        phase = .held(event)
        return nil
    }

    /// Holds an event for an owner that waits for it.
    /// - Returns: The continuation that wakes the owner, if that is a task and awaits it.
    mutating func hold(_ event: Call.Event) -> CheckedContinuation<Void, Never>? {
        phase = .held(event)
        return reader.take()
    }

    mutating func takeHeld() -> Call.Event? {
        guard case .held(let event) = phase else { return nil }
        phase = .looping
        return event
    }

    /// - Returns: The phase until now, whose parts are to be told or released after the lock; `nil` if it is too late.
    mutating func cancel() -> Call.Phase? {
        guard !isOver else { return nil }
        isCancelled = true
        let former = phase
        switch former {
        // The thread that cancels a suspended call owns the loop.
        case .held where isSuspended: phase = .looping
        case .finished: phase = .delivered
        default: break
        }
        return former
    }

    /// Takes the outcome for this thread, which delivers it.
    /// - Returns: The phase `finished`; `nil` if there is nothing to deliver, or not while the call is suspended.
    mutating func takeFinished() -> Call.Phase? {
        guard case .finished = phase, !isSuspended else { return nil }
        defer { phase = .delivered }
        return phase
    }
}
