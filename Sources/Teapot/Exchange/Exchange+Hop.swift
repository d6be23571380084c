internal import TeapotFoundation

extension Exchange {
    /// A request that is to be sent.
    struct NextHop: Sendable {
        var request: URLRequest
        var bodyFile: BodyFile?
        /// Whether the request that the attempt began with may be sent twice.
        var isIdempotent = false
        /// The redirects that led to it, in this attempt.
        var redirects = 0
        /// What the authenticator gave it.
        var credential: Authenticator.Issued?
        /// Those that are in use, whatever gave them.
        var credentials: [Credential] = []

        /// What the authenticator gave it, unless it went another way: to another origin, or by a plugin.
        var credentialInUse: Authenticator.Issued? {
            credential.flatMap { issued in
                let (name, value) = (issued.credential.name, issued.credential.value)
                return request.value(forHTTPHeaderField: name) == value ? issued : nil
            }
        }
    }

    /// One request and what has come for it so far.
    struct Hop {
        let number: Int
        private(set) var next: NextHop
        var request: URLRequest { next.request }
        var task: (any TransportTask)?
        var timers = Timers()
        /// What the plugins saw of it, until they see what came of it.
        var sent: Teapot.SentRequest?
        var response: HTTPURLResponse?
        /// In the exchange's time, as is `answerTime`.
        var lastProgress: Duration
        /// When to tell the transport's task to answer, if it waits for that.
        private(set) var answerTime: Duration?
        /// Whether the transport was asked to wait.
        var isHeldBack = false
        /// Whether the sink got something, and whether it is taking it just now.
        var hasFedSink = false
        var isFeedingSink = false
        private(set) var bytesSent = 0
        private(set) var isOver = false
        private(set) var bytesReceived = 0
        private var data = Data()

        /// In bytes.
        let bodySize: Int
        private let start: Duration

        init(number: Int, _ next: NextHop, at now: Duration) {
            self.number = number
            self.next = next
            lastProgress = now
            start = now
            bodySize = next.request.httpBody?.count ?? next.bodyFile?.size ?? 0
        }

        mutating func adopt(_ task: any TransportTask) {
            self.task = task
            answerTime = (task as? DelayedTask).map { start + $0.delay }
        }

        /// The task that waits to be told, once its time has come.
        mutating func takeAnswer(at now: Duration) -> DelayedTask? {
            guard let time = answerTime, time <= now else { return nil }
            answerTime = nil
            return task as? DelayedTask
        }

        mutating func countSent(_ count: Int) {
            let (sum, isTooLarge) = bytesSent.addingReportingOverflow(max(count, 0))
            bytesSent = isTooLarge ? .max : sum
        }

        /// Counts a piece of the body, and keeps it unless somebody else does.
        mutating func take(_ piece: Data, keeps: Bool) {
            if keeps { data.append(piece) }
            bytesReceived += piece.count
        }

        /// Lets go of what others gave, once the hop is of no use any more.
        mutating func letGo() {
            (data, task, timers) = (Data(), nil, Timers())
            next = NextHop(request: next.request, bodyFile: nil)
        }

        /// Ends the hop, and lets go of all but what the caller's task shows.
        mutating func end(_ error: (any Error)?, isPremature: Bool) -> Ending {
            defer {
                isOver = true
                letGo()
            }
            return Ending(
                hop: next,
                response: response,
                data: data,
                error: error,
                isPremature: isPremature,
                sinkUse: isFeedingSink ? .now : hasFedSink ? .before : .none,
                task: task,
                timer: timers.timer
            )
        }
    }

    /// How a hop ended, and what is left to clean up.
    struct Ending: Sendable {
        /// Whether the sink has taken anything of the body, or is just at it.
        enum SinkUse {
            case none
            case before
            case now
        }

        let hop: NextHop
        var request: URLRequest { hop.request }
        let response: HTTPURLResponse?
        let data: Data
        let error: (any Error)?
        /// Whether Teapot ended the hop, not the transport.
        let isPremature: Bool
        let sinkUse: SinkUse
        let task: (any TransportTask)?
        let timer: ScheduledTimer?
    }

    /// What a cancelled exchange still held.
    struct Remains: Sendable {
        let task: (any TransportTask)?
        let timer: ScheduledTimer?
        let pause: Pause?
        /// What the plugins have still to see the end of.
        let sent: Teapot.SentRequest?
        let bodyFile: BodyFile?
        let transport: (any Transport)?
        let prepare: (@Sendable (Outcome) -> @Sendable () -> Void)?
        let delivery: (@Sendable () -> Void)?
        let ending: Ending?
    }

    /// What to do after an event.
    enum Reaction: Sendable {
        case nothing
        /// So many bytes of the request's body in all, and of so many.
        case sent(Int, of: Int)
        /// The response is one whose body goes to the sink.
        case begin(HTTPURLResponse)
        case write(Data)
        case end(Ending)
    }

    struct SizeLimitExceeded: Error {
        /// In bytes.
        let limit: Int
    }

    enum AfterResume: Sendable {
        case nothing
        case deliver
        case conclude(Ending)
        /// The hop or the pause of this number goes on.
        case watch(Int)
    }

    /// What to do about the time that has passed.
    enum AfterWait: Sendable {
        case nothing
        /// The hop was idle for too long, or the call took too long.
        case expired(Ending)
        /// The pause is over.
        case proceed(Pause.End, after: Pause)
        case answer(DelayedTask)
        /// In the exchange's time.
        case wait(until: Duration, number: Int)
    }

    /// What the caller's task shows.
    struct Snapshot: Sendable {
        let state: URLSessionTask.State
        let originalRequest: URLRequest?
        let currentRequest: URLRequest?
        let response: HTTPURLResponse?
        let bytesSent: Int
        let bytesExpectedToSend: Int
        let bytesReceived: Int
        let error: TeapotError?
    }
}
