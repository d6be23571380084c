#if os(Linux)
    import CLibcurl
    import Teapot

    /// The thread of a transport, which alone uses libcurl's handles.
    ///
    /// Other threads send it requests through an inbox.
    ///
    /// `@unchecked Sendable` is sound: its variables are read and written on its thread only; `inbox` is for all threads.
    final class CurlEngine: @unchecked Sendable {
        /// With more connections, looking at all of them takes longer than waiting for `epoll` to name the ready ones.
        private static let maximumPolledConnections = 256

        let configuration: CurlTransport.Configuration
        let library: CurlLibrary
        let multi: OpaquePointer
        let inbox: CurlInbox
        /// The sockets of libcurl.
        let sockets = CurlConnections()
        let origins: CurlOrigins
        private let pool: CurlHandlePool
        private var turn = EngineTurn()
        /// The exchanges that have handles.
        private var running: [ObjectIdentifier: CurlExchange] = [:]
        /// Exchanges to continue in the next turn.
        private var continued: [CurlExchange] = []
        /// Exchanges to continue whenever something has happened.
        private var watched: [ObjectIdentifier: CurlExchange] = [:]
        /// The number of exchanges whose response is held back by its reader.
        var heldCount = 0
        /// Exchanges that are over and not reported yet.
        private var ended: [CurlExchange] = []
        /// The number of exchanges that have begun.
        private var beginCount = 0
        /// The time at which the idle connections were last looked at.
        var lastSweep = Duration.zero

        /// Makes an engine, and starts its thread.
        init(_ configuration: CurlTransport.Configuration, _ library: CurlLibrary) throws(URLError) {
            var configuration = configuration
            configuration.proxy = configuration.proxy.resolved
            let usesEpoll = configuration.maximumConnections > Self.maximumPolledConnections
            guard let multi = clibcurl_multi_init(usesEpoll) else {
                throw .curl(.unknown, "libcurl could not create a handle (out of memory or file descriptors)")
            }
            self.multi = multi
            inbox = CurlInbox(multi)
            self.configuration = configuration
            self.library = library
            pool = CurlHandlePool(configuration, library, sockets)
            origins = CurlOrigins(maximumConnections: max(1, configuration.maximumConnectionsPerHost))
            let limits: [(clibcurl_multi_option, Int)] = [
                (CLIBCURL_MAX_HOST_CONNECTIONS, configuration.maximumConnectionsPerHost),
                (CLIBCURL_MAX_TOTAL_CONNECTIONS, configuration.maximumConnections),
                (CLIBCURL_MAXCONNECTS, configuration.maximumConnections),
            ]
            for (option, value) in limits { clibcurl_multi_set_long(multi, option, max(1, value)) }
            let thread = Thread { self.run() }
            thread.name = "Teapot.CurlTransport"
            thread.start()
        }

        // MARK: - The thread

        private func run() {
            // OpenSSL writes to connections that their peers have closed, which would end the process.
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            while takeInbox() {
                continueBodies()
                turn.begin()
                var code = clibcurl_multi_perform(multi)
                takeEnds()
                setTimeouts()
                for state in origins.takeOpen() { beginNext(of: state) }
                let next = turn.next(load, at: DispatchTimer().elapsed)
                if next.reports { report() }
                if code == CLIBCURL_OK, let wait = next.wait { code = sleep(for: wait) }
                // After such an error, for example without memory, no running exchange ends by itself.
                guard code != CLIBCURL_OK else { continue }
                let error = URLError.curl(.unknown, "libcurl's loop failed with error \(code)")
                for exchange in running.values { exchange.handle.map { end($0, error) } }
            }
            report()
            pool.close()
            clibcurl_multi_cleanup(multi)
            inbox.leave()
        }

        private var load: EngineTurn.Load {
            EngineTurn.Load(
                transfers: running.count,
                isCrowded: running.count > configuration.maximumConnectionsPerHost,
                continues: !continued.isEmpty,
                keepsConnections: !sockets.isEmpty,
                keepsMemory: !pool.isEmpty
            )
        }

        /// Waits for the network, or until another thread posts to the inbox.
        /// - Returns: libcurl's code.
        private func sleep(for milliseconds: Int32) -> Int32 {
            let isIdle = running.isEmpty
            if !isIdle { pool.changeHandles() }
            guard inbox.goesToSleep(isIdle: origins.isEmpty) else { return Int32(CLIBCURL_OK) }
            let code = clibcurl_multi_poll(multi, milliseconds)
            sweep()
            // No request came for a while, and the next may come hours later.
            if isIdle, inbox.isEmpty { pool.forget() }
            for exchange in watched.values { continueLater(exchange) }
            return code
        }

        /// Handles the requests of other threads.
        /// - Returns: Whether this thread continues.
        private func takeInbox() -> Bool {
            guard let new = inbox.take(isIdle: origins.isEmpty) else { return false }
            // Cancelled exchanges come first: one of them may show that a connection is stuck, and a new exchange must not use that one.
            for exchange in new.cancelled { cancelNow(exchange) }
            // An exchange may be started and cancelled before this thread has seen either.
            for exchange in new.started {
                if exchange.readiness == .cancelled { cancelNow(exchange) } else { startOrQueue(exchange) }
            }
            for exchange in new.resumed { continueBody(of: exchange) }
            return true
        }

        /// Takes the transfers that libcurl has ended.
        private func takeEnds() {
            while let (handle, code) = CurlHandle.nextDone(of: multi) {
                turn.didFree()
                if beginAgain(handle, code) { continue }
                handle.result = code
                if handle.exchange?.isUndecoded != true { end(handle, handle.error(of: code)) }
            }
        }

        /// Reports the exchanges that are over. Their callers may start or cancel others meanwhile, which goes to the inbox.
        private func report() {
            let ended = ended
            self.ended = []
            turn.didReport()
            for exchange in ended { exchange.finish() }
        }

        // MARK: - The beginning

        private func startOrQueue(_ exchange: CurlExchange) {
            if origins.enter(exchange) { begin(exchange) }
            if let state = exchange.originState { beginNext(of: state) }
            if exchange.place != nil { exchange.waitInLine() }
        }

        /// Begins as many exchanges as there are connections for.
        private func beginNext(of state: OriginState) {
            while let next = origins.next(of: state) {
                if next.readiness == .cancelled { end(next, URLError(.cancelled)) } else { begin(next) }
            }
        }

        private func begin(_ exchange: CurlExchange) {
            do {
                if origins.areShared { shutDownBeforeRequest() }
                beginCount += 1
                exchange.number = beginCount
                try exchange.begin()
                let state = exchange.originState
                let needsNewConnection = state?.needsNew == true
                let handle = try pool.take(
                    for: exchange,
                    canBeHTTP2: canBeHTTP2(exchange.origin) && state?.isDowngraded(at: DispatchTimer().elapsed) != true,
                    needsNewConnection: needsNewConnection,
                    looksUpAnew: state?.takeMoved() == true
                )
                if needsNewConnection { state?.didUseNew() }
                let code = clibcurl_multi_add(multi, handle.easy)
                guard code == CLIBCURL_OK else {
                    throw URLError.curl(.unknown, "libcurl accepts no more transfers: error \(code)")
                }
                exchange.handle = handle
                turn.didBegin()
                running[ObjectIdentifier(exchange)] = exchange
                move(exchange, to: .pending)
                // An exchange that waits for a stream of another's connection stays in line, and the next turn looks again.
                if state?.isFull != true { exchange.leaveLine() }
            } catch {
                end(exchange, error)
            }
        }

        // MARK: - The body

        /// Continues a body in the next turn. Called by libcurl, too.
        func continueLater(_ exchange: CurlExchange) {
            if !exchange.isContinued { continued.append(exchange) }
            exchange.isContinued = true
        }

        /// Continues an exchange whenever something has happened: see ``LibcurlFault/pausedAtTheEnd``.
        func watch(_ exchange: CurlExchange) { watched[ObjectIdentifier(exchange)] = exchange }

        private func continueBodies() {
            let exchanges = continued
            continued = []
            for exchange in exchanges {
                exchange.isContinued = false
                continueBody(of: exchange)
            }
        }

        /// Decodes some of the body that was received, lets more of it arrive, or ends the exchange.
        private func continueBody(of exchange: CurlExchange) {
            guard let handle = exchange.handle else { return }
            if exchange.readiness == .yes { exchange.isHeldBack = false }
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

        /// An exchange enters another phase.
        func move(_ exchange: CurlExchange, to phase: CurlExchange.Phase) {
            guard exchange.phase != phase else { return }
            origins.move(exchange, to: phase)
            if phase != .pending, phase != .over { exchange.leaveLine() }
        }

        /// Stops the timeout of pending exchanges while others use all streams, or all connections. The timeout runs while a connection is
        /// opened, and while a reader holds a response back, since that reader may hold its connection for ever.
        private func setTimeouts() {
            guard !origins.pending.isEmpty else { return }
            let areTaken = heldCount == 0 && sockets.areTaken(of: maximumConnections)
            for exchange in origins.pending.values {
                if exchange.originState?.isFull == true {
                    exchange.waitInLine()
                } else if areTaken {
                    exchange.wait(forOneOf: maximumConnections)
                } else {
                    exchange.leaveLine()
                }
            }
        }

        // MARK: - The end

        private func cancelNow(_ exchange: CurlExchange) {
            if let handle = exchange.handle {
                let now = DispatchTimer().elapsed
                let isSilent = !exchange.hasResponse && handle.connection?.leave(at: now) == true
                if isSilent || exchange.isStuck(at: now), canBeHTTP2(exchange.origin) {
                    // The connection is closed at once, unless other exchanges use it.
                    handle.closeConnection()
                    // Beyond the limit of connections, a new one would wait until another is idle.
                    let count = exchange.originState?.newCount ?? 0
                    exchange.originState?.needsNew = count < maximumConnectionsPerHost - 1
                }
                return end(handle, URLError(.cancelled))
            }
            if let place = exchange.place { exchange.originState?.line.remove(exchange, at: place) }
            exchange.place = nil
            reportLater(exchange, URLError(.cancelled), nil)
        }

        /// Takes a handle back, ends its exchange, and begins the next exchanges with its origin.
        private func end(_ handle: CurlHandle, _ error: (any Error)?) {
            let timings = handle.timings
            clibcurl_multi_remove(multi, handle.easy)
            guard let exchange = handle.end() else { return }
            running[ObjectIdentifier(exchange)] = nil
            if !watched.isEmpty { watched[ObjectIdentifier(exchange)] = nil }
            if error != nil, exchange.phase == .connecting { exchange.originState?.hasMoved = true }
            move(exchange, to: .over)
            pool.put(handle)
            end(exchange, error, timings)
            if let state = exchange.originState { beginNext(of: state) }
        }

        /// Ends an exchange that had begun, which makes room for the next in the line of its origin.
        private func end(_ exchange: CurlExchange, _ error: (any Error)?, _ timings: Teapot.Timings? = nil) {
            exchange.originState?.line.end()
            reportLater(exchange, error, timings)
        }

        private func reportLater(_ exchange: CurlExchange, _ error: (any Error)?, _ timings: Teapot.Timings?) {
            exchange.end(error, timings)
            turn.didEnd(at: DispatchTimer().elapsed)
            ended.append(exchange)
        }
    }
#endif
