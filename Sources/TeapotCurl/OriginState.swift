#if os(Linux)
    import Teapot

    /// The exchanges with one origin, from the first to the last that are under way together, and the known traits of its server.
    ///
    /// It is used on the thread of its engine only. Each exchange keeps its state, since a look at a dictionary would hash the origin.
    final class OriginState {
        /// The maximum number of exchanges that share an HTTP/2 connection (`CURLMOPT_MAX_CONCURRENT_STREAMS`).
        private static let maximumStreams = 100
        /// The time for which a server that wants HTTP/1.1 for one request gets no other version.
        private static let downgradeTime = Duration.seconds(300)

        let origin: Origin
        var line = ConnectionQueue<CurlExchange>()
        let movement = LineMovement()
        /// Whether it has exchanges.
        var isBusy = false
        /// Whether ``CurlOrigins/takeOpen()`` will return it.
        var isOpen = false
        /// Whether the next exchange opens a new connection, since another may be stuck.
        var needsNew = false
        /// The number of connections that were opened because another may have been stuck.
        var newCount = 0
        private var pendingCount = 0
        private var sentCount = 0
        // The traits.
        /// Whether exchanges share a connection.
        var isShared = false
        /// Until when the server wants HTTP/1.1.
        private var downgradedUntil: Duration?
        /// Whether a connection could not be opened: the host may have other addresses by now.
        var hasMoved = false

        init(_ origin: Origin) { self.origin = origin }

        var hasTraits: Bool { isShared || isDowngraded || hasMoved }

        /// No exchange is under way or in line. What they did is forgotten, with the memory of the line.
        func rest() {
            isBusy = false
            line = ConnectionQueue()
            needsNew = false
            newCount = 0
        }

        /// An exchange has got a new connection, since another may be stuck.
        func didUseNew() {
            needsNew = false
            newCount += 1
        }

        /// - Returns: Whether the name of the host is to be looked up anew, once.
        func takeMoved() -> Bool {
            defer { hasMoved = false }
            return hasMoved
        }

        /// The server wants HTTP/1.1. Its origin still counts as shared: libcurl gets a few more exchanges than it has begun, and the others
        /// wait in line.
        func downgrade(at now: Duration) { downgradedUntil = now + Self.downgradeTime }

        /// Whether the server wants HTTP/1.1, or did a while ago.
        var isDowngraded: Bool { downgradedUntil != nil }

        /// Whether the server wants HTTP/1.1 now.
        func isDowngraded(at now: @autoclosure () -> Duration) -> Bool {
            guard let downgradedUntil else { return false }
            return downgradedUntil > now()
        }

        /// An exchange enters another phase.
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

        /// Whether a pending exchange waits for a stream of another's connection. All exchanges that libcurl has begun are sent then, so none
        /// of them opens a connection.
        var isFull: Bool { isShared && sentCount > 0 && line.count == pendingCount + sentCount }

        /// The maximum number of exchanges that libcurl should get, with a maximum number of connections. The number of streams that a server
        /// allows is not known, so if connections are shared, libcurl gets a few more exchanges than it has begun.
        func limit(connections: Int) -> Int {
            guard isShared else { return connections }
            let more = max(connections - pendingCount, 0)
            return min(line.count + more, max(connections, Self.maximumStreams))
        }
    }
#endif
