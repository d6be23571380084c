public import TeapotFoundation

extension Teapot.SentRequest: CustomStringConvertible {
    /// Method and URL, secrets redacted; header fields and body are not shown.
    public var description: String {
        "\(urlRequest.httpMethod ?? "GET") \(urlRequest.url.map(secrets.redacted) ?? "")"
    }
}

extension Teapot {
    /// A request as it goes to the transport: see ``Teapot/Plugin``.
    public struct SentRequest: Sendable, Identifiable {
        /// The same number for ``Plugin/willSend(_:)`` and ``Plugin/didReceive(_:for:)``, and another one for every other request
        /// of the process.
        public let id: Int
        /// Method, URL, header fields (cookies included) and the body, unless that is in a file.
        public let urlRequest: URLRequest
        /// The file that is the body, if it is one.
        public let bodyFile: URL?
        /// Which attempt of the call it belongs to, from 1 on.
        public let attempt: Int
        /// How long it took, from sending it to the end of its response, and what else is known of that; `nil` before.
        public internal(set) var timings: Timings?
        /// What its texts do not show.
        package let secrets: SecretPolicy
        /// When it was sent, in the time of the call.
        let start: Duration

        private static let lastID = Locked(0)

        static func nextID() -> Int {
            lastID.withLock { last in
                last += 1
                return last
            }
        }

        package init(
            id: Int? = nil,
            urlRequest: URLRequest,
            bodyFile: URL?,
            attempt: Int,
            secrets: SecretPolicy,
            start: Duration = .zero
        ) {
            self.id = id ?? Self.nextID()
            self.start = start
            self.urlRequest = urlRequest
            self.bodyFile = bodyFile
            self.attempt = attempt
            self.secrets = secrets
        }
    }
}
