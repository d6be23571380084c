extension Teapot {
    /// The duration of a call, and measurements of its last exchange.
    ///
    /// `TeapotCurl`'s transport measures all of them, and so does `URLSession` on Apple's platforms. `URLSession` on Linux and
    /// mocks only provide ``total``.
    public struct Timings: Sendable, Hashable {
        /// The time from the call to its outcome, including all attempts and delays, on the clock of the ``Teapot/Teapot``. For
        /// a ``SentRequest``: from sending it to the end of its response.
        public package(set) var total = Duration.zero
        /// The time from the start of the exchange until the host's address was known; `nil`, as the next two, on a reused
        /// connection. Time spent waiting for a free connection is in ``total`` only.
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
        /// Whether the response came from a cache.
        package var isFromCache = false

        /// Makes empty timings, for example in a transport of your own.
        public init() {}

        /// The same timings with another total.
        func total(_ total: Duration) -> Timings {
            var timings = self
            timings.total = total
            return timings
        }
    }
}
