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
        }

        fileprivate let ends: Ends
        fileprivate let descriptor: Int32
        /// The number of exchanges that use it now. libcurl lets several share a connection only if that is HTTP/2.
        var userCount = 0
        /// Whether a response on it was HTTP/2.
        var isShared = false
        /// The last stream that the server handles, once it has said so (`GOAWAY`; RFC 9113, section 6.8).
        var lastStream: Int?

        fileprivate init(_ ends: Ends, _ descriptor: Int32) {
            self.ends = ends
            self.descriptor = descriptor
        }

        /// Whether a request can be sent on it: the server has neither closed it, nor sent something that nobody asked for, which
        /// would be taken for the response (RFC 9112, section 9.2). libcurl looks before 8.12 as well, but lets some of it pass.
        ///
        /// On a connection of HTTP/2, bytes can be settings, or belong to another stream.
        var isQuiet: Bool { clibcurl_is_quiet(descriptor, isShared || userCount > 0) }
    }

    /// The connections of an engine, found by their ends. libcurl tells neither which descriptor a request will use, nor when it
    /// closes one: a descriptor counts only while its socket has these ends.
    struct CurlConnections {
        /// Those that no request has used yet.
        private var unused: Set<Int32> = []
        private var connections: [CurlConnection.Ends: CurlConnection] = [:]
        private var endsOfUsed: [Int32: CurlConnection.Ends] = [:]

        /// libcurl has opened a socket. An older one with this descriptor is closed.
        mutating func open(_ descriptor: Int32) {
            if let ends = endsOfUsed.removeValue(forKey: descriptor) { connections[ends] = nil }
            unused.insert(descriptor)
        }

        /// The connection with these ends.
        ///
        /// - Returns: The connection, and whether a request was sent on it before; `nil` if it is not known.
        mutating func connection(_ ends: CurlConnection.Ends) -> (connection: CurlConnection, isUsed: Bool)? {
            if let connection = connections[ends], Self.has(connection.descriptor, ends) { return (connection, true) }
            guard let descriptor = unused.first(where: { Self.has($0, ends) }) else { return nil }
            unused.remove(descriptor)
            let connection = CurlConnection(ends, descriptor)
            (connections[ends], endsOfUsed[descriptor]) = (connection, ends)
            return (connection, false)
        }

        private static func has(_ descriptor: Int32, _ ends: CurlConnection.Ends) -> Bool {
            clibcurl_is_connection(descriptor, ends.remote, ends.remotePort, ends.localPort)
        }
    }
#endif
