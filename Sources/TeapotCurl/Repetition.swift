#if os(Linux)
    /// Decides whether a request can be sent again. libcurl does that by itself, up to five times, when a connection that was used
    /// before closes without an answer.
    struct Repetition {
        /// Whether doing the request twice is the same as doing it once (RFC 9110, section 9.2.2).
        private let isRepeatable: Bool
        /// The number of times that the request was sent.
        private(set) var sendCount = 0
        /// The number of times that it was sent again though the server may have handled it.
        private var repeatCount = 0
        /// The stream on which it was sent (RFC 9113, section 5), if there are streams and libcurl tells.
        var stream: Int?
        /// Whether the server has refused that stream.
        var isRefused = false

        init(isRepeatable: Bool) { self.isRepeatable = isRepeatable }

        /// Whether the server has said that it did not handle the request: it refused the stream, or goes away without it (RFC 9113,
        /// sections 6.8 and 8.7).
        ///
        /// - Parameter lastStream: The last stream that the server of the connection handles, once it has said so.
        func isUnhandled(lastStream: Int?) -> Bool {
            if isRefused { return true }
            guard sendCount > 0, let lastStream else { return false }
            // Without a stream, the connection took no more requests.
            return stream.map { $0 > lastStream } ?? true
        }

        /// Whether it can be sent: for the first time, again if it was not handled, or once more if it is repeatable.
        func isAllowed(lastStream: Int?) -> Bool {
            sendCount == 0 || isUnhandled(lastStream: lastStream) || isRepeatable && repeatCount == 0
        }

        /// It is about to be sent.
        ///
        /// - Parameter lastStream: That of the connection on which it was sent before.
        mutating func send(lastStream: Int?) {
            if sendCount > 0, !isUnhandled(lastStream: lastStream) { repeatCount += 1 }
            sendCount += 1
            (stream, isRefused) = (nil, false)
        }
    }
#endif
