extension TransportBehavior {
    /// What a transport does wrong: a plain value, to be thrown, collected or shown.
    package struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
        /// The row of the table: ``TransportBehavior/name``.
        package let behavior: String
        /// The request that shows it, such as `GET /status/404`; `nil` if it got to none.
        package let request: String?
        /// What Teapot relies on.
        package let expected: String
        /// What came instead.
        package let received: String

        /// All of it, on one line.
        package var description: String {
            "\(behavior)\(request.map { " (\($0))" } ?? ""): expected \(expected), received \(received)"
        }
    }
}
