extension Teapot {
    /// The duration of a call, and measurements of its last exchange.
    ///
    /// `TeapotCurl`'s transport measures all of them. `URLSession` on Apple's platforms measures all but ``queued``, and on Linux
    /// only that. Every transport has ``total``.
    public struct Timings: Sendable, Equatable {
        /// The time from the call to its outcome, including all attempts and delays, on the clock of the ``Teapot/Teapot``. For
        /// a ``SentRequest``: from sending it to the end of its response.
        public package(set) var total = Duration.zero
        /// The time in which the exchange waited in line for a connection, before its timeout began; `nil` if it did not wait.
        public var queued: Duration?
        /// The time from the start of the exchange, ``queued`` not included, until the host's address was known; `nil`, as the
        /// next two, on a reused connection.
        public var nameLookup: Duration?
        /// The time from the start of the exchange until the connection was open.
        public var connect: Duration?
        /// The time from the start of the exchange until the connection was secure; also `nil` without TLS.
        public var tls: Duration?
        /// The time from the start of the exchange until the first byte of the response arrived.
        public var firstByte: Duration?
        /// The number of bytes of the request as sent, header included.
        public var bytesSent: Int?
        /// The number of bytes of the response as received, header included, before decompression.
        public var bytesReceived: Int?
        /// The address of the server, such as `192.0.2.1:443` or `[2001:db8::1]:443`.
        public var remoteAddress: String?
        /// The version of HTTP, such as `HTTP/1.1` or `HTTP/2`.
        public var networkProtocol: String?
        /// Whether the connection was used before.
        public var isConnectionReused: Bool?
        /// Whether the transport says that the response came from a cache, without a request or after the server confirmed it. The
        /// `urlCache` of a `URLSession` is not noticed. Such a response is not retried, whatever its status: it would be the same.
        public var isFromCache = false
        /// Whether a cache that was not to send a request had no response.
        package var isRefusedByCache = false
        var isMadeByCache: Bool { isFromCache || isRefusedByCache }

        /// Makes empty timings, for example in a transport of your own.
        public init() {}

        func total(_ total: Duration) -> Timings {
            var timings = self
            timings.total = total
            return timings
        }
    }
}
