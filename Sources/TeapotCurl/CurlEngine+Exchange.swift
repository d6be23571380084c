#if os(Linux)
    import CLibcurl
    import Teapot

    /// The way of an exchange through its engine, on the thread of the engine.
    extension CurlEngine {
        // MARK: - The beginning

        func startOrQueue(_ exchange: CurlExchange) {
            if origins.enter(exchange) { begin(exchange) }
            if let state = exchange.originState { beginNext(of: exchange.origin, state) }
            if exchange.place != nil { exchange.waitInLine() }
        }

        /// Begins as many exchanges as there are connections for.
        func beginNext(of origin: Origin, _ state: OriginState) {
            while let next = origins.next(of: origin, state) {
                if next.readiness == .cancelled { end(next, URLError(.cancelled)) } else { begin(next) }
            }
        }

        private func begin(_ exchange: CurlExchange) {
            do {
                if origins.areShared { shutDownBeforeRequest() }
                beginCount += 1
                exchange.number = beginCount
                try exchange.begin()
                let handle = try idleHandles.popLast() ?? CurlHandle(configuration, library, sockets)
                let needsNewConnection = exchange.originState?.needsNew == true
                try handle.begin(
                    exchange,
                    at: addresses.address(for: exchange),
                    fields.list(for: exchange),
                    canBeHTTP2: canBeHTTP2(exchange.origin)
                        && !origins.isDowngraded(exchange.origin, at: DispatchTimer().elapsed),
                    needsNewConnection: needsNewConnection,
                    looksUpAnew: origins.takeMoved(exchange.origin)
                )
                if needsNewConnection {
                    exchange.originState?.needsNew = false
                    exchange.originState?.newCount += 1
                }
                let code = clibcurl_multi_add(multi, handle.easy)
                guard code == CLIBCURL_OK else {
                    throw URLError.curl(.unknown, "libcurl accepts no more transfers: error \(code)")
                }
                exchange.handle = handle
                turn.didBegin()
                handles[ObjectIdentifier(handle)] = handle
                move(exchange, to: .pending)
                // While it waits for a stream of another's connection, its time in line goes on, and the next turn looks again.
                if exchange.originState?.isFull != true { exchange.leaveLine() }
            } catch {
                end(exchange, error)
            }
        }

        // MARK: - The body

        /// Continues a body in the next turn. Called by libcurl, too.
        func continueLater(_ exchange: CurlExchange) { continued[ObjectIdentifier(exchange)] = exchange }

        /// Continues an exchange whenever something has happened: see ``LibcurlFault/pausedAtTheEnd``.
        func watch(_ exchange: CurlExchange) { watched[ObjectIdentifier(exchange)] = exchange }

        func continueBodies() {
            guard !continued.isEmpty else { return }
            let exchanges = continued.values
            continued = [:]
            for exchange in exchanges { continueBody(of: exchange) }
        }

        /// Decodes some of the body that was received, lets more of it arrive, or ends the exchange.
        func continueBody(of exchange: CurlExchange) {
            guard let handle = exchange.handle else { return }
            guard exchange.decode() else { return end(handle, exchange.failure) }
            if exchange.isUndecoded { return }
            if let result = handle.result {
                end(handle, handle.error(of: result))
            } else if exchange.hasWholeResponse {
                end(handle, handle.error(of: Int32(CLIBCURL_OK)))
            } else if let error = handle.resume() {
                end(handle, error)
            }
        }

        // MARK: - Called by libcurl, too

        /// An exchange has come further, or back.
        func move(_ exchange: CurlExchange, to phase: CurlExchange.Phase) {
            guard exchange.phase != phase else { return }
            origins.move(exchange, to: phase)
            if phase != .pending, phase != .over { exchange.leaveLine() }
        }

        /// While others use all streams, or all connections, the timeout of an exchange that libcurl has got does not run. It does while
        /// a connection is opened, and while a reader may hold a connection for ever.
        func setTimeouts() {
            guard !origins.pending.isEmpty else { return }
            let areTaken = heldCount == 0 && sockets.areTaken(of: max(1, configuration.maximumConnections))
            for exchange in origins.pending.values {
                let waits = areTaken || exchange.originState?.isFull == true
                waits ? exchange.waitInLine() : exchange.leaveLine()
            }
        }

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

        /// A server wants HTTP/1.1 for a request, as for some kinds of authentication: it gets that for a while.
        func downgrade(_ origin: Origin) { origins.downgrade(origin, at: DispatchTimer().elapsed) }

        /// Marks the connections of an origin as shared. No exchange begins here, within libcurl.
        func shareConnections(with origin: Origin) {
            guard library.reusesConnections(configuration),
                origin.scheme == "https" || library.reusesCleartextHTTP2
            else { return }
            origins.share(origin)
        }

        // MARK: - The end

        func cancelNow(_ exchange: CurlExchange) {
            if let handle = exchange.handle {
                let isSilent = !exchange.hasResponse && handle.connection?.leave(at: DispatchTimer().elapsed) == true
                if isSilent || exchange.isStuck, canBeHTTP2(exchange.origin) {
                    // Closed at once, unless other exchanges use it.
                    handle.closeConnection()
                    // More than the limit would wait until another one is idle.
                    let count = exchange.originState?.newCount ?? 0
                    exchange.originState?.needsNew = count < maximumConnectionsPerHost - 1
                }
                return end(handle, URLError(.cancelled))
            }
            if let place = exchange.place { exchange.originState?.line.remove(exchange, at: place) }
            exchange.place = nil
            reportLater(exchange, URLError(.cancelled), nil)
        }

        /// Takes a handle back, ends its exchange, and begins the next one of that origin.
        func end(_ handle: CurlHandle, _ error: (any Error)?) {
            let timings = handle.timings
            clibcurl_multi_remove(multi, handle.easy)
            handles[ObjectIdentifier(handle)] = nil
            guard let exchange = handle.end() else { return }
            watched[ObjectIdentifier(exchange)] = nil
            if error != nil, exchange.phase == .connecting { origins.didNotConnect(to: exchange.origin) }
            move(exchange, to: .over)
            if handle.isReusable, idleHandles.count < Self.maximumIdleHandles {
                idleHandles.append(handle)
            } else if spentHandles.count < Self.maximumIdleHandles {
                spentHandles.append(handle)
            }
            end(exchange, error, timings)
            if let state = exchange.originState { beginNext(of: exchange.origin, state) }
        }

        /// Ends an exchange that has left the line.
        private func end(_ exchange: CurlExchange, _ error: (any Error)?, _ timings: Teapot.Timings? = nil) {
            exchange.originState?.line.end()
            reportLater(exchange, error, timings)
        }

        private func reportLater(_ exchange: CurlExchange, _ error: (any Error)?, _ timings: Teapot.Timings?) {
            exchange.release()
            turn.didEnd(at: DispatchTimer().elapsed)
            ended.append((exchange, error, timings))
        }
    }
#endif
