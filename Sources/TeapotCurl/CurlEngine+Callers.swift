#if os(Linux)
    import Teapot

    /// The methods for other types. The first part is for all threads.
    extension CurlEngine {
        func start(_ exchange: CurlExchange) { inbox.post { $0.started.append(exchange) } }
        func cancel(_ exchange: CurlExchange) { inbox.post { $0.cancelled.append(exchange) } }
        func resume(_ exchange: CurlExchange) { inbox.post { $0.resumed.append(exchange) } }

        /// Ends the thread once nothing is under way.
        func stop() { inbox.post { $0.isStopped = true } }

        var maximumConnectionsPerHost: Int { max(1, configuration.maximumConnectionsPerHost) }
        var maximumConnections: Int { max(1, configuration.maximumConnections) }

        /// Whether responses of an origin can be HTTP/2.
        func canBeHTTP2(_ origin: Origin) -> Bool { configuration.httpVersion.canBeHTTP2(origin, library) }

        // MARK: - Called by libcurl, on the thread

        func didOpen(_ descriptor: Int32, for exchange: CurlExchange) {
            sockets.open(descriptor, for: exchange)
            if exchange.phase == .pending { move(exchange, to: .connecting) }
        }

        /// The connection with these ends, and whether a request can be sent on it.
        func connection(
            _ ends: CurlConnection.Ends,
            for exchange: CurlExchange
        ) -> (connection: CurlConnection, isFit: Bool)? {
            guard let (connection, isNew) = sockets.use(ends, for: exchange) else { return nil }
            return (connection, isNew || connection.isQuiet(mayBeShared: canBeHTTP2(exchange.origin)))
        }

        /// Marks the connections of an origin as shared. No exchange begins here, within libcurl.
        func shareConnections(of state: OriginState) {
            guard library.reusesConnections(configuration),
                state.origin.scheme == "https" || library.reusesCleartextHTTP2
            else { return }
            origins.share(state)
        }
    }
#endif
