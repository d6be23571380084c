#if os(Linux)
    /// Decides whether a request can be sent again. libcurl does that by itself, up to five times, when a connection that was used
    /// before closes without an answer.
    struct Repetition {
        /// Whether doing the request twice is the same as doing it once (RFC 9110, section 9.2.2).
        let isRepeatable: Bool
        /// The number of times that the request was sent.
        private(set) var sendCount = 0
        /// The number of times that it was sent again though the server may have handled it.
        private var repeatCount = 0
        /// The number of bytes that the connection had brought to the server's system before the request was sent; `nil` if a
        /// repetition is not allowed anyway, or if the number is not known.
        private var acknowledged: Int64?
        /// The stream on which the request was sent (RFC 9113, section 5), if there are streams and libcurl names them.
        var stream: Int?
        /// Whether the server has refused that stream.
        var isRefused = false
        /// Whether the server did not handle the request on a connection that is over.
        private var wasUnhandled: Bool?
        /// Whether no byte of the request reached the server on a connection that is over.
        private var wasUnread = false

        init(isRepeatable: Bool) { self.isRepeatable = isRepeatable }

        /// Whether the server has said that it did not handle the request: it refused the stream, or goes away without it (RFC 9113,
        /// sections 6.8 and 8.7). If in doubt, the server may have handled the request.
        func isUnhandled(on connection: CurlConnection?) -> Bool {
            if isRefused { return true }
            if let wasUnhandled { return wasUnhandled }
            guard sendCount > 0, let connection, let last = connection.lastStream else { return false }
            // If streams are named and this request has none, the connection took no more.
            return stream.map { $0 > last } ?? connection.namesStreams
        }

        /// Whether no byte of a repeatable request was acknowledged, as when a server restarts and closes its idle connections. This does not
        /// prove that none was read: a server that reads, and resets the connection at once, may not have acknowledged anything.
        private func isUnread(on connection: CurlConnection?) -> Bool {
            wasUnread || acknowledged != nil && acknowledged == connection?.acknowledged
        }

        /// The request needs another connection. libcurl's notices from now on are not about this connection.
        mutating func leave(_ connection: CurlConnection?) {
            wasUnhandled = isUnhandled(on: connection)
            wasUnread = isUnread(on: connection)
        }

        /// Whether the request can be sent: for the first time, again if it was not handled, and, if it is repeatable, once more, or again
        /// if it was not read.
        func isAllowed(after connection: CurlConnection?) -> Bool {
            sendCount == 0 || isUnhandled(on: connection)
                || isRepeatable && (repeatCount == 0 || isUnread(on: connection))
        }

        /// Counts a request that is about to be sent on another connection than before.
        mutating func send(after connection: CurlConnection?, on next: CurlConnection?) {
            if sendCount > 0, !isUnhandled(on: connection), !isUnread(on: connection) { repeatCount += 1 }
            sendCount += 1
            acknowledged = isRepeatable && next?.hasAnswered == true ? next?.acknowledged : nil
            stream = nil
            isRefused = false
            wasUnhandled = nil
            wasUnread = false
        }
    }
#endif
