#if os(Linux)
    import Teapot

    /// The exchanges with one origin, from the first to the last that are under way together.
    ///
    /// It is used on the thread of its engine only. Each exchange keeps it, as a look at a dictionary hashes the origin.
    final class OriginState {
        /// The maximum number of exchanges that share an HTTP/2 connection (`CURLMOPT_MAX_CONCURRENT_STREAMS`).
        private static let maximumStreams = 100

        var line = ConnectionQueue<CurlExchange>()
        let movement = LineMovement()
        /// Whether exchanges share a connection.
        var isShared: Bool
        /// Whether a connection may be stuck: the next exchange opens a new one.
        var needsNew = false
        /// The number of connections that were opened for that reason.
        var newCount = 0
        private var pendingCount = 0
        private var sentCount = 0

        init(isShared: Bool) { self.isShared = isShared }

        /// An exchange has come further, or back.
        func move(from old: CurlExchange.Phase, to new: CurlExchange.Phase) {
            count(old, by: -1)
            count(new, by: 1)
            movement.move()
        }

        private func count(_ phase: CurlExchange.Phase, by change: Int) {
            switch phase {
            case .pending: pendingCount += change
            case .sent: sentCount += change
            case .waiting, .connecting, .over: break
            }
        }

        /// Whether a pending exchange waits for a stream of another's connection: those that libcurl has begun are all sent, so none of
        /// them opens one.
        var isFull: Bool { isShared && sentCount > 0 && line.count == pendingCount + sentCount }

        /// The maximum number of exchanges that libcurl should get.
        ///
        /// How many streams a server allows is not known. If connections are shared, libcurl gets a few more exchanges than it has
        /// begun.
        ///
        /// - Parameter connections: The maximum number of connections.
        /// - Returns: The number.
        func limit(connections: Int) -> Int {
            guard isShared else { return connections }
            let more = max(connections - pendingCount, 0)
            return min(line.count + more, max(connections, Self.maximumStreams))
        }
    }
#endif
