#if os(Linux)
    import Teapot

    /// What the thread of an engine does next. A turn begins when libcurl looks at its connections, and lasts until it looks again.
    /// This value has no thread, clock or libcurl: it is told what happens.
    struct EngineTurn {
        /// What follows when libcurl has looked, and what it brought is done.
        struct Next: Equatable {
            /// Whether the exchanges that are over are reported first.
            var reports = false
            /// For how long the thread may wait for the network, in milliseconds; `nil` if libcurl looks again at once.
            var wait: Int32?
        }

        /// What an engine has when it may go to sleep.
        struct Load {
            /// The number of transfers that libcurl has.
            var transfers = 0
            /// Whether there are more transfers than connections to one host: a transfer that waited may have got one.
            var isCrowded = false
            /// Whether bodies are to be decoded, or sent, at the beginning of the next turn.
            var continues = false
            /// Whether connections are kept.
            var keepsConnections = false
            /// Whether something else is kept that only more requests would need.
            var keepsMemory = false
        }

        /// The time for which exchanges that are over wait for others to end, too: the callers' threads wake up once for several, and
        /// those that waited for their connections leave meanwhile.
        static let patience = Duration.milliseconds(1)
        /// The time after which kept connections are looked at again. It is not less than libcurl's second.
        static let sweepInterval = Duration.seconds(2)
        /// In milliseconds: see ``LibcurlFault/lostTimer``.
        static let shortWait: Int32 = 1_000
        /// In milliseconds, when there is nothing to wake up for.
        static let longWait: Int32 = 3_600_000

        /// Since when an exchange has been over that is not reported.
        private var endedSince: Duration?
        /// Whether one has been since a turn before, so that libcurl has looked at what began then.
        private var endedEarlier = false
        /// What has happened in this turn.
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

        /// libcurl has got an exchange, which it has not looked at.
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

        /// - Parameters:
        ///   - load: What the engine has.
        ///   - now: The time; asked for only if ends wait for others.
        /// - Returns: What follows.
        func next(_ load: Load, at now: @autoclosure () -> Duration) -> Next {
            let looksAgain = hasBegun || load.continues || hasFreed && load.isCrowded
            guard looksAgain else { return Next(reports: endedSince != nil, wait: wait(load)) }
            guard let endedSince else { return Next() }
            // Nobody waits until the body of another is decoded.
            let isLate = endedEarlier && now() - endedSince > Self.patience
            return Next(reports: !hasEnded || load.continues || isLate)
        }

        private func wait(_ load: Load) -> Int32 {
            // Looking at thousands takes time.
            if load.transfers > 0 { return Self.shortWait + Int32(clamping: load.transfers) }
            if load.keepsConnections { return Int32(Self.sweepInterval.milliseconds) }
            return load.keepsMemory ? Self.shortWait : Self.longWait
        }
    }
#endif
