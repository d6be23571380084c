public import Foundation

extension Teapot.Request: CustomStringConvertible {
    /// Method and path, secrets of ``SecretPolicy/standard`` redacted; header fields and body are not shown.
    public var description: String {
        "\(method) \(SecretPolicy.standard.redacted(line: path))"
    }
}

extension Teapot.Request {
    /// The seconds that ``timeoutInterval`` stands for; `nil` for no limit, as one of thirty years is.
    package var timeout: TimeInterval? {
        guard timeoutInterval > 0 else { return 15 }
        return timeoutInterval < 1e9 ? timeoutInterval : nil
    }
}

extension Teapot {
    /// One request, before it meets the base URL: every verb builds one, and ``Teapot/Teapot`` sends it.
    public struct Request: Sendable {
        /// The method.
        public var method: HTTPMethod
        /// The path below the base URL, with or without a leading slash; `""` is the base URL itself.
        public var path: String
        /// Query items, added after the query of the base URL and of the path, and encoded so that a form decoder reads
        /// the same text.
        public var query: [URLQueryItem]
        /// Header fields of this request. Names are compared without regard to case.
        public var headerFields: [String: String]
        /// The body, if any. A `GET` or `HEAD` cannot have one.
        public var body: Body?
        /// Seconds without progress after which the request fails.
        ///
        /// What is sent and what comes is progress. The clock stands still while the task is suspended. A value that is no
        /// time (zero, negative, NaN) counts as 15 seconds, an infinite one as no limit.
        public var timeoutInterval: TimeInterval
        /// Whether the request may use a cellular network. Has no effect on Linux.
        public var allowsCellular: Bool
        /// Whether a ``RetryPolicy`` may send the request again; when `nil`, as by default, the methods that are idempotent by
        /// RFC 9110, section 9.2.2, are: `GET`, `HEAD`, `PUT`, `DELETE`, `OPTIONS` and `TRACE`.
        ///
        /// A `POST` that carries an idempotency key, say, may be sent again; a `GET` that changes something had better not.
        public var isIdempotent: Bool?
        /// What it was made of, if it was made of an endpoint.
        var endpoint: (any Endpoint)?

        /// Makes a request; nothing is checked or sent yet.
        ///
        /// - Parameters:
        ///   - method: The method.
        ///   - path: The path below the base URL, with or without a leading slash.
        ///   - query: Query items, encoded and appended last.
        ///   - headerFields: Header fields of this request.
        ///   - body: The body; not for a `GET` or `HEAD`.
        ///   - timeoutInterval: Seconds without progress after which the request fails.
        ///   - allowsCellular: Whether the request may use a cellular network; without effect on Linux.
        ///   - isIdempotent: Whether the request may be sent again; `nil` for what its method says.
        public init(
            _ method: HTTPMethod = .get,
            path: String = "",
            query: [URLQueryItem] = [],
            headerFields: [String: String] = [:],
            body: Body? = nil,
            timeoutInterval: TimeInterval = 15,
            allowsCellular: Bool = true,
            isIdempotent: Bool? = nil
        ) {
            self.method = method
            self.path = path
            self.query = query
            self.headerFields = headerFields
            self.body = body
            self.timeoutInterval = timeoutInterval
            self.allowsCellular = allowsCellular
            self.isIdempotent = isIdempotent
        }
    }
}
