internal import TeapotFoundation

extension Exchange {
    /// The time between two hops in which an exchange waits: for the next attempt, or for a credential.
    struct Pause: Sendable {
        enum Reason: Sendable {
            /// The next attempt has its time, in that of the exchange. The error is the outcome if there is none after all.
            case retry(after: TeapotError, at: Duration)
            /// The authenticator is to give a credential for what comes next.
            case credential(for: Next)
        }

        /// What a credential is for.
        enum Next: Sendable {
            /// The next attempt, or the same once more.
            case attempt(isReplay: Bool)
            /// A request that was sent already, or one that a redirect led to.
            case hop(NextHop)

            /// A request once more: the whole attempt, unless a redirect led to it.
            static func again(_ hop: NextHop, isReplay: Bool) -> Next {
                hop.redirects == 0 ? .attempt(isReplay: isReplay) : .hop(hop)
            }
        }

        /// How a pause ended.
        enum End: Sendable {
            case attempt
            case authorized(Authenticator.Issued, Next)
            case failed(any Error)
        }

        let number: Int
        let reason: Reason
        /// In the exchange's time, as the timeout counts it: it stands still while the caller's task is suspended.
        var start: Duration
        var credential: Result<Authenticator.Issued, any Error>?
        /// Withdraws the question for a credential.
        var withdraw: (@Sendable () -> Void)?
        var timers = Timers()

        /// An attempt never begins in the midst of what ended the one before, however short the pause: a thousand of them would
        /// overflow the stack.
        var hasTimer = false

        /// Lets go of what waited for the end of the pause.
        func clear() {
            timers.timer?.cancel()
            withdraw?()
        }
    }

    /// The timer of a hop or a pause, which is set anew whenever the time to wait for has changed.
    struct Timers: Sendable {
        private(set) var timer: ScheduledTimer?
        private var waitNumber = 0

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
            defer { self.timer = timer }
            return self.timer
        }

        mutating func take() -> ScheduledTimer? {
            defer { timer = nil }
            return timer
        }
    }

    static let deadlineReason = "the deadline of the call is over"

    static func timedOut(_ reason: String) -> URLError {
        URLError(.timedOut, userInfo: [NSLocalizedDescriptionKey: reason])
    }
}

extension Exchange.State {
    /// Takes in what the call asks for.
    mutating func begin(_ request: URLRequest, _ bodyFile: BodyFile?, deadline: Duration?) {
        call = (request, bodyFile)
        self.deadline = deadline
    }

    /// What each attempt begins with.
    var nextCall: Call? { phase == .running ? call : nil }

    /// What a next attempt goes by; `nil` when the exchange is over.
    var retryState: (attempts: Int, deadline: Duration?)? { phase == .running ? (attempts, deadline) : nil }

    /// Changes header fields of what the next attempt begins with.
    mutating func setFields(_ fields: [String: String?]) {
        for (name, value) in fields { call?.request.setValue(value, forHTTPHeaderField: name) }
    }

    /// - Returns: The number of the pause; `nil` when the exchange is over.
    mutating func beginPause(_ reason: Exchange.Pause.Reason, at now: Duration) -> Int? {
        guard phase == .running else { return nil }
        hasWaited = true
        lastNumber += 1
        pause = Exchange.Pause(number: lastNumber, reason: reason, start: now)
        return lastNumber
    }

    /// Keeps what withdraws the question for a credential, while there is none.
    mutating func keep(_ withdraw: @escaping @Sendable () -> Void, pause number: Int) -> Bool {
        guard phase == .running, pause?.number == number else { return false }
        pause?.withdraw = withdraw
        return true
    }

    mutating func resolve(_ credential: Result<Authenticator.Issued, any Error>, pause number: Int) {
        if pause?.number == number { pause?.credential = credential }
    }

    /// Looks whether the pause is over.
    mutating func afterPause(timeout: TimeInterval?, at now: Duration) -> Exchange.AfterWait {
        guard phase == .running, !isSuspended, let pause else { return .nothing }
        switch (pause.reason, pause.credential) {
        case (.credential(let next), .success(let issued)): return endPause(.authorized(issued, next))
        case (.credential, .failure(let error)): return endPause(.failed(error))
        case (.credential, nil):
            let deadline = [timeout.map { pause.start + Duration.seconds($0) }, self.deadline].compactMap(\.self).min()
            guard let deadline else { return .nothing }
            guard deadline <= now else { return waitInPause(until: deadline) }
            let reason = deadline == self.deadline ? Exchange.deadlineReason : "no credential came in time"
            return endPause(.failed(TeapotError.noResponse(Exchange.timedOut(reason))))
        case (.retry(let error, let time), _):
            guard pause.hasTimer, time <= now else {
                self.pause?.hasTimer = true
                return waitInPause(until: time)
            }
            // The caller's task may have been suspended for longer than the call may take.
            if let deadline, deadline <= now { return endPause(.failed(error)) }
            return endPause(.attempt)
        }
    }

    private mutating func endPause(_ end: Exchange.Pause.End) -> Exchange.AfterWait {
        defer { pause = nil }
        return pause.map { .proceed(end, after: $0) } ?? .nothing
    }

    private mutating func waitInPause(until deadline: Duration) -> Exchange.AfterWait {
        pause?.timers.beginWait(until: deadline) ?? .nothing
    }
}
