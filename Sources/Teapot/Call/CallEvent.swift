import TeapotFoundation

extension Call {
    /// An event in the course of a call. Large and rare ones are `indirect`, here and below, so that the others are quick to
    /// pass on.
    enum Event: Sendable {
        /// The next step was decided.
        case decided(Decision)
        /// The server rejected a credential.
        case rejected
        /// The body got further than before: attempts are counted anew.
        case progressed
        /// The log, the caller and the plugins, if there are any, have seen a request.
        indirect case shown(URLRequest, Teapot.SentRequest?, Exchange)
        /// The transport has begun. The task is the transport's own, for platforms where Teapot cannot make one.
        case started(StartedExchange, Exchange, URLSessionTask?)
        case received(TransportEvent, Exchange)
        /// The sink has accepted its input, or has failed.
        case sinkIsDone(TeapotError?, Exchange)
        /// The authenticator was asked for a credential; the closure withdraws the request.
        case asked(Wait, withdraw: @Sendable () -> Void)
        indirect case credential(Result<Authenticator.Issued, any Error>, Wait)
        case timer(ScheduledTimer, number: Int)
        /// Time has passed. Where callers hold the transport's own task, they suspend that one.
        case time(isTaskSuspended: Bool)
        /// The outcome is ready for the caller.
        indirect case shaped(TeapotError?, deliver: @Sendable () -> Void)
        /// The delivery queue has reached it.
        case delivery
        case suspend
        case resume
        case cancel
        case holdBack(Bool)
    }

    /// The next step of a call.
    enum Decision: Sendable {
        /// An attempt, with some header fields changed from now on.
        case attempt(setting: [String: String?] = [:])
        /// An attempt at a later time. The error is the outcome if there is no further attempt.
        indirect case retry(after: TeapotError, at: Duration, setting: [String: String?])
        /// A request that needs a credential, which is asked for or already at hand.
        indirect case ask(for: Next, insteadOf: Authenticator.Issued?)
        indirect case proceed(Next, with: Authenticator.Issued)
        case send(Exchange, isAttempt: Bool)
        indirect case finish(Outcome, Teapot.SentRequest?, using: [Credential] = [])
    }

    /// The purpose of a credential.
    enum Next: Sendable {
        /// The next attempt, or the same attempt again.
        case attempt(isSame: Bool)
        /// A request from a redirect.
        indirect case request(Exchange.Plan)

        /// Repeats a request: the whole attempt, unless it came from a redirect.
        static func again(_ plan: Exchange.Plan, isSame: Bool) -> Next {
            plan.redirects == 0 ? .attempt(isSame: isSame) : .request(plan)
        }
    }

    /// The action to take once the lock is released.
    enum Effect: Sendable {
        case nothing
        indirect case both(Effect, Effect)
        case attempt(URLRequest, BodyFile?)
        indirect case prepare(URLRequest, BodyFile?, with: Authenticator.Issued, isSame: Bool)
        indirect case send(Exchange.Plan, with: Authenticator.Issued)
        indirect case ask(Wait, insteadOf: Authenticator.Issued?)
        indirect case show(Exchange, Exchange.Plan, History)
        indirect case start(Exchange, Exchange.Plan, URLRequest, any InformedTransport)
        case setTimer(at: Duration, number: Int)
        /// Calls what must not be called under the lock: cancels a task or a timer, pauses a body, delivers an outcome.
        case run(@Sendable () -> Void)
        case sent(Int, of: Int)
        case beginSink(HTTPURLResponse, Exchange)
        case writeToSink(Data, Exchange)
        indirect case decide(Exchange.End)
        indirect case fail(TeapotError)
        case failRefresh(any Error)
        indirect case shape(Shaping)
        indirect case reportCancelled(Teapot.SentRequest)
        case enqueue(DispatchQueue)
        indirect case tellCancelled(Teapot.SentRequest?, History)
    }

    /// The request, the transport and the recipient of a call, kept until it is over.
    struct Supplies: Sendable {
        /// The request that each attempt begins with; `nil` if there is nothing to send.
        var request: (URLRequest, BodyFile?)?
        let transport: any InformedTransport
        /// Shapes the outcome on the thread that has it. It returns a closure that delivers the outcome.
        let prepare: @Sendable (Outcome) -> @Sendable () -> Void
    }

    /// The course of a call so far.
    struct History: Sendable {
        var attempts = 0
        /// Attempts that the retry policy no longer counts.
        var attemptsBeforeProgress = 0
        /// Whether the server rejected a credential.
        var wasRejected = false
        /// Knows the credentials used so far, which are secrets everywhere.
        var log: CallLog
    }

    /// An outcome to shape for the caller.
    struct Shaping: Sendable {
        let outcome: Outcome
        /// Released with this value, not under the lock: a transport may be a user's, and a temporary file is removed.
        let supplies: Supplies
        /// The last request, or the one that was to be sent.
        let request: URLRequest?
        let exchange: Exchange?
        let timings: Teapot.Timings
        let sent: Teapot.SentRequest?
        let history: History
    }

    /// A period in which nothing works on the call.
    ///
    /// `@unchecked Sendable` is sound: its variables are read and written only under the lock of its call.
    final class Wait: @unchecked Sendable {
        enum Reason: Sendable {
            case attempt(after: TeapotError)
            case credential(for: Next)
            /// A delayed answer of a mock, on the same clock as the timeout: neither can overtake the other.
            case answer(DelayedAnswer, Exchange)
        }

        let reason: Reason
        /// The end of the wait, in the time of the call; `nil` if that is not known.
        let due: Duration?
        /// The time from which the timeout counts: it is paused while the caller's task is suspended.
        var start: Duration
        var credential: Result<Authenticator.Issued, any Error>?
        /// Withdraws the request for a credential.
        var withdraw: (@Sendable () -> Void)?
        /// Whether a timer was set, even for a short wait: continuing at once, a thousand attempts would overflow the stack.
        var hasTimer = false

        init(_ reason: Reason, due: Duration? = nil, start: Duration) {
            (self.reason, self.due, self.start) = (reason, due, start)
        }
    }

    /// The limits of a call.
    struct Limits: Sendable {
        /// Seconds without progress; `nil` for no limit. A plugin may change it in the state.
        var timeout: TimeInterval?
        /// The time at which the call must be over.
        let deadline: Duration?
        /// In bytes.
        let maximumResponseSize: Int?
        let hasSink: Bool
        /// Whether a success may have a body of any size.
        let isEndless: Bool
        let delivery: Delivery
    }

    /// The place where the outcome is delivered.
    enum Delivery: Sendable {
        case queue(DispatchQueue)
        /// On a queue that the verb waits for. The outcome is shaped on the thread that has it.
        case awaited(DispatchQueue)
        /// On the thread that has the outcome.
        case atOnce
        /// On the thread that has the outcome, unless the call had to wait.
        case atOnceOrOn(DispatchQueue)
    }

    static func timedOut(_ reason: String) -> URLError {
        URLError(.timedOut, userInfo: [NSLocalizedDescriptionKey: reason])
    }
}
