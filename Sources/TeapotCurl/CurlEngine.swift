#if os(Linux)
    import CLibcurl
    import Teapot

    /// The thread of a transport, which alone uses libcurl's handles.
    ///
    /// Other threads send it requests through an inbox.
    ///
    /// `@unchecked Sendable` is sound: its variables are read and written on its thread only; `inbox` is for all threads.
    final class CurlEngine: @unchecked Sendable {
        private static let maximumIdleHandles = 32
        private static let maximumOrigins = 1_000
        /// In milliseconds. libcurl 7.88 can lose the timer of an exchange that got a connection after waiting for one, and
        /// only looks at it again when it wakes up for something else. With epoll, its timers are looked at by themselves.
        private static let shortWait: Int32 = 1_000
        /// In milliseconds, when there is nothing to wake up for.
        private static let longWait: Int32 = 3_600_000

        let configuration: CurlTransport.Configuration
        let library: CurlLibrary
        let multi: OpaquePointer
        private let inbox: CurlInbox
        private var origins: [Origin: OriginState] = [:]
        private var handles: [ObjectIdentifier: CurlHandle] = [:]
        private var idleHandles: [CurlHandle] = []
        /// Handles that cannot be used again: they are released while a server works.
        private var spentHandles: [CurlHandle] = []
        private var fields: FieldList
        private var addresses: AddressList
        /// The sockets of libcurl.
        private let sockets = CurlConnections()
        /// Exchanges that libcurl has got and not begun.
        private var pending: [ObjectIdentifier: CurlExchange] = [:]
        /// Exchanges to continue in the next turn.
        private var continued: [ObjectIdentifier: CurlExchange] = [:]
        /// Exchanges whose response ends with the connection, perhaps while their own body waits for a piece.
        private var answered: [ObjectIdentifier: CurlExchange] = [:]
        /// Origins whose connections several exchanges share.
        private var sharedOrigins: Set<Origin> = []
        /// Origins for which more exchanges may begin.
        private var openOrigins: Set<Origin> = []
        /// Origins of connections that could not be opened: their hosts may have other addresses by now.
        private var movedOrigins: Set<Origin> = []
        /// Exchanges that are over and not reported yet.
        private var ended: [(CurlExchange, (any Error)?, Teapot.Timings?)] = []
        /// When the first of them was over.
        private var endedSince = Duration.zero
        /// The number of exchanges that have begun.
        private var beginCount = 0
        /// When the connections that nobody uses were last looked at.
        private var lastSweep = Duration.zero
        /// Whether an exchange has begun since libcurl looked at them.
        private var hasBegun = false

        /// The time after which connections that nobody uses are looked at again. It is not less than libcurl's second.
        private static let sweepInterval = Duration.seconds(2)
        /// libcurl's `CURLOPT_MAXAGE_CONN`.
        private static let defaultIdleAge = Duration.seconds(118)

        /// The time for which exchanges that are over wait for others to end, too.
        private static let patience = Duration.milliseconds(1)
        /// With more connections, looking at all of them takes longer than to be told of one by epoll.
        private static let maximumPolledConnections = 256

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
            fields = FieldList(library)
            addresses = AddressList(configuration.proxy)
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

        // MARK: - On any thread

        func start(_ exchange: CurlExchange) { inbox.post { $0.started.append(exchange) } }
        func cancel(_ exchange: CurlExchange) { inbox.post { $0.cancelled.append(exchange) } }
        func resume(_ exchange: CurlExchange) { inbox.post { $0.resumed.append(exchange) } }

        /// Ends the thread once nothing is under way.
        func stop() { inbox.post { $0.isStopped = true } }

        // MARK: - On the thread

        func run() {
            // OpenSSL writes to connections that their peers have closed, which would end the process.
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            while takeInbox() {
                let continued = continued
                self.continued = [:]
                for exchange in continued.values { continueBody(of: exchange) }
                hasBegun = false
                var code = clibcurl_multi_perform(multi)
                if !ended.isEmpty, DispatchTimer().elapsed - endedSince > Self.patience { report() }
                let endedCount = ended.count
                var hasFreed = false
                while let (handle, code) = CurlHandle.nextDone(of: multi) {
                    hasFreed = true
                    if beginAgain(handle, code) { continue }
                    handle.result = code
                    if handle.exchange?.isUndecoded != true { end(handle, handle.error(of: code)) }
                }
                if ended.count == endedCount { report() }
                if !sharedOrigins.isEmpty { for exchange in pending.values { setTimeout(of: exchange) } }
                if !openOrigins.isEmpty {
                    let origins = openOrigins
                    openOrigins = []
                    for origin in origins { if let state = self.origins[origin] { beginNext(of: origin, state) } }
                    continue
                }
                // Another exchange may have got the connection: see `shortWait`.
                if hasFreed, handles.count > configuration.maximumConnectionsPerHost { continue }
                if hasBegun || !self.continued.isEmpty { continue }
                report()
                if !handles.isEmpty { changeHandles() }
                if code == CLIBCURL_OK, inbox.goesToSleep(isIdle: origins.isEmpty) {
                    let isIdle = handles.isEmpty
                    let keepsNothing = isIdle && fields.isEmpty && addresses.isEmpty && spentHandles.isEmpty
                    // Looking at thousands takes time.
                    let wait =
                        isIdle && !sockets.isEmpty
                        ? Int32(Self.sweepInterval.milliseconds)
                        : keepsNothing ? Self.longWait : Self.shortWait + Int32(clamping: handles.count)
                    code = clibcurl_multi_poll(multi, wait)
                    sweep()
                    // Nothing came for a while, and nothing may come for hours.
                    if isIdle, inbox.isEmpty { forget() }
                    // libcurl 7.88 does not end a paused transfer when the server closes the connection.
                    for exchange in answered.values { continueLater(exchange) }
                }
                // libcurl is, for example, out of memory. No running exchange will end by itself.
                guard code != CLIBCURL_OK else { continue }
                let error = URLError.curl(.unknown, "libcurl's loop failed with error \(code)")
                for handle in handles.values { end(handle, error) }
            }
            report()
            idleHandles = []
            forget()
            clibcurl_multi_cleanup(multi)
            inbox.leave()
        }

        /// Closes connections that nobody will use: libcurl would keep them until it needs another one.
        private func sweep() {
            let now = DispatchTimer().elapsed
            guard !sockets.isEmpty, now - lastSweep >= Self.sweepInterval else { return }
            lastSweep = now
            if shutDownUseless(at: now, isForRequest: false) { CurlHandle.closeLostConnections(of: multi) }
        }

        private func shutDownUseless(at now: Duration, isForRequest: Bool) -> Bool {
            let age = configuration.idleConnectionAge ?? Self.defaultIdleAge
            return sockets.shutDownUseless(at: now, upTo: age, isForRequest: isForRequest)
        }

        /// Releases what only more requests would need.
        private func forget() {
            fields.forget()
            addresses.forget()
            spentHandles = []
        }

        /// Reports the exchanges that are over. The requests that waited for their connections have left meanwhile: their servers work
        /// while the callers do. While others end, they wait for these, but not long: the callers' threads wake up once for several.
        private func report() {
            guard !ended.isEmpty else { return }
            let ended = ended
            self.ended = []
            for (exchange, error, timings) in ended { exchange.finish(error, timings) }
        }

        /// Releases handles, and makes that of the next exchange if libcurl cannot use one again. Done while a server works, as a request
        /// would wait for it otherwise. If there is no memory for it, the exchange asks for one, and gets the error.
        private func changeHandles() {
            spentHandles = []
            guard !library.reusesHandles, idleHandles.isEmpty else { return }
            if let next = try? CurlHandle(configuration, library, sockets) { idleHandles.append(next) }
        }

        /// Handles the requests of other threads.
        ///
        /// - Returns: Whether the thread continues.
        private func takeInbox() -> Bool {
            guard let new = inbox.take(isIdle: origins.isEmpty) else { return false }
            // First, since a new exchange needs another connection after one that is stuck.
            for exchange in new.cancelled { cancelNow(exchange) }
            // A thread may start an exchange and another one cancel it before this thread has seen either.
            for exchange in new.started {
                if exchange.readiness == .cancelled { cancelNow(exchange) } else { startOrQueue(exchange) }
            }
            for exchange in new.resumed { continueBody(of: exchange) }
            return true
        }

        /// Continues a body in the next turn. Called by libcurl, too.
        func continueLater(_ exchange: CurlExchange) { continued[ObjectIdentifier(exchange)] = exchange }

        /// Continues an exchange whenever something has happened: the end of its connection is that of its response.
        func watch(_ exchange: CurlExchange) { answered[ObjectIdentifier(exchange)] = exchange }

        /// Decodes some of the body that was received, lets more of it arrive, or ends the exchange.
        private func continueBody(of exchange: CurlExchange) {
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

        private func startOrQueue(_ exchange: CurlExchange) {
            let known = origins[exchange.origin]
            let state = known ?? OriginState(isShared: sharedOrigins.contains(exchange.origin))
            if known == nil { origins[exchange.origin] = state }
            exchange.originState = state
            guard !state.line.enter(limit: state.limit(connections: maximumConnectionsPerHost)) else {
                begin(exchange)
                if state.line.isEmpty { origins[exchange.origin] = nil }
                return
            }
            exchange.place = state.line.append(exchange)
            beginNext(of: exchange.origin, state)
            if exchange.place != nil { exchange.waitInLine() }
        }

        /// Begins as many exchanges as there are connections for.
        private func beginNext(of origin: Origin, _ state: OriginState) {
            while let next = state.line.next(limit: state.limit(connections: maximumConnectionsPerHost)) {
                next.place = nil
                if next.readiness == .cancelled { end(next, URLError(.cancelled)) } else { begin(next) }
            }
            if state.line.isEmpty { origins[origin] = nil }
        }

        /// While others use all streams, the timeout of an exchange that libcurl has got does not run. It does while a connection is
        /// opened.
        private func setTimeout(of exchange: CurlExchange) {
            if exchange.originState?.isFull == true { exchange.waitInLine() } else { exchange.leaveLine() }
        }

        /// An exchange has come further, or back. Called by libcurl, too.
        func move(_ exchange: CurlExchange, to phase: CurlExchange.Phase) {
            let old = exchange.phase
            guard old != phase else { return }
            exchange.phase = phase
            exchange.originState?.move(from: old, to: phase)
            guard phase != .pending else {
                pending[ObjectIdentifier(exchange)] = exchange
                return
            }
            pending[ObjectIdentifier(exchange)] = nil
            if phase != .over { exchange.leaveLine() }
            // libcurl can get another one.
            if old == .pending, exchange.originState?.isShared == true { openOrigins.insert(exchange.origin) }
        }

        // MARK: - Called by libcurl

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

        /// On any thread.
        var maximumConnectionsPerHost: Int { max(1, configuration.maximumConnectionsPerHost) }

        /// Whether responses of an origin can be HTTP/2. On any thread.
        func canBeHTTP2(_ origin: Origin) -> Bool { configuration.httpVersion.canBeHTTP2(origin, library) }

        /// Marks the connections of an origin as shared. Called by libcurl, where no exchange can begin.
        func shareConnections(with origin: Origin) {
            guard library.reusesConnections(configuration),
                origin.scheme == "https" || library.reusesCleartextHTTP2
            else { return }
            if sharedOrigins.count >= Self.maximumOrigins { sharedOrigins = [] }
            guard sharedOrigins.insert(origin).inserted else { return }
            origins[origin]?.isShared = true
            openOrigins.insert(origin)
        }

        private func begin(_ exchange: CurlExchange) {
            do {
                if !sharedOrigins.isEmpty { _ = shutDownUseless(at: DispatchTimer().elapsed, isForRequest: true) }
                beginCount += 1
                exchange.number = beginCount
                try exchange.begin()
                let handle = try idleHandles.popLast() ?? CurlHandle(configuration, library, sockets)
                let needsNewConnection = exchange.originState?.needsNew == true
                try handle.begin(
                    exchange,
                    at: addresses.address(for: exchange),
                    fields.list(for: exchange),
                    needsNewConnection: needsNewConnection,
                    looksUpAnew: !movedOrigins.isEmpty && movedOrigins.remove(exchange.origin) != nil
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
                hasBegun = true
                handles[ObjectIdentifier(handle)] = handle
                move(exchange, to: .pending)
                // While it waits for a stream of another's connection, its time in line goes on, and the next turn looks again.
                if exchange.originState?.isFull != true { exchange.leaveLine() }
            } catch {
                end(exchange, error)
            }
        }

        private func cancelNow(_ exchange: CurlExchange) {
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
        private func end(_ handle: CurlHandle, _ error: (any Error)?) {
            let timings = handle.timings
            clibcurl_multi_remove(multi, handle.easy)
            handles[ObjectIdentifier(handle)] = nil
            guard let exchange = handle.end() else { return }
            answered[ObjectIdentifier(exchange)] = nil
            if error != nil, exchange.phase == .connecting { didNotConnect(to: exchange.origin) }
            move(exchange, to: .over)
            if handle.isReusable, idleHandles.count < Self.maximumIdleHandles {
                idleHandles.append(handle)
            } else if spentHandles.count < Self.maximumIdleHandles {
                spentHandles.append(handle)
            }
            end(exchange, error, timings)
            if let state = exchange.originState { beginNext(of: exchange.origin, state) }
        }

        private func didNotConnect(to origin: Origin) {
            if movedOrigins.count >= Self.maximumOrigins { movedOrigins = [] }
            movedOrigins.insert(origin)
        }

        /// Ends an exchange that has left the line.
        private func end(_ exchange: CurlExchange, _ error: (any Error)?, _ timings: Teapot.Timings? = nil) {
            exchange.originState?.line.end()
            reportLater(exchange, error, timings)
        }

        private func reportLater(_ exchange: CurlExchange, _ error: (any Error)?, _ timings: Teapot.Timings?) {
            exchange.release()
            if ended.isEmpty { endedSince = DispatchTimer().elapsed }
            ended.append((exchange, error, timings))
        }
    }
#endif
