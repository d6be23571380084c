public import Foundation

extension Teapot {
    /// A request relative to a base URL, which a ``Teapot/Teapot`` sends. Its properties are the options of a call.
    ///
    /// ```swift
    /// var request = Teapot.Request(.put, path: "notes/1", body: .json(note))
    /// request.timeoutInterval = 60
    /// let saved = try await teapot.send(request, as: Note.self)
    /// ```
    public struct Request: Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
        /// The method.
        public var method: HTTPMethod
        /// The path below the base URL, with or without a leading slash; `""` is the base URL itself.
        public var path: Path
        /// The URL that the path is appended to, for APIs with several hosts; the ``Teapot/Teapot/baseURL`` of the
        /// ``Teapot/Teapot`` if `nil`. Header fields, credentials and plugins of the ``Teapot/Teapot`` apply to it,
        /// too, so it must not come from a server unchecked.
        public var baseURL: URL?
        /// Query items after the query of the base URL and the path, encoded so that a form decoder restores the text.
        public var query: QueryItems
        /// Header fields of this request. Names are compared without regard to case.
        public var headerFields: [String: String]
        /// The body, if any. A `GET` or `HEAD` request cannot have one.
        public var body: Body?
        /// The number of seconds without progress after which the request fails; if `nil`, the
        /// ``Teapot/Teapot/timeoutInterval`` of the ``Teapot/Teapot``. Infinity means no limit; zero, negative values
        /// and NaN count as `nil`.
        /// Sending or receiving data is progress. The timeout is paused while the task is suspended.
        public var timeoutInterval: TimeInterval?
        /// Whether the request may use a cellular network; `true` by default. Has no effect on Linux.
        public var allowsCellular = true
        /// Whether a ``RetryPolicy`` may send the request again. If `nil`, the default, it may if its method is
        /// idempotent (RFC 9110, section 9.2.2: `GET`, `HEAD`, `PUT`, `DELETE`, `OPTIONS`, `TRACE`), or if the caller
        /// sets the header field `Idempotency-Key`. A plugin's does not count: it is called for each attempt.
        public var isIdempotent: Bool?
        /// The statuses of a success besides 200 to 299; none by default.
        /// A response with such a status is returned, not followed as a redirect, and causes neither a new credential
        /// nor another attempt. A download changes no file then, and returns the body.
        public var acceptedStatuses: Set<Int> = []
        /// Decides on further attempts; the ``Teapot/Teapot/retryPolicy`` of the ``Teapot/Teapot`` if `nil`.
        public var retryPolicy: RetryPolicy?
        /// Examines a response before it counts as a success; the ``Teapot/Teapot/validate`` of the ``Teapot/Teapot`` if `nil`.
        ///
        /// An error that it throws fails the request as a status would: it can cause a new credential, if it is a
        /// ``TeapotError`` of type `invalidResponseStatus` with a `responseStatus` that the ``Authenticator`` takes for
        /// a rejection, such as 401, or another attempt by the ``RetryPolicy``. A ``TeapotError`` is kept, a
        /// `CancellationError` is the cause of `cancelled`, and any other of `decodingFailed`, whose description then
        /// says that the validation failed. It is called as plugins are (see ``Teapot/Teapot/Plugin``), but not for
        /// downloads, ``Teapot/Teapot/bytes(_:)`` and events, which have begun by then.
        public var validate: (@Sendable (Response) throws -> Void)?
        /// Encodes a value as the body; the ``Teapot/Teapot/encoder`` of the ``Teapot/Teapot`` if `nil`.
        public var encoder: JSONEncoder?
        /// Decodes the response, and the body of an error; the ``Teapot/Teapot/decoder`` of the ``Teapot/Teapot`` if `nil`.
        public var decoder: JSONDecoder?
        /// The maximum duration of the call, with all attempts, delays, redirects and refreshes, and the body; the
        /// ``Teapot/Teapot/deadline`` of the ``Teapot/Teapot`` if `nil`. See <doc:Transfers#Time-limits>.
        ///
        /// A call that is not over by then fails with `noResponse` or `dataTaskError`, caused by `URLError.timedOut`;
        /// no attempt begins later. Of ``Teapot/Teapot/bytes(_:)`` and events it limits the time until a response
        /// begins. The time continues while the task is suspended.
        public var deadline: Duration?
        /// The request's `Accept`, unless the caller sets one; empty for none.
        var accept: [String: String] = [:]
        /// The endpoint that the request was made from, if any.
        var endpoint: Indirect<any Endpoint>?

        /// Makes a request; nothing is checked or sent yet.
        @inline(never)  // Each verb would contain all of it.
        public init(
            _ method: HTTPMethod = .get,
            path: Path = "",
            query: QueryItems = [],
            headerFields: [String: String] = [:],
            body: Body? = nil
        ) {
            self.method = method
            self.path = path
            self.query = query
            self.headerFields = headerFields
            self.body = body
        }

        /// Makes a `GET` request from a path: `"notes/1"`.
        public init(stringLiteral path: String) { self.init(path: Path(path)) }

        /// Makes a `GET` request from a path in which each value is one segment (``Teapot/Path``): `"notes/\(name)"`.
        public init(stringInterpolation path: Path.StringInterpolation) {
            self.init(path: Path(stringInterpolation: path))
        }

        /// The request with other options, for a call that needs them. Throws the error of the closure.
        ///
        /// ```swift
        /// let notes = try await teapot.send(Teapot.Request(path: "notes").with { $0.timeoutInterval = 3 })
        /// ```
        public func with<Failure: Error>(_ change: (inout Request) throws(Failure) -> Void) throws(Failure) -> Request {
            var request = self
            try change(&request)
            return request
        }

        /// The method and path, secrets of ``SecretPolicy/standard`` redacted; header fields and body are not shown.
        public var description: String { "\(method) \(path)" }
    }
}
