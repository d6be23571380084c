internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

extension Exchange {
    /// One request and what has come for it so far.
    struct Hop {
        let number: Int
        let request: URLRequest
        private(set) var bodyFile: BodyFile?
        var task: (any TransportTask)?
        private(set) var timer: ScheduledTimer?
        private var waitNumber = 0
        var response: HTTPURLResponse?
        /// In the exchange's time, as is `answerTime`.
        var lastProgress: Duration
        /// When to tell the transport's task to answer, if it waits for that.
        private(set) var answerTime: Duration?
        /// Whether the transport was asked to wait.
        var isHeldBack = false
        private(set) var bytesSent = 0
        private(set) var isOver = false
        private(set) var bytesReceived = 0
        private var data = Data()

        /// In bytes.
        let bodySize: Int
        private let start: Duration

        init(number: Int, request: URLRequest, bodyFile: BodyFile?, at now: Duration) {
            self.number = number
            lastProgress = now
            start = now
            self.request = request
            self.bodyFile = bodyFile
            bodySize = request.httpBody?.count ?? bodyFile?.size ?? 0
        }

        mutating func adopt(_ task: any TransportTask) {
            self.task = task
            answerTime = (task as? DelayedTask).map { start + $0.delay }
        }

        /// Begins a wait, in place of any before.
        mutating func beginWait(until deadline: Duration) -> AfterWait {
            waitNumber += 1
            return .wait(until: deadline, number: waitNumber)
        }

        /// Keeps the timer of a wait, unless another has begun.
        ///
        /// - Returns: The timer that is not needed.
        mutating func keep(_ timer: ScheduledTimer, wait number: Int) -> ScheduledTimer? {
            guard number == waitNumber else { return timer }
            return exchange(timer)
        }

        mutating func takeTimer() -> ScheduledTimer? {
            exchange(nil)
        }

        private mutating func exchange(_ timer: ScheduledTimer?) -> ScheduledTimer? {
            defer { self.timer = timer }
            return self.timer
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
            (data, task, timer, bodyFile) = (Data(), nil, nil, nil)
        }

        /// Ends the hop, and lets go of all but what the caller's task shows.
        mutating func end(_ error: (any Error)?, isPremature: Bool) -> Ending {
            defer {
                isOver = true
                letGo()
            }
            return Ending(
                hop: number,
                request: request,
                bodyFile: bodyFile,
                response: response,
                data: data,
                error: error,
                isPremature: isPremature,
                task: task,
                timer: timer
            )
        }
    }

    /// How a hop ended, and what is left to clean up.
    struct Ending: Sendable {
        let hop: Int
        let request: URLRequest
        let bodyFile: BodyFile?
        let response: HTTPURLResponse?
        let data: Data
        let error: (any Error)?
        /// Whether Teapot ended the hop, not the transport.
        let isPremature: Bool
        let task: (any TransportTask)?
        let timer: ScheduledTimer?
    }

    /// What a cancelled exchange still held.
    struct Remains: Sendable {
        let task: (any TransportTask)?
        let timer: ScheduledTimer?
        let transport: (any Transport)?
        let prepare: (@Sendable (Outcome) -> @Sendable () -> Void)?
        let delivery: (@Sendable () -> Void)?
        let ending: Ending?
        let bodyFile: BodyFile?
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
        case watch(hop: Int)
    }

    /// What to do about the time that has passed.
    enum AfterWait: Sendable {
        case nothing
        /// The hop was idle for too long.
        case expired(Ending)
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
