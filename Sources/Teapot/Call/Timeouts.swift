import TeapotFoundation

extension Exchange {
    /// The times of an exchange: what is due at a time, and what is due next.
    struct Timeouts {
        /// The times of the events that the transport reports on demand.
        struct Schedule {
            let report: @Sendable () -> Void
            var times: ArraySlice<Duration>
            /// Whether the transport is reporting an event at this moment.
            var isReporting = false
        }

        private let start: Duration
        /// The time without progress after which the exchange fails; `nil` for no limit.
        private let timeout: Duration?
        var deadline: Duration?
        private var lastProgress: Duration
        /// Whether the exchange was given more time after a stop of the process, since the last progress.
        private var hasGrace = false
        /// The time at which the body must be over, in place of the timeout.
        var end: Duration?
        /// Whether the transport was asked to pause the body, for its reader. The timeout is paused meanwhile.
        var isPaused = false
        typealias Line = (origin: Origin?, connections: Int, movement: LineMovement?)

        /// The line in which the exchange waits for a connection, and the count of its moves at the last look.
        private var line: Line?
        private var seenMoves: Int?
        var schedule: Schedule?

        init(from start: Duration, timeout: Duration?, deadline: Duration?) {
            self.start = start
            self.timeout = timeout
            self.deadline = deadline
            lastProgress = start
        }

        var isReporting: Bool { schedule?.isReporting == true }

        /// Restarts the timeout. `inLine` says whether the exchange still waits for a connection.
        mutating func progress(at now: Duration, inLine: Bool = false) {
            lastProgress = now
            hasGrace = false
            if !inLine { line = nil }
        }

        mutating func enter(_ line: Line) {
            self.line = line
            seenMoves = line.movement?.moves
        }

        /// Whether the exchange waits in a line that may move on: no response is held back there by its reader, or something has moved
        /// since this was last asked.
        mutating func isLineMoving() -> Bool {
            guard let line else { return false }
            guard let movement = line.movement, movement.heldBodies > 0 else { return true }
            let moves = movement.moves
            defer { seenMoves = moves }
            return moves != seenMoves
        }

        private var limit: Duration? {
            let idle = isPaused ? nil : end ?? timeout.map { lastProgress + $0 }
            return idle.flatMap { idle in deadline.map { min(idle, $0) } ?? idle } ?? deadline
        }

        /// Gives the exchange more time, once, if its timer fires much too late: the process was stopped (`SIGSTOP`, a frozen
        /// container), and data that has arrived meanwhile is not read yet. The deadline stays.
        mutating func forgiveStop(at now: Duration) {
            guard !hasGrace, line == nil, !isPaused, end == nil, let timeout,
                now - lastProgress - timeout >= .milliseconds(100)
            else { return }
            hasGrace = true
            lastProgress = now + .milliseconds(250) - timeout
        }

        /// The time of the next event, unless the limit comes before it. At the same time, the event is first.
        private var nextEvent: Duration? {
            guard let time = schedule?.times.first, let limit else { return schedule?.times.first }
            return time <= limit ? time : nil
        }

        /// When to look again; `nil` if there is nothing to wait for.
        var wakeTime: Duration? { isReporting ? nil : nextEvent ?? limit }

        mutating func takeReport(at now: Duration) -> (@Sendable () -> Void)? {
            guard !isReporting, let time = nextEvent, time <= now else { return nil }
            schedule?.times.removeFirst()
            schedule?.isReporting = true
            return schedule?.report
        }

        /// The error of an exchange whose time is over; `nil` if it is not.
        func error(at now: Duration) -> URLError? {
            guard !isReporting, nextEvent == nil, let limit, limit <= now else { return nil }
            guard let line else {
                return limit == deadline
                    ? .deadlinePassed : .timedOut("there was no progress for \(timeout?.seconds ?? 0) seconds")
            }
            let kind = line.connections == 1 ? "the only connection" : "one of \(line.connections) connections"
            let place = line.origin.map { "to \($0.host)" } ?? "in all"
            var reason = "waited \((now - start).inSeconds) for \(kind) \(place)"
            if limit != deadline {
                let count = line.movement?.heldBodies ?? 0
                reason += ", on which nothing moved: \(count) of the responses there are not read"
            }
            return .timedOut(reason)
        }
    }
}
