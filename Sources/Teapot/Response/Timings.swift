extension Teapot {
    /// How long a call took, and what is known of its last exchange.
    ///
    /// `TeapotCurl`'s transport measures all of it, `URLSession` does on Apple's platforms. On Linux `URLSession` tells nothing, nor
    /// does a mock: only ``total`` is known there.
    public struct Timings: Sendable, Hashable {
        /// From the call to its outcome, with all attempts and what lies between them, on the clock of the ``Teapot/Teapot``. Of a
        /// ``SentRequest``: from sending it to the end of its response.
        public package(set) var total = Duration.zero
        /// From the start of the exchange until the host's address was known; `nil`, as the next two, on a connection that was used
        /// before. The exchange starts once there is room for it: the time in which it waits for that is in ``total`` only.
        public var nameLookup: Duration?
        /// From the start of the exchange until there was a connection.
        public var connect: Duration?
        /// From the start of the exchange until the connection was secure; also `nil` without TLS.
        public var tls: Duration?
        /// From the start of the exchange until the first byte of the response came.
        public var firstByte: Duration?
        /// The bytes of the request as it was sent, header included.
        public var bytesSent: Int?
        /// The bytes of the response as it came, header included, before its body was decompressed.
        public var bytesReceived: Int?
        /// Where the connection led to, such as `192.0.2.1:443` or `[2001:db8::1]:443`.
        public var remoteAddress: String?
        /// The version of HTTP, such as `HTTP/1.1` or `HTTP/2`.
        public var networkProtocol: String?
        /// Whether the connection had been used before.
        public var isConnectionReused: Bool?
        /// Whether the response came out of a cache.
        package var isFromCache = false

        /// Makes timings of which nothing is known, such as those of a transport of your own.
        public init() {}

        /// The same, with another total.
        func total(_ total: Duration) -> Timings {
            var timings = self
            timings.total = total
            return timings
        }
    }
}
