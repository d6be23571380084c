extension TransportBehavior {
    /// What a transport does wrong: a plain value, to be thrown, collected or shown.
    public struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
        /// The row of the table: ``TransportBehavior/name``.
        public let behavior: String
        /// The request that shows it, such as `GET /status/404`; `nil` if it got to none.
        public let request: String?
        /// What Teapot relies on.
        public let expected: String
        /// What came instead.
        public let received: String

        /// All of it, on one line.
        public var description: String {
            "\(behavior)\(request.map { " (\($0))" } ?? ""): expected \(expected), received \(received)"
        }
    }
}
