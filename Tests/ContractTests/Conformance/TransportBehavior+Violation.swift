extension TransportBehavior {
    /// A rule that a transport breaks: a plain value, to be thrown, collected or shown.
    struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
        /// The row of the table: ``TransportBehavior/name``.
        let behavior: String
        /// The request that shows it, such as `GET /status/404`; `nil` if it got to none.
        let request: String?
        /// The behaviour that Teapot requires.
        let expected: String
        /// The behaviour that was seen instead.
        let received: String

        /// All of it, on one line.
        var description: String {
            "\(behavior)\(request.map { " (\($0))" } ?? ""): expected \(expected), received \(received)"
        }
    }
}
