#if os(Linux)
    import CLibcurl
    import Teapot

    /// The thread of a transport, which alone uses libcurl's handles.
    ///
    /// Other threads send it requests through an inbox.
    ///
    /// `@unchecked Sendable` is sound: its variables are read and written on its thread only; `inbox` is for all threads.
    final class CurlEngine: @unchecked Sendable {
        static let maximumIdleHandles = 32
        /// With more connections, looking at all of them takes longer than to be told of one by epoll.
        private static let maximumPolledConnections = 256

        let configuration: CurlTransport.Configuration
        let library: CurlLibrary
        let multi: OpaquePointer
        private let inbox: CurlInbox
        var turn = EngineTurn()
        var origins: CurlOrigins
        /// The handles of running exchanges.
        var handles: [ObjectIdentifier: CurlHandle] = [:]
        var idleHandles: [CurlHandle] = []
        /// Handles that cannot be used again: they are released while a server works.
        var spentHandles: [CurlHandle] = []
        var fields: FieldList
        var addresses: AddressList
        /// The sockets of libcurl.
        let sockets = CurlConnections()
        /// Exchanges to continue in the next turn.
        var continued: [ObjectIdentifier: CurlExchange] = [:]
        /// Exchanges to continue whenever something has happened.
        var watched: [ObjectIdentifier: CurlExchange] = [:]
        /// The number of exchanges whose response is held back by its reader.
        var heldCount = 0
        /// Exchanges that are over and not reported yet.
        var ended: [(CurlExchange, (any Error)?, Teapot.Timings?)] = []
        /// The number of exchanges that have begun.
        var beginCount = 0
        /// When the connections that nobody uses were last looked at.
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
            fields = FieldList(library)
            addresses = AddressList(configuration.proxy)
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

        // MARK: - On any thread

        func start(_ exchange: CurlExchange) { inbox.post { $0.started.append(exchange) } }
        func cancel(_ exchange: CurlExchange) { inbox.post { $0.cancelled.append(exchange) } }
        func resume(_ exchange: CurlExchange) { inbox.post { $0.resumed.append(exchange) } }

        /// Ends the thread once nothing is under way.
        func stop() { inbox.post { $0.isStopped = true } }

        var maximumConnectionsPerHost: Int { max(1, configuration.maximumConnectionsPerHost) }

        /// Whether responses of an origin can be HTTP/2.
        func canBeHTTP2(_ origin: Origin) -> Bool { configuration.httpVersion.canBeHTTP2(origin, library) }

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
                for (origin, state) in origins.takeOpen() { beginNext(of: origin, state) }
                let next = turn.next(load, at: DispatchTimer().elapsed)
                if next.reports { report() }
                if code == CLIBCURL_OK, let wait = next.wait { code = sleep(for: wait) }
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

        private var load: EngineTurn.Load {
            EngineTurn.Load(
                transfers: handles.count,
                isCrowded: handles.count > configuration.maximumConnectionsPerHost,
                continues: !continued.isEmpty,
                keepsConnections: !sockets.isEmpty,
                keepsMemory: !fields.isEmpty || !addresses.isEmpty || !spentHandles.isEmpty
            )
        }

        /// Waits for the network, or for another thread that has something to do.
        /// - Returns: libcurl's code.
        private func sleep(for milliseconds: Int32) -> Int32 {
            changeHandles()
            guard inbox.goesToSleep(isIdle: origins.isEmpty) else { return Int32(CLIBCURL_OK) }
            let isIdle = handles.isEmpty
            let code = clibcurl_multi_poll(multi, milliseconds)
            sweep()
            // Nothing came for a while, and nothing may come for hours.
            if isIdle, inbox.isEmpty { forget() }
            for exchange in watched.values { continueLater(exchange) }
            return code
        }

        /// Handles the requests of other threads.
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

        /// Takes the transfers that libcurl gives back.
        private func takeEnds() {
            while let (handle, code) = CurlHandle.nextDone(of: multi) {
                turn.didFree()
                if beginAgain(handle, code) { continue }
                handle.result = code
                if handle.exchange?.isUndecoded != true { end(handle, handle.error(of: code)) }
            }
        }

        /// Reports the exchanges that are over.
        private func report() {
            let ended = ended
            self.ended = []
            turn.didReport()
            for (exchange, error, timings) in ended { exchange.finish(error, timings) }
        }

        /// Releases handles, and makes that of the next exchange if libcurl cannot use one again. Done while a server works, as a request
        /// would wait for it otherwise. If there is no memory for it, the exchange asks for one, and gets the error.
        private func changeHandles() {
            if handles.isEmpty { return }
            spentHandles = []
            guard !library.reusesHandles, idleHandles.isEmpty else { return }
            if let next = try? CurlHandle(configuration, library, sockets) { idleHandles.append(next) }
        }

        /// Releases what only more requests would need.
        private func forget() {
            fields.forget()
            addresses.forget()
            spentHandles = []
        }
    }
#endif
