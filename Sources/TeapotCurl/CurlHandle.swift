#if os(Linux)
    import CLibcurl
    import Teapot

    /// A handle of libcurl, for one exchange at a time.
    ///
    /// It is used on the thread of its engine only. libcurl's callbacks run there, too, within `clibcurl_multi_perform` and
    /// `clibcurl_easy_resume`.
    final class CurlHandle {
        let easy: OpaquePointer
        /// The current exchange.
        private(set) var exchange: CurlExchange?
        let library: CurlLibrary
        private let httpVersion: CurlTransport.HTTPVersion
        let proxy: CurlTransport.Proxy
        let unixSocket: String?
        /// The buffer for libcurl's error details.
        let errorText: UnsafeMutablePointer<CChar>
        private var fields: CurlList?
        private var url: CurlURL?
        private let hostOverrides: CurlList
        private let connectTimeout: Duration?
        /// Whether the name of the host is looked up although libcurl remembers its addresses.
        private var looksUpAnew = false
        /// Whether a connection can be used again, once it was looked at.
        private let reusesConnections: Bool
        /// The connection on which the request was sent last.
        private(set) var connection: CurlConnection?
        var repetition = Repetition(isRepeatable: false)
        /// Whether a connection must be new.
        var isFresh = false
        /// Whether the connection was not fit for another request, so that nothing was sent.
        var isStale = false
        var isPaused = false
        /// The result of the transfer, while the rest of its body is decoded.
        var result: Int32?

        /// Makes a handle. Throws an error that names the option of the configuration that this libcurl does not support.
        init(
            _ configuration: CurlTransport.Configuration,
            _ library: CurlLibrary,
            _ sockets: CurlConnections
        ) throws(URLError) {
            // Sorted, since libcurl compares names without regard to case, and takes the last of equal ones.
            hostOverrides = try CurlList(configuration.hostOverrides.sortedFields.map { "\($0.name):\($0.value)" })
            guard let easy = clibcurl_easy_init() else {
                throw .curl(.unknown, "libcurl could not create a handle (out of memory?)")
            }
            self.easy = easy
            self.library = library
            httpVersion = configuration.httpVersion
            proxy = configuration.proxy
            unixSocket = configuration.unixSocket
            connectTimeout = configuration.connectTimeout
            reusesConnections = library.reusesConnections(configuration)
            errorText = .allocate(capacity: Int(CLIBCURL_ERROR_LENGTH))
            errorText.initialize(repeating: 0, count: Int(CLIBCURL_ERROR_LENGTH))
            let context = Unmanaged.passUnretained(self).toOpaque()
            for option in [
                CLIBCURL_PRIVATE, CLIBCURL_WRITEDATA, CLIBCURL_HEADERDATA, CLIBCURL_READDATA, CLIBCURL_SEEKDATA,
                CLIBCURL_OPENSOCKETDATA, CLIBCURL_DEBUGDATA,
            ] {
                clibcurl_set_pointer(easy, option, context)
            }
            clibcurl_set_pointer(easy, CLIBCURL_ERRORBUFFER, errorText)
            // The context is not the handle, which is released before its connections are.
            clibcurl_set_pointer(easy, CLIBCURL_CLOSESOCKETDATA, Unmanaged.passUnretained(sockets).toOpaque())
            setFunctions()
            // From libcurl 7.80 on, as the function that gets it.
            if library.asksBeforeRequests { clibcurl_set_pointer(easy, CLIBCURL_PREREQDATA, context) }
            try CurlOptions(easy: easy, version: library.version).set(configuration, hostOverrides)
        }

        deinit {
            clibcurl_easy_cleanup(easy)
            errorText.deallocate()
        }

        /// The next handle whose transfer is over, and its result: `CURLE_OK` is 0.
        static func nextDone(of multi: OpaquePointer) -> (handle: CurlHandle, code: Int32)? {
            var code: Int32 = 0
            return of(clibcurl_multi_next_done(multi, &code)).map { ($0, code) }
        }

        // MARK: - One exchange

        /// Prepares for an exchange. With `needsNewConnection` it does not use a connection that is open; with `looksUpAnew` the addresses that
        /// libcurl remembers for the host may be wrong. Throws an error if libcurl does not accept the request.
        func begin(
            _ exchange: CurlExchange,
            at address: CurlAddress,
            _ fields: CurlList,
            canBeHTTP2: Bool,
            needsNewConnection: Bool,
            looksUpAnew: Bool
        ) throws(URLError) {
            self.exchange = exchange
            repetition = Repetition(isRepeatable: exchange.isRepeatable)
            isPaused = false
            isStale = false
            result = nil
            errorText.pointee = 0
            url = address.url
            let request = exchange.request
            guard
                clibcurl_set_url(easy, address.url?.pointer) == CLIBCURL_OK,
                clibcurl_set_string(easy, CLIBCURL_URL, address.text) == CLIBCURL_OK,
                clibcurl_set_string(easy, CLIBCURL_REQUEST_TARGET, address.target) == CLIBCURL_OK
            else { throw .curl(.unknown, "libcurl rejected the URL") }
            // Other requests wait for a connection that they can share.
            clibcurl_set_long(easy, CLIBCURL_PIPEWAIT, canBeHTTP2 && !needsNewConnection ? 1 : 0)
            // Without a version, some libcurls believe a status line, and send a request before the response to the last has arrived.
            let version =
                !canBeHTTP2
                ? CLIBCURL_HTTP_1_1
                : httpVersion == .http2 ? CLIBCURL_HTTP_2_PRIOR_KNOWLEDGE : CLIBCURL_HTTP_2_OVER_TLS
            guard clibcurl_set_long(easy, CLIBCURL_HTTP_VERSION, version) == CLIBCURL_OK else {
                throw .curl(.unknown, "libcurl \(library.version.libcurl) does not support HTTP/2")
            }
            // The verbose text matters for HTTP/2 only: see ``HTTP2Notice``.
            clibcurl_set_long(easy, CLIBCURL_VERBOSE, canBeHTTP2 ? 1 : 0)
            clibcurl_set_long(easy, CLIBCURL_FORBID_REUSE, reusesConnections ? 0 : 1)
            clibcurl_set_long(easy, CLIBCURL_HTTP_TRANSFER_DECODING, 1)
            try setMethod(of: exchange)
            isFresh =
                needsNewConnection || !reusesConnections
                || canBeHTTP2 && exchange.origin.scheme == "http" && !library.reusesCleartextHTTP2
            clibcurl_set_long(easy, CLIBCURL_FRESH_CONNECT, isFresh ? 1 : 0)
            setTimes(request, looksUpAnew: looksUpAnew)
            clibcurl_set_list(easy, CLIBCURL_HTTPHEADER, fields.first)
            self.fields = fields
        }

        /// Sets the time to connect. libcurl gives half of it to the first of several addresses, so without a limit the others have no turn.
        private func setTimes(_ request: URLRequest, looksUpAnew: Bool) {
            let (own, interval) = (connectTimeout?.milliseconds ?? .max, request.timeoutInterval)
            let limit = interval > 0 && interval < 1e6 ? Int(interval * 1_000) : CurlOptions.longestTime
            clibcurl_set_long(easy, CLIBCURL_CONNECTTIMEOUT_MS, max(min(own, limit), 1))
            guard looksUpAnew != self.looksUpAnew else { return }
            self.looksUpAnew = looksUpAnew
            // In seconds: libcurl's default, or none.
            clibcurl_set_long(easy, CLIBCURL_DNS_CACHE_TIMEOUT, looksUpAnew ? 0 : 60)
        }

        /// Whether the handle can be used for another exchange: ``LibcurlFault/staleHeaderLine``,
        /// ``LibcurlFault/countedOverExchanges``.
        var isReusable: Bool { library.reusesHandles && repetition.sendCount < 2 && result == Int32(CLIBCURL_OK) }

        /// Prepares for the same exchange again, on a new connection if the one before was stale.
        func beginAgain() {
            leaveConnection()
            if isStale {
                isFresh = true
                clibcurl_set_long(easy, CLIBCURL_FRESH_CONNECT, 1)
                clibcurl_set_long(easy, CLIBCURL_FORBID_REUSE, reusesConnections ? 0 : 1)
            }
            isStale = false
            isPaused = false
            errorText.pointee = 0
        }

        /// Leaves a connection that was used before, if the connection ended before the request was to be sent on it.
        /// - Returns: Whether the connection was left.
        func leaveUnsent() -> Bool {
            guard repetition.sendCount == 0, !isFresh else { return false }
            isStale = clibcurl_get_long(easy, CLIBCURL_INFO_NUM_CONNECTS) == 0
            return isStale
        }

        /// Ends the exchange, so that the handle is free for the next one.
        func end() -> CurlExchange? {
            use(nil)
            clibcurl_set_list(easy, CLIBCURL_HTTPHEADER, nil)
            clibcurl_set_url(easy, nil)
            fields = nil
            url = nil
            return exchange.take()
        }

        /// Lets libcurl close the connection after the response.
        func closeConnection() { clibcurl_set_long(easy, CLIBCURL_FORBID_REUSE, 1) }

        /// Lets libcurl deliver the chunks of the response's body as they are.
        func keepChunks() { clibcurl_set_long(easy, CLIBCURL_HTTP_TRANSFER_DECODING, 0) }

        /// Resumes a paused body, of the request or of the response.
        /// - Returns: The error, if libcurl cannot.
        func resume() -> (any Error)? {
            guard isPaused, result == nil else { return nil }
            isPaused = false
            exchange?.isHeldBack = false
            let code = clibcurl_easy_resume(easy)
            return code == CLIBCURL_OK ? nil : error(of: code)
        }

        // MARK: - Its connection

        /// The request needs another connection: libcurl has begun to look for one, and at others on the way.
        func leaveConnection() {
            repetition.leave(connection)
            use(nil)
        }

        func use(_ connection: CurlConnection?) {
            guard self.connection !== connection else { return }
            let now = DispatchTimer().elapsed
            self.connection?.end(at: now)
            connection?.begin(at: now)
            self.connection = connection
        }

        var canBeSent: Bool { repetition.isAllowed(after: connection) }
        /// Whether the server has said that it did not handle the request.
        var isUnhandled: Bool { repetition.isUnhandled(on: connection) }
        /// Whether a connection that has answered before was lost, so that a repeatable request is sent again.
        var mayRepeat: Bool { repetition.isRepeatable && connection?.hasAnswered == true && canBeSent }
        /// Whether the server replaces a connection on which it has answered, as when it restarts, or limits the requests of one.
        var isBeingReplaced: Bool {
            !repetition.isRefused && connection?.hasAnswered == true && connection?.lastStream != nil
        }
        /// The number of times that the request was sent.
        var sendCount: Int { repetition.sendCount }

        /// A response has shown whether several exchanges can share the connection.
        func didRespond(isShared: Bool) {
            connection?.isShared = isShared
            connection?.hasAnswered = true
        }
    }
#endif
