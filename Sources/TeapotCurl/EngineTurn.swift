#if os(Linux)
    import Teapot

    /// Decides what the thread of an engine does next. A turn begins when libcurl looks at its connections, and lasts until it looks again.
    /// This value has no thread, clock or libcurl: the engine tells it what happens.
    struct EngineTurn {
        /// The end of a turn, after libcurl has looked and its events are handled.
        struct Next: Equatable {
            /// Whether the exchanges that are over are reported first.
            var reports = false
            /// For how long the thread may wait for the network, in milliseconds; `nil` if libcurl looks again at once.
            var wait: Int32?
        }

        /// The work and the memory that an engine has when it may go to sleep.
        struct Load {
            /// The number of transfers that libcurl has.
            var transfers = 0
            /// Whether there are more transfers than connections to one host: a transfer that waited may have got one.
            var isCrowded = false
            /// Whether bodies are to be decoded, or sent, at the beginning of the next turn.
            var continues = false
            /// Whether connections are kept.
            var keepsConnections = false
            /// Whether memory is kept that only more requests would need.
            var keepsMemory = false
        }

        /// The time for which exchanges that are over wait for others to end, too. The callers' threads then wake up once for several, and
        /// the exchanges that waited for these connections are sent meanwhile.
        static let patience = Duration.milliseconds(1)
        /// The time after which kept connections are looked at again: more than the second in which libcurl does not look again.
        static let sweepInterval = Duration.seconds(2)
        /// In milliseconds: see ``LibcurlFault/lostTimer``.
        static let shortWait: Int32 = 1_000
        /// In milliseconds, when there is nothing to wake up for.
        static let longWait: Int32 = 3_600_000

        /// The time since which an exchange is over and not reported.
        private var endedSince: Duration?
        /// Whether an exchange has waited for its report since a turn before, so that libcurl has looked at the exchanges that began then.
        private var endedEarlier = false
        // The events of this turn.
        private var hasEnded = false
        private var hasBegun = false
        private var hasFreed = false

        /// libcurl is about to look.
        mutating func begin() {
            endedEarlier = endedSince != nil
            hasEnded = false
            hasBegun = false
            hasFreed = false
        }

        /// libcurl has got an exchange, and has not looked at it.
        mutating func didBegin() { hasBegun = true }

        /// libcurl has given a transfer back.
        mutating func didFree() { hasFreed = true }

        /// An exchange is over.
        mutating func didEnd(at now: @autoclosure () -> Duration) {
            hasEnded = true
            endedSince = endedSince ?? now()
        }

        /// All that are over have been reported.
        mutating func didReport() {
            endedSince = nil
            endedEarlier = false
        }

        /// The next step of the thread. The time is asked for only if exchanges that are over wait for others.
        func next(_ load: Load, at now: @autoclosure () -> Duration) -> Next {
            let looksAgain = hasBegun || load.continues || hasFreed && load.isCrowded
            guard looksAgain else { return Next(reports: endedSince != nil, wait: wait(load)) }
            guard let endedSince else { return Next() }
            // No report waits until the body of another exchange is decoded.
            let isLate = endedEarlier && now() - endedSince > Self.patience
            return Next(reports: !hasEnded || load.continues || isLate)
        }

        private func wait(_ load: Load) -> Int32 {
            // A look at thousands of transfers takes time, so there is more time between two.
            if load.transfers > 0 { return Self.shortWait + Int32(clamping: load.transfers) }
            if load.keepsConnections { return Int32(Self.sweepInterval.milliseconds) }
            return load.keepsMemory ? Self.shortWait : Self.longWait
        }
    }
#endif
