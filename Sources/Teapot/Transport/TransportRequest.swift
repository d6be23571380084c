public import TeapotFoundation

/// A request for a ``Transport``. A transport that passes it on to another, changed or not, loses nothing.
public struct TransportRequest: Sendable, CustomReflectable {
    /// The request, with an http or https URL. Its body is here, in ``bodyFile``, or in ``bodyPieces``.
    public var urlRequest: URLRequest
    /// Whether it may be sent twice: see ``Teapot/Teapot/Request/isIdempotent``.
    public var isIdempotent: Bool
    /// The body, if it is sent while it is made. Its `forEach` reads it, once: the request must not be sent again.
    public package(set) var bodyPieces: Teapot.Request.Body.Pieces?
    package var file: BodyFile?
    /// The endpoint that it was made from.
    package var endpoint: Indirect<any Endpoint>?
    /// The base URL of the client.
    package var baseURL: URL?
    /// The credentials in use, which are secrets everywhere.
    package var credentials: [Credential] = []
    /// The secrets in texts of this client.
    package var secrets = SecretPolicy.standard

    /// Makes a request, for example to test a transport. If `isIdempotent` is `nil`, its method decides (RFC 9110, section 9.2.2).
    public init(_ urlRequest: URLRequest, isIdempotent: Bool? = nil) {
        self.urlRequest = urlRequest
        self.isIdempotent = isIdempotent ?? urlRequest.hasIdempotentMethod
    }

    /// Makes a request whose body is a file.
    ///
    /// - Throws: `fileError` if it is not a regular file that can be read.
    public init(_ urlRequest: URLRequest, bodyFile: URL, isIdempotent: Bool? = nil) throws(TeapotError) {
        self.init(urlRequest, isIdempotent: isIdempotent)
        file = try BodyFile(bodyFile)
    }

    /// The regular file that is the request's body, to be streamed; `nil` if the body is in ``urlRequest``, or missing.
    public var bodyFile: URL? { file?.url }

    /// The secrets that texts about this exchange redact.
    package var allSecrets: SecretPolicy { secrets.adding(credentials) }

    /// The method and URL, secrets redacted; header fields and body are not shown.
    public var customMirror: Mirror { Mirror(self, shown: ["request": urlRequest.line(allSecrets)]) }
}
