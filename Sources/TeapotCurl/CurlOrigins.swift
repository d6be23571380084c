#if os(Linux)
    import Teapot

    /// The origins of an engine: the exchanges that wait for a connection, or for a stream of one, and the known traits of the servers.
    ///
    /// It is used on the thread of its engine only, and calls no other object of the engine.
    final class CurlOrigins {
        private static let maximumCount = 1_000
        /// The time for which a server that wants HTTP/1.1 for one request gets no other version.
        private static let downgradeTime = Duration.seconds(300)

        /// The maximum number of connections to one origin.
        private let maximumConnections: Int
        /// The origins that have exchanges.
        private var states: [Origin: OriginState] = [:]
        /// The origins whose connections several exchanges share.
        private var shared: Set<Origin> = []
        /// The origins for which libcurl may take more exchanges.
        private var open: Set<Origin> = []
        /// The origins whose servers want HTTP/1.1, and until when.
        private var downgraded: [Origin: Duration] = [:]
        /// The origins to which a connection could not be opened: their hosts may have other addresses by now.
        private var moved: Set<Origin> = []
        /// Exchanges that libcurl has, and that wait for a connection or a stream.
        private(set) var pending: [ObjectIdentifier: CurlExchange] = [:]

        init(maximumConnections: Int) { self.maximumConnections = maximumConnections }

        /// Whether no exchange is under way or in line.
        var isEmpty: Bool { states.isEmpty }
        /// Whether exchanges share the connections of some origin.
        var areShared: Bool { !shared.isEmpty }

        // MARK: - The line of an origin

        /// Lets an exchange begin, or puts it into the line of its origin.
        /// - Returns: Whether it begins.
        func enter(_ exchange: CurlExchange) -> Bool {
            let origin = exchange.origin
            let state = states[origin] ?? OriginState(isShared: shared.contains(origin))
            states[origin] = state
            exchange.originState = state
            if state.line.enter(limit: state.limit(connections: maximumConnections)) { return true }
            exchange.place = state.line.append(exchange)
            return false
        }

        /// Takes the first exchange in line, if libcurl has room for one more. The caller begins it.
        func next(of origin: Origin, _ state: OriginState) -> CurlExchange? {
            let next = state.line.next(limit: state.limit(connections: maximumConnections))
            next?.place = nil
            if next == nil, state.line.isEmpty { states[origin] = nil }
            return next
        }

        /// Takes the origins for which libcurl may have room for more exchanges.
        func takeOpen() -> [(Origin, OriginState)] {
            guard !open.isEmpty else { return [] }
            defer { open = [] }
            return open.compactMap { origin in states[origin].map { (origin, $0) } }
        }

        /// An exchange enters another phase.
        func move(_ exchange: CurlExchange, to phase: CurlExchange.Phase) {
            let old = exchange.phase
            exchange.phase = phase
            exchange.originState?.move(from: old, to: phase)
            if phase == .pending { pending[ObjectIdentifier(exchange)] = exchange }
            guard old == .pending else { return }
            pending[ObjectIdentifier(exchange)] = nil
            // libcurl has room for another exchange.
            if exchange.originState?.isShared == true { open.insert(exchange.origin) }
        }

        // MARK: - Connections

        /// A response has shown that exchanges share the connections of an origin.
        func share(_ origin: Origin) {
            if shared.count >= Self.maximumCount { shared = [] }
            guard shared.insert(origin).inserted else { return }
            states[origin]?.isShared = true
            open.insert(origin)
        }

        /// The server of an origin wants HTTP/1.1.
        func downgrade(_ origin: Origin, at now: Duration) {
            if downgraded.count >= Self.maximumCount { downgraded = [:] }
            // The origin still counts as shared: libcurl gets a few more exchanges than it has begun, and the others wait in line.
            downgraded[origin] = now + Self.downgradeTime
        }

        /// Whether the server of an origin wants HTTP/1.1.
        func isDowngraded(_ origin: Origin, at now: @autoclosure () -> Duration) -> Bool {
            !downgraded.isEmpty && (downgraded[origin] ?? .zero) > now()
        }

        /// A connection could not be opened.
        func didNotConnect(to origin: Origin) {
            if moved.count >= Self.maximumCount { moved = [] }
            moved.insert(origin)
        }

        /// - Returns: Whether the name of the host is to be looked up anew, once.
        func takeMoved(_ origin: Origin) -> Bool { !moved.isEmpty && moved.remove(origin) != nil }
    }
#endif
