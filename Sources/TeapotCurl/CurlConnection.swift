#if os(Linux)
    import CLibcurl

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

            /// By one of them, as most have the same remote end.
            func hash(into hasher: inout Hasher) { hasher.combine(localPort) }

            var peer: String { Self.peer(remote, Int(remotePort)) }

            /// A remote end, as in `192.0.2.1:443` and `[2001:db8::1]:443`.
            static func peer(_ address: String, _ port: Int) -> String {
                address.utf8.contains(UInt8(ascii: ":")) ? "[\(address)]:\(port)" : "\(address):\(port)"
            }
        }

        fileprivate let descriptor: Int32
        /// Its remote end.
        let peer: String
        /// The number of exchanges that use it now. libcurl lets several share a connection only if that is HTTP/2.
        var userCount = 0
        /// Whether it is HTTP/2; `nil` before the first response.
        var isShared: Bool?
        /// Whether libcurl names the stream of a request (RFC 9113, section 5).
        var namesStreams = false
        /// The last stream that the server handles, once it has said so (`GOAWAY`; RFC 9113, section 6.8).
        var lastStream: Int?

        init(descriptor: Int32, peer: String) {
            self.descriptor = descriptor
            self.peer = peer
        }

        /// Whether a request can be sent on it: the server has neither closed it, nor sent something that nobody asked for, which
        /// would be taken for the response (RFC 9112, section 9.2). libcurl looks before 8.12 as well, but lets some of it pass.
        ///
        /// On a connection of HTTP/2, bytes can be settings, or belong to another stream.
        ///
        /// - Parameter mayBeShared: Whether it can be HTTP/2, for one that has had no response.
        /// - Returns: Whether it can be used.
        func isQuiet(mayBeShared: Bool) -> Bool {
            clibcurl_is_quiet(descriptor, isShared ?? mayBeShared || userCount > 0)
        }
    }

    /// The connections of an engine, found by their ends: libcurl does not tell which descriptor a request will use.
    ///
    /// It is used on the thread of its engine only, and lives as long as the connections.
    final class CurlConnections {
        /// Descriptors of connections on which no request was sent, with the exchanges that they were opened for; and the last one
        /// of each exchange, since looking at all of them takes time.
        private var unused: [Int32: ObjectIdentifier] = [:]
        private var opened: [ObjectIdentifier: Int32] = [:]
        private var connections: [CurlConnection.Ends: CurlConnection] = [:]
        private var endsOfUsed: [Int32: CurlConnection.Ends] = [:]

        /// libcurl has opened a socket for an exchange. An older one with this descriptor is closed; of some that were not connected yet,
        /// libcurl 7.88 does not tell so.
        func open(_ descriptor: Int32, for exchange: CurlExchange) {
            forget(descriptor)
            unused[descriptor] = ObjectIdentifier(exchange)
            opened[ObjectIdentifier(exchange)] = descriptor
        }

        /// A socket is about to be closed: its descriptor and its ends may be those of another one soon.
        func forget(_ descriptor: Int32) {
            if let ends = endsOfUsed.removeValue(forKey: descriptor), connections[ends]?.descriptor == descriptor {
                connections[ends] = nil
            }
            _ = takeUnused(descriptor)
        }

        /// - Returns: The exchange for which an unused connection was opened.
        private func takeUnused(_ descriptor: Int32) -> ObjectIdentifier? {
            guard let opener = unused.removeValue(forKey: descriptor) else { return nil }
            if opened[opener] == descriptor { opened[opener] = nil }
            return opener
        }

        /// The connection with these ends, on which a request of an exchange is about to be sent.
        ///
        /// - Returns: The connection, and whether it was just opened for this exchange; `nil` if it is not known.
        func use(
            _ ends: CurlConnection.Ends,
            for exchange: CurlExchange
        ) -> (connection: CurlConnection, isNew: Bool)? {
            if let connection = connections[ends] { return (connection, false) }
            let own = opened[ObjectIdentifier(exchange)].flatMap { Self.has($0, ends) ? $0 : nil }
            guard let descriptor = own ?? unused.keys.first(where: { Self.has($0, ends) }),
                let opener = takeUnused(descriptor)
            else { return nil }
            let connection = CurlConnection(descriptor: descriptor, peer: ends.peer)
            connections[ends] = connection
            endsOfUsed[descriptor] = ends
            return (connection, opener == ObjectIdentifier(exchange))
        }

        private static func has(_ descriptor: Int32, _ ends: CurlConnection.Ends) -> Bool {
            clibcurl_is_connection(descriptor, ends.remote, ends.remotePort, ends.localPort)
        }
    }
#endif
