import TeapotFoundation

/// A request to send.
struct OutgoingRequest: Sendable {
    var urlRequest: URLRequest
    var bodyFile: BodyFile?
    /// A body that can be sent once.
    var pieces: Teapot.Request.Body.Pieces?
    /// The number of redirects that led to it in this attempt.
    var redirects = 0
    /// Whether plugins have seen it, or the request that led to it.
    var isPrepared = false
    /// Whether the first request of the attempt may be sent twice; `nil` to decide by its method and header fields.
    var isIdempotent: Bool?
    /// The statuses of a success besides 200 to 299.
    var acceptedStatuses: Set<Int> = []
    /// Its own policy, if it has one.
    var retryPolicy: RetryPolicy?
    /// The endpoint that it was made from, for the transport.
    var endpoint: (any Endpoint)?
    /// The authenticator's credential.
    var issued: Authenticator.Issued?
    /// All credentials in use, whatever their source.
    var credentials: [Credential] = []

    static let nothing = OutgoingRequest(urlRequest: URLRequest(url: URL(filePath: "/")))
    /// Thirty years, which count as no timeout: an infinite one would trap in FoundationNetworking.
    static let noTimeout: TimeInterval = 1e9
    /// Seconds without progress; `nil` for no limit.
    var timeout: TimeInterval? {
        let interval = urlRequest.timeoutInterval
        return interval < Self.noTimeout ? interval : nil
    }

    /// Of the body, in bytes; `nil` if it is unknown.
    var bodySize: Int? { urlRequest.httpBody?.count ?? bodyFile?.size ?? pieces.map(\.length) ?? 0 }

    var hasBody: Bool { urlRequest.httpBody != nil || bodyFile != nil || pieces != nil }

    /// Whether it carries the authenticator's credential: not if it goes to another origin, or a plugin replaced the field.
    var hasIssued: Bool {
        issued.map { urlRequest.value(forHTTPHeaderField: $0.credential.name) == $0.credential.value } ?? false
    }

    var hasIdempotencyKey: Bool { urlRequest.value(forHTTPHeaderField: "Idempotency-Key") != nil }

    mutating func redirect(to urlRequest: URLRequest) {
        // The method changes where the body is dropped.
        if urlRequest.httpMethod != self.urlRequest.httpMethod { (bodyFile, pieces) = (nil, nil) }
        self.urlRequest = urlRequest
        // It goes to a URL that is not the endpoint's.
        endpoint = nil
        redirects += 1
    }

    mutating func resume(at kept: KeptBody) {
        for name in ["Range", "If-Range"] { urlRequest.setValue(kept.requestFields[name], forHTTPHeaderField: name) }
    }
}

extension URLRequest {
    var hasIdempotentMethod: Bool { httpMethod.flatMap(HTTPMethod.init(rawValue:))?.isIdempotent == true }
}
