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

        /// The base URL of a request; `nil` if it is not valid.
        func base(for request: Teapot.Request) -> BaseURL? { request.baseURL.map(BaseURL.init) ?? settings.base }
    }

    /// Extras that some callers take or ask for, besides the outcome. Each closure is called on the thread that reports it.
    struct Options: Sendable {
        /// Takes the body of a success in place of the response.
        var sink: (any BodySink)?
        /// Whether the sink can resume a body that broke off.
        var resumes = false
        /// Whether the body may go on indefinitely: the size limit does not apply then.
        var isEndless = false
        /// Takes the number of bytes of the request's body sent so far, and their total if that is known.
        var sent: (@Sendable (Int, Int?) -> Void)?
    }

    /// The place where the outcome is delivered.
    enum Delivery: Sendable {
        case queue(DispatchQueue)
        /// On a queue that the verb waits for. The outcome is shaped on the thread that has it.
        case awaited(DispatchQueue)
        /// On the thread that has the outcome. A continuation that is resumed there needs no queue: the executor of its task runs what
        /// follows, also the decoding of the body, on another thread. Files are closed and moved on a queue of their sink before.
        case atOnce
        /// On the thread that has the outcome, unless the call had to wait.
        case atOnceOrOn(DispatchQueue)
    }

    /// The delivery of an outcome, once the lock is released.
    enum Handover {
        case here(Delivering)
        /// The caller may suspend or cancel the call before the queue gets to it.
        case on(DispatchQueue)

        func perform(for call: Call) {
            switch self {
            case .here(let deliver): deliver()
            case .on(let queue): queue.async { call.deliver() }
            }
        }
    }

    /// The end of an exchange or of a wait, with which the loop continues.
    enum Event: Sendable {
        case result(ExchangeResult, of: Exchange)
        case credential(Result<Authenticator.Issued?, any Error>)
        case time
        /// No credential arrived in time, or before the call's deadline.
        case failure(URLError)
    }

    enum Phase {
        case looping
        /// The exchange may have ended: the loop runs then.
        case running(Exchange)
        /// The wait may be over: the loop runs then.
        case waiting(Wait)
        /// The caller has suspended the call. It continues with this, on the thread that resumes it.
        case held(Event)
        /// The outcome is being shaped for the caller.
        case finishing
        /// The outcome waits for the delivery queue, or for the caller's task to be resumed.
        case finished(deliver: @Sendable () -> Void)
        case delivered
        case cancelled
    }

    struct State {
        var phase = Phase.looping
        var isSuspended = false
        var isLate = false
        /// Takes the error of a cancelled call.
        var cancelled: Cancelled?
        /// The first request, until it is sent.
        var first: Indirect<OutgoingRequest>?
        // The caller's task shows these.
        var originalRequest: URLRequest?
        var latest: Exchange?
        var error: TeapotError?
    }
}

extension Call.State {
    var isOver: Bool {
        switch phase {
        case .delivered, .cancelled: true
        default: false
        }
    }

    var exchange: Exchange? { if case .running(let exchange) = phase { exchange } else { nil } }

    /// - Returns: Whether the call is in this phase now: not if it was cancelled.
    mutating func begin(_ new: Call.Phase) -> Bool {
        guard !isOver else { return false }
        phase = new
        return true
    }

    /// Holds what has arrived while the caller's task is suspended.
    /// - Returns: The state of the task: the loop goes on if it is running.
    mutating func receive(_ event: Call.Event) -> URLSessionTask.State {
        guard !isOver, isSuspended else { return taskState }
        phase = .held(event)
        return .suspended
    }

    var taskState: URLSessionTask.State { isOver ? .completed : isSuspended ? .suspended : .running }

    /// - Returns: What delivers the outcome; `nil` if there is none yet, or not for a suspended task.
    mutating func deliver(by delivery: Call.Delivery) -> Call.Handover? {
        guard case .finished(let deliver) = phase, !isSuspended else { return nil }
        switch delivery {
        case .queue(let queue), .awaited(let queue): return .on(queue)
        case .atOnceOrOn(let queue) where isLate: return .on(queue)
        case .atOnce, .atOnceOrOn:
            phase = .delivered
            return .here(deliver)
        }
    }
}
