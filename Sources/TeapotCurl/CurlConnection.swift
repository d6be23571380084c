#if os(Linux)
    import CLibcurl
    import Teapot

    /// A connection of libcurl, as far as a transport knows it.
    ///
    /// It is used on the thread of its engine only.
    final class CurlConnection {
        /// The ends of a connection, by which libcurl names it before it sends a request. Two that are open differ.
        struct Ends: Hashable {
            /// The server's address, or that of its proxy.
            let remote: String
            let remotePort: Int32
            let localPort: Int32

            /// Only by the local port, since most connections have the same remote end.
            func hash(into hasher: inout Hasher) { hasher.combine(localPort) }

            var peer: String { Self.peer(remote, Int(remotePort)) }

            /// A remote end, as in `192.0.2.1:443` and `[2001:db8::1]:443`.
            static func peer(_ address: String, _ port: Int) -> String {
                strchr(address, CInt(UInt8(ascii: ":"))) != nil ? "[\(address)]:\(port)" : "\(address):\(port)"
            }
        }

        /// The time without a response after which a connection may have gone silent.
        static let patience = Duration.milliseconds(500)

        fileprivate let descriptor: Int32
        /// The number of the exchange that it was opened for.
        fileprivate let opener: Int
        /// Its ends, once a request is sent on it.
        fileprivate(set) var ends: Ends?
        /// The remote end, in words.
        private(set) lazy var peer = ends?.peer
        /// Whether it is open, no request was sent on it, and no later one was opened for the same exchange.
        fileprivate var isLastOpened = true
        /// The number of bytes that the server's system had acknowledged when its connection was closed.
        var lastAcknowledged: Int64?
        /// The number of exchanges that use the connection now: several if it is HTTP/2, or while a body is decoded that libcurl has received.
        private(set) var userCount = 0
        /// The time since which no exchange uses the connection.
        fileprivate var idleSince = Duration.zero
        /// Whether it is HTTP/2; `nil` before the first response.
        var isShared: Bool?
        /// Whether it has brought a response.
        var hasAnswered = false
        /// Whether libcurl names the stream of a request (RFC 9113, section 5).
        var namesStreams = false
        /// The time since which nothing has arrived although a response is awaited.
        private var quietSince = Duration.zero
        /// Whether a call has ended without a response since something arrived.
        private var wasLeft = false
        /// The last stream that the server handles, once it has said so (`GOAWAY`; RFC 9113, section 6.8).
        var lastStream: Int?

        init(descriptor: Int32, opener: Int) {
            self.descriptor = descriptor
            self.opener = opener
        }

        /// The number of bytes that the server's system has acknowledged; `nil` if it is not known.
        var acknowledged: Int64? {
            let count = lastAcknowledged ?? clibcurl_acknowledged(descriptor)
            return count < 0 ? nil : count
        }

        /// An exchange uses the connection from now on. Earlier calls that gave up count as waiting.
        func begin(at now: Duration) {
            if userCount == 0, !wasLeft { quietSince = now }
            userCount += 1
        }

        /// An exchange does not use the connection any more.
        func end(at now: Duration) {
            userCount -= 1
            if userCount == 0 { idleSince = now }
        }

        func didReceive(at now: Duration) {
            quietSince = now
            wasLeft = false
        }

        /// A call has given up before its response began.
        /// - Returns: Whether nothing has arrived for so long that the connection may have gone silent (NAT, VPN), over all calls that
        ///   waited, however short each was.
        func leave(at now: Duration) -> Bool {
            wasLeft = true
            return now - quietSince >= Self.patience
        }

        /// Whether the connection is used, or can be used again: its server has not closed it, in TLS either, and has sent nothing that no
        /// request asked for, and it was not idle for longer than `age`.
        fileprivate func isUseful(at now: Duration, upTo age: Duration) -> Bool {
            userCount > 0 || now - idleSince <= age && clibcurl_is_quiet(descriptor, false)
        }

        /// Whether a request can be sent on the connection: the server has neither closed it, nor sent bytes that no request asked for, which
        /// would be taken for the response (RFC 9112, section 9.2). ``LibcurlFault/looksTooLittle``. On a connection of HTTP/2, bytes can be
        /// settings, or belong to another stream; `mayBeShared` says whether a connection without a response so far can be HTTP/2.
        func isQuiet(mayBeShared: Bool) -> Bool { clibcurl_is_quiet(descriptor, isShared ?? mayBeShared) }
    }

    /// The connections of an engine, found by their ends: libcurl does not tell which descriptor a request will use.
    ///
    /// It is used on the thread of its engine only, and lives as long as the connections.
    final class CurlConnections {
        /// All, by their descriptors, also those that libcurl has closed without notice: ``LibcurlFault/untoldClosing``.
        private var connections: [Int32: CurlConnection] = [:]
        /// Those on which a request was sent.
        private var used: [CurlConnection.Ends: CurlConnection] = [:]
        /// The number of exchanges whose last connection is open and not used yet. An exchange counts once, although it may try two addresses
        /// at the same time.
        private var openerCount = 0

        /// libcurl has opened a socket for an exchange. An older socket with this descriptor is closed: ``LibcurlFault/untoldClosing``.
        func open(_ descriptor: Int32, for exchange: CurlExchange) {
            forget(descriptor)
            if let last = exchange.opened { leaveOpened(last) }
            let connection = CurlConnection(descriptor: descriptor, opener: exchange.number)
            openerCount += 1
            exchange.opened = connection
            connections[descriptor] = connection
        }

        /// A socket is about to be closed. Another may soon have its descriptor and its ends.
        func forget(_ descriptor: Int32) {
            guard let connection = connections.removeValue(forKey: descriptor) else { return }
            leaveOpened(connection)
            guard let ends = connection.ends else { return }
            if connection.userCount > 0 { connection.lastAcknowledged = clibcurl_acknowledged(descriptor) }
            if used[ends] === connection { used[ends] = nil }
        }

        private func leaveOpened(_ connection: CurlConnection) {
            if connection.isLastOpened { openerCount -= 1 }
            connection.isLastOpened = false
        }

        /// The connection with these ends, on which a request of an exchange is about to be sent.
        /// - Returns: The connection, and whether it was just opened for this exchange; `nil` if it is not known.
        func use(_ ends: CurlConnection.Ends, for exchange: CurlExchange) -> (connection: CurlConnection, isNew: Bool)?
        {
            if let connection = used[ends] { return (connection, false) }
            // The exchange's own first, since a search in all takes time.
            let own = exchange.opened.flatMap { $0.isLastOpened && Self.has($0, ends) ? $0 : nil }
            guard let connection = own ?? connections.values.first(where: { $0.ends == nil && Self.has($0, ends) })
            else { return nil }
            leaveOpened(connection)
            connection.ends = ends
            used[ends] = connection
            return (connection, connection.opener == exchange.number)
        }

        /// Whether as many as this are open, and none of them is idle.
        func areTaken(of maximum: Int) -> Bool {
            guard openerCount + used.count >= maximum else { return false }
            return used.values.allSatisfy { $0.userCount > 0 }
        }

        /// Whether no connection is open that may be used again.
        var isEmpty: Bool { used.isEmpty }

        /// Shuts down connections of no more use, so that libcurl does not use them, and closes them when it next looks. `age` is the longest
        /// time for which a connection may be idle. Before a request (`isForRequest`) only connections of HTTP/2 are checked, where libcurl
        /// would read the server's goodbye and send the request all the same; other connections are checked when libcurl chooses them.
        /// - Returns: Whether there are such connections.
        func shutDownUseless(at now: Duration, upTo age: Duration, isForRequest: Bool) -> Bool {
            var hasFound = false
            for connection in used.values where !isForRequest || connection.isShared == true {
                if connection.isUseful(at: now, upTo: age) { continue }
                shutdown(connection.descriptor, Int32(SHUT_RDWR))
                hasFound = true
            }
            return hasFound
        }

        private static func has(_ connection: CurlConnection, _ ends: CurlConnection.Ends) -> Bool {
            clibcurl_is_connection(connection.descriptor, ends.remote, ends.remotePort, ends.localPort)
        }
    }
#endif
