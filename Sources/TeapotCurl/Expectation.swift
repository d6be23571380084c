#if os(Linux)
    /// `Expect: 100-continue` of a caller (RFC 9110, section 10.1.1): the body of the request waits for an answer.
    struct Expectation {
        /// The time that libcurl waits, too, when it asks by itself: some servers send no answer.
        static let patience = Duration.seconds(1)

        private var end: Duration?

        /// Whether the body does not wait yet.
        var isNew: Bool { end == nil }

        mutating func begin(at now: Duration) { end = now + Self.patience }

        /// Whether the body can be sent without an answer. After a response it never is.
        func isMet(at now: Duration, hasResponse: Bool) -> Bool {
            end.map { !hasResponse && now >= $0 } ?? false
        }
    }
#endif
