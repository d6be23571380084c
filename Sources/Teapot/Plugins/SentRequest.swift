public import TeapotFoundation

extension Teapot {
    /// A request as sent to the transport: see ``Teapot/Plugin``.
    public struct SentRequest: Sendable, CustomStringConvertible, CustomReflectable {
        /// The same number in ``Plugin/willSend(_:)`` and ``Plugin/didReceive(_:for:)``, unique to each request in the process.
        public let id: Int
        /// The method, URL, header fields (cookies included) and body, unless that is a file or an `AsyncSequence`.
        public let urlRequest: URLRequest
        /// The file that is the body, if any.
        public let bodyFile: URL?
        /// Whether the body is an `AsyncSequence`, which can be read only once.
        package let hasBodyPieces: Bool
        /// The number of the attempt in the call, from 1 on.
        public let attempt: Int
        /// Measurements from sending the request to the end of its response; `nil` before that.
        public internal(set) var timings: Timings?
        /// The secrets that its texts redact.
        let secrets: SecretPolicy
        /// The time of sending, in the time of the call.
        let start: Duration

        /// The method and URL, secrets redacted; header fields and body are not shown.
        public var description: String { urlRequest.line(secrets) }
        /// The same, for `dump`.
        public var customMirror: Mirror { Mirror(self, shown: ["request": description]) }

        private static let lastID = Locked(0)

        static func nextID() -> Int {
            lastID.withLock { last in
                last += 1
                return last
            }
        }
    }
}
