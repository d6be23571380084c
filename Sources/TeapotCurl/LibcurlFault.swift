#if os(Linux)
    import CLibcurl
    import Teapot

    /// The faults of libcurl that are worked around, each where its name stands. The comments say the versions in which a fault was seen, and
    /// the order of events, so that its work-around can go with these versions.
    enum LibcurlFault {
        // MARK: Handles

        /// Before 8.1.1: The header of the next response begins with a folded line: libcurl writes to freed memory, as it keeps a pointer into the
        /// header before, which neither `curl_easy_reset` nor anything else clears (https://github.com/curl/curl/issues/11101). A handle
        /// is used for one exchange.
        case staleHeaderLine
        /// 8.14: A handle sends requests of several exchanges again: the limit of five holds for all of them together. A handle that did so
        /// is not used again, nor one whose stream was refused, which it keeps.
        case countedOverExchanges
        /// 8.14: A response is held back by its reader, and the connection closes: what libcurl holds is lost. Not much is held back in libcurl;
        /// the rest is decoded later (`CurlExchange.mustPause`).
        case lostWhileHeld
        /// 7.88: The body of a request waits for its next piece; the server answers, and closes the connection: the transfer does not end. It
        /// is continued whenever something has happened (`CurlEngine.watch`).
        case pausedAtTheEnd

        // MARK: Requests and responses

        /// 8.14: An empty query is sent without its `?`: the request target is set (`CurlAddress.target`).
        case lostQuestionMark
        /// Before 8.3: An IPv6 address with a zone, as in `[fe80::1%25eth0]`, loses it if the URL is parsed before: it is not (`AddressList.parse`).
        case lostZone
        /// 7.88: A transfer coding other than `chunked` is decoded at once, however large the body becomes: it is refused
        /// (`ResponseHeader.checkTransferCoding`).
        case unboundedDecoding
        /// Before 8.23: Several `Location` fields that differ are let through: they are refused (`ResponseHeader.end`).
        case anyLocation

        // MARK: Waiting

        /// 7.88: Some transfers wait for a connection; one becomes free, and goes to one of them: libcurl can lose the timer of that transfer,
        /// and looks at it only when it wakes up for something else. While there are transfers, the thread wakes up each second
        /// (`EngineTurn.shortWait`); when one ends, it looks again at once. With `epoll`, timers are looked at by themselves.
        case lostTimer

        // MARK: Connections

        /// Before 7.80: A request is about to be sent on a kept connection: libcurl asks nobody. Connections are used once.
        case sendsUnasked
        /// All: A request is about to be sent on a connection on which something lies, or that the server has closed: libcurl looks too little,
        /// and, at the latest from 8.23 on, not within a second of the last time. The transport looks (`CurlConnection.isQuiet`).
        case looksTooLittle
        /// 7.88: A second request on an HTTP/2 connection without TLS fails. Connections are used once.
        case brokenCleartextHTTP2
        /// 7.88: A socket that was being connected is closed: libcurl does not tell. One with its descriptor takes its place
        /// (`CurlConnections.open`).
        case untoldClosing
        /// All: On an idle HTTP/2 connection, the server says goodbye, or ends TLS with `close_notify`; a request follows: libcurl reads what
        /// lies there, and sends the request all the same. The connection is shut down before (`CurlEngine.shutDownBeforeRequest`).
        case sentAfterGoodbye
        /// All: The server closes an idle connection: libcurl keeps it until it opens another one. It is made to look (`CurlEngine.sweep`).
        case keptAfterClosing
        /// All: A server wants HTTP/1.1 for a request with a body: libcurl sends it again on another connection, and does not ask for the body
        /// from its beginning. It is moved there (`CurlHandle.takeText`).
        case bodyNotRewound
        /// All: What happens to a stream is known from the verbose text only, which differs by version (`HTTP2Notice`).
        case toldInTextOnly

        /// - Parameter version: The version, as in `0x07_58_00` for 7.88.0.
        /// - Returns: Whether it has the fault; `true` if the work-around is for all versions.
        func isIn(_ version: Int) -> Bool {
            switch self {
            case .staleHeaderLine: version < 0x08_01_01
            case .sendsUnasked: version < 0x07_50_00
            case .brokenCleartextHTTP2: (0x07_58_00..<0x08_00_00).contains(version)
            default: true
            }
        }
    }

    extension CurlEngine {
        /// libcurl's `CURLOPT_MAXAGE_CONN`.
        private static let defaultIdleAge = Duration.seconds(118)

        /// ``LibcurlFault/sentAfterGoodbye``
        func shutDownBeforeRequest() { _ = shutDownUseless(at: DispatchTimer().elapsed, isForRequest: true) }

        /// Closes connections that nobody will use: ``LibcurlFault/keptAfterClosing``.
        func sweep() {
            let now = DispatchTimer().elapsed
            guard !sockets.isEmpty, now - lastSweep >= EngineTurn.sweepInterval else { return }
            lastSweep = now
            if shutDownUseless(at: now, isForRequest: false) { closeLostConnections() }
        }

        private func shutDownUseless(at now: Duration, isForRequest: Bool) -> Bool {
            let age = configuration.idleConnectionAge ?? Self.defaultIdleAge
            return sockets.shutDownUseless(at: now, upTo: age, isForRequest: isForRequest)
        }

        /// Lets libcurl close the connections that have ended. libcurl looks at all of them before it opens a connection, so a transfer is
        /// begun that gets no socket.
        private func closeLostConnections() {
            guard let easy = clibcurl_easy_init() else { return }
            clibcurl_set_string(easy, CLIBCURL_URL, "http://127.0.0.1/")
            clibcurl_set_string(easy, CLIBCURL_NOPROXY, "*")
            clibcurl_set_long(easy, CLIBCURL_NOSIGNAL, 1)
            clibcurl_set_long(easy, CLIBCURL_FRESH_CONNECT, 1)
            clibcurl_set_open_socket_function(easy) { _, _, _ in -1 }
            if clibcurl_multi_add(multi, easy) == CLIBCURL_OK {
                clibcurl_multi_perform(multi)
                clibcurl_multi_remove(multi, easy)
            }
            clibcurl_easy_cleanup(easy)
        }
    }
#endif
