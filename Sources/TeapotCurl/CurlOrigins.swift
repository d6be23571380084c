#if os(Linux)
    import Teapot

    /// The origins of an engine: the exchanges that wait for a connection, or for a stream of one, and the known traits of the servers.
    ///
    /// It is used on the thread of its engine only, and calls no other object of the engine.
    final class CurlOrigins {
        private static let maximumCount = 1_000

        /// The maximum number of connections to one origin.
        private let maximumConnections: Int
        /// The origins that have exchanges.
        private var states: [Origin: OriginState] = [:]
        /// The origins without exchanges whose servers have traits.
        private var known: [Origin: OriginState] = [:]
        /// The origins for which libcurl may take more exchanges.
        private var open: [OriginState] = []
        /// Whether exchanges share the connections of some origin.
        private(set) var areShared = false
        /// Exchanges that libcurl has, and that wait for a connection or a stream.
        private(set) var pending: [ObjectIdentifier: CurlExchange] = [:]

        init(maximumConnections: Int) { self.maximumConnections = maximumConnections }

        /// Whether no exchange is under way or in line.
        var isEmpty: Bool { states.isEmpty }

        // MARK: - The line of an origin

        /// Lets an exchange begin, or puts it into the line of its origin.
        /// - Returns: Whether it begins.
        func enter(_ exchange: CurlExchange) -> Bool {
            let origin = exchange.origin
            let idle = known.isEmpty ? nil : known.removeValue(forKey: origin)
            let state = states[origin] ?? idle ?? OriginState(origin)
            states[origin] = state
            state.isBusy = true
            exchange.originState = state
            if state.line.enter(limit: state.limit(connections: maximumConnections)) { return true }
            exchange.place = state.line.append(exchange)
            return false
        }

        /// Takes the first exchange in line, if libcurl has room for one more. The caller begins it.
        func next(of state: OriginState) -> CurlExchange? {
            let next = state.line.next(limit: state.limit(connections: maximumConnections))
            next?.place = nil
            if next == nil, state.line.isEmpty, state.isBusy { rest(state) }
            return next
        }

        /// An origin has no more exchanges.
        private func rest(_ state: OriginState) {
            states[state.origin] = nil
            state.rest()
            guard state.hasTraits else { return }
            if known.count >= Self.maximumCount {
                // Others begin slower. Without a downgrade, a body that cannot be sent again would fail.
                for (origin, other) in known where !other.isDowngraded { known[origin] = nil }
                if known.count >= Self.maximumCount { known = [:] }
            }
            known[state.origin] = state
        }

        /// Takes the origins for which libcurl may have room for more exchanges.
        func takeOpen() -> [OriginState] {
            for state in open { state.isOpen = false }
            defer { open = [] }
            return open
        }

        private func reopen(_ state: OriginState) {
            guard !state.isOpen else { return }
            state.isOpen = true
            open.append(state)
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
            if let state = exchange.originState, state.isShared { reopen(state) }
        }

        /// A response has shown that exchanges share the connections of an origin.
        func share(_ state: OriginState) {
            guard !state.isShared else { return }
            state.isShared = true
            areShared = true
            reopen(state)
        }
    }
#endif
