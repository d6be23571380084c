internal import TeapotFoundation

extension Call {
    /// What happens to a call.
    enum Event: Sendable {
        /// It is known what comes next.
        case decided(Decision)
        /// The server did not take a credential.
        case rejected
        /// The body has come further than before: attempts are counted anew.
        case progressed
        /// The plugins have seen a request.
        case shown(Teapot.SentRequest, Exchange)
        /// The transport has begun. The task is its own, for platforms where Teapot cannot make one.
        case started(StartedExchange, Exchange, URLSessionTask?)
        case received(TransportEvent, Exchange)
        /// The sink has taken what it was given, or has not.
        case sinkIsDone(TeapotError?, Exchange)
        /// The authenticator was asked; the closure withdraws the question.
        case asked(Wait, withdraw: @Sendable () -> Void)
        case credential(Result<Authenticator.Issued, any Error>, Wait)
        case timer(ScheduledTimer, number: Int)
        /// Time has passed. Where callers hold the transport's own task, they suspend that one.
        case time(isTaskSuspended: Bool)
        /// The outcome is as the caller gets it.
        case shaped(TeapotError?, deliver: @Sendable () -> Void)
        /// The delivery queue has come to it.
        case delivery
        case suspend
        case resume
        case cancel
        case holdBack(Bool)
    }

    /// What comes next.
    enum Decision: Sendable {
        /// An attempt, with some header fields changed from now on.
        case attempt(setting: [String: String?] = [:])
        /// The same, later. The error is the outcome if there is no attempt after all.
        case retry(after: TeapotError, at: Duration, setting: [String: String?])
        /// A request that needs a credential: to be asked for, or here already.
        case ask(for: Next, insteadOf: Authenticator.Issued?)
        case proceed(Next, with: Authenticator.Issued)
        case send(Exchange, isAttempt: Bool)
        case finish(Outcome, Teapot.SentRequest?, using: [Credential] = [])
    }

    /// What a credential is for.
    enum Next: Sendable {
        /// The next attempt, or the same once more.
        case attempt(isSame: Bool)
        /// A request that a redirect led to.
        case request(Exchange.Plan)

        /// A request once more: the whole attempt, unless a redirect led to it.
        static func again(_ plan: Exchange.Plan, isSame: Bool) -> Next {
            plan.redirects == 0 ? .attempt(isSame: isSame) : .request(plan)
        }
    }

    /// What is to be done, once the lock is released.
    enum Effect: Sendable {
        case nothing
        indirect case both(Effect, Effect)
        case attempt(URLRequest, BodyFile?)
        case prepare(URLRequest, BodyFile?, with: Authenticator.Issued, isSame: Bool)
        case send(Exchange.Plan, with: Authenticator.Issued)
        case ask(Wait, insteadOf: Authenticator.Issued?)
        case show(Exchange, any InformedTransport, attempt: Int, [Credential])
        case start(Exchange, URLRequest, any InformedTransport)
        case setTimer(at: Duration, number: Int)
        case cancelTimer(ScheduledTimer)
        case stop(@Sendable () -> Void)
        case answer(DelayedAnswer)
        case sent(Int, of: Int)
        case beginSink(HTTPURLResponse, Exchange)
        case writeToSink(Data, Exchange)
        case holdBack(any TransportTask, Bool)
        case decide(Exchange.End)
        case fail(any Error)
        case failRefresh(any Error)
        case shape(Shaping)
        case reportCancelled(Teapot.SentRequest)
        case enqueue(DispatchQueue)
        case deliver(@Sendable () -> Void)
        case tellCancelled(attempts: Int, [Credential], Teapot.SentRequest?)
    }

    /// An outcome, and what makes of it what the caller gets.
    struct Shaping: Sendable {
        let outcome: Outcome
        let prepare: @Sendable (Outcome) -> @Sendable () -> Void
        /// The last one, or the one that was to be sent.
        let request: URLRequest?
        let exchange: Exchange?
        let timings: Teapot.Timings
        let sent: Teapot.SentRequest?
        let attempts: Int
        let credentials: [Credential]
    }

    /// A time in which nobody is at work for the call.
    ///
    /// `@unchecked Sendable` is sound: its variables are read and written only under the lock of its call.
    final class Wait: @unchecked Sendable {
        enum Reason: Sendable {
            case attempt(after: TeapotError)
            case credential(for: Next)
            /// A mock answers after a delay, which is thus on the same clock as the timeout: neither can overtake the other.
            case answer(DelayedAnswer, Exchange)
        }

        let reason: Reason
        /// When it is over, in the time of the call; `nil` where that is not known.
        let due: Duration?
        /// From when on the timeout counts: it stands still while the caller's task is suspended.
        var start: Duration
        var credential: Result<Authenticator.Issued, any Error>?
        /// Withdraws the question for a credential.
        var withdraw: (@Sendable () -> Void)?
        /// Nothing begins in the midst of what ended before it, however short the wait: a thousand attempts would overflow the
        /// stack.
        var hasTimer = false

        init(_ reason: Reason, due: Duration? = nil, start: Duration) {
            (self.reason, self.due, self.start) = (reason, due, start)
        }
    }

    /// What is the same from beginning to end.
    struct Limits: Sendable {
        /// Seconds without progress, unless a plugin changes it; `nil` for no limit.
        let timeout: TimeInterval?
        /// When the call has to be over, in its time.
        let deadline: Duration?
        /// In bytes.
        let maximumResponseSize: Int?
        let hasSink: Bool
        /// Whether a success may have a body of any size.
        let isEndless: Bool
        let delivery: Delivery
    }

    /// Where the outcome is delivered.
    enum Delivery: Sendable {
        case queue(DispatchQueue)
        /// On the thread that has it.
        case atOnce
        /// The same, unless the call had to wait.
        case atOnceOrOn(DispatchQueue)
    }

    struct SizeLimitExceeded: Error {
        /// In bytes.
        let limit: Int
    }

    static func timedOut(_ reason: String) -> URLError {
        URLError(.timedOut, userInfo: [NSLocalizedDescriptionKey: reason])
    }
}
