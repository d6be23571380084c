#if os(Linux)
    /// `Expect: 100-continue` of a caller (RFC 9110, section 10.1.1): the body of the request waits for an answer.
    struct Expectation {
        /// The longest wait, since some servers send no answer: the time that libcurl waits if it asks by itself.
        static let patience = Duration.seconds(1)

        private var end: Duration?

        /// Whether the body does not wait yet.
        var isNew: Bool { end == nil }

        mutating func begin(at now: Duration) { end = now + Self.patience }

        /// Whether the body can be sent without an answer. After a response the body is never sent.
        func isMet(at now: Duration, hasResponse: Bool) -> Bool { end.map { !hasResponse && now >= $0 } ?? false }
    }
#endif
