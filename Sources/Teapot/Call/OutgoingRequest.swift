import TeapotFoundation

/// A request to send: that of the transport, and what a call knows about it.
struct OutgoingRequest: Sendable {
    /// Without a signature, unless ``sign()`` was called, and without cookies.
    var sent: TransportRequest
    /// The number of redirects that led to it in this attempt.
    var redirects = 0
    /// Whether it may be sent twice, according to the caller; `nil` to decide by its method and header fields.
    let isIdempotent: Bool?
    /// Whether a redirect changed the method, so that its own method says whether it may be sent twice.
    private(set) var isAnother = false
    var issued: Authenticator.Issued?

    init(urlRequest: URLRequest, isIdempotent: Bool? = nil) {
        sent = TransportRequest(urlRequest, isIdempotent: false)
        self.isIdempotent = isIdempotent
    }

    var urlRequest: URLRequest {
        get { sent.urlRequest }
        _modify { yield &sent.urlRequest }
    }

    /// Of the body, in bytes; `nil` if it is unknown.
    var bodySize: Int? { Self.size(of: urlRequest.httpBody, sent.file, sent.bodyPieces) }

    /// The size of a body. The parts are passed, as a call of a property copies the whole request.
    static func size(of data: Data?, _ file: BodyFile?, _ pieces: Teapot.Request.Body.Pieces?) -> Int? {
        data?.count ?? file?.size ?? pieces.map(\.length) ?? 0
    }

    var hasBody: Bool { body != nil }

    var body: Teapot.Request.Body? {
        let content: Teapot.Request.Body.Content? =
            urlRequest.httpBody.map { .data($0) } ?? sent.file.map { .file($0.url) }
            ?? sent.bodyPieces.map { .pieces($0) }
        return content.map { .init($0, contentType: urlRequest.value(forHTTPHeaderField: "Content-Type") ?? "") }
    }

    /// Whether it carries the authenticator's credential: not if it goes to another origin, or a plugin replaced the field.
    var hasIssued: Bool {
        guard let credential = issued?.credential else { return false }
        let own = urlRequest.value(forHTTPHeaderField: credential.name)
        return credential.signer == nil ? own == credential.value : own == nil && sent.credentials.contains(credential)
    }

    /// Removes the authenticator's credential.
    mutating func removeIssued() {
        guard let stale = issued?.credential else { return }
        urlRequest.setField(stale.name, nil)
        sent.credentials.removeAll { $0 == stale }
        issued = nil
    }

    /// Has the credentials that sign do so. The header fields that they set are credentials from then on, also after an error.
    mutating func sign() throws {
        for credential in sent.credentials {
            guard let signer = credential.signer, urlRequest.value(forHTTPHeaderField: credential.name) == nil else {
                continue
            }
            var signed = urlRequest
            let result = Result { try signer.sign(&signed, body) }
            for (name, value) in signed.allHTTPHeaderFields ?? [:]
            where urlRequest.value(forHTTPHeaderField: name) != value && FieldName(name) != "Host" {
                sent.credentials.append(Credential(headerField: name, value: value))
            }
            try result.get()
            var checked = self
            checked.urlRequest = signed
            try RequestPreparation.check(&checked)
            signed = checked.urlRequest
            guard signed.url.flatMap(Origin.init) == urlRequest.url.flatMap(Origin.init),
                signed.httpMethod == urlRequest.httpMethod, Data.areSame(signed.httpBody, urlRequest.httpBody)
            else { throw TeapotError.invalidPayload(reason: "a signature changed the origin, the method or the body") }
            signed.url = signed.url?.withNormalizedPath
            signed.timeoutInterval = urlRequest.timeoutInterval
            urlRequest = signed
        }
    }

    mutating func redirect(to urlRequest: URLRequest) {
        // The method changes where the body is dropped.
        if urlRequest.httpMethod != self.urlRequest.httpMethod {
            sent.file = nil
            sent.bodyPieces = nil
            isAnother = true
        }
        if urlRequest.url.flatMap(Origin.init) != self.urlRequest.url.flatMap(Origin.init) {
            sent.credentials.removeAll { $0.signer != nil }
        }
        self.urlRequest = urlRequest
        // It goes to a URL that is not the endpoint's.
        sent.endpoint = nil
        redirects += 1
    }

    mutating func resume(at partial: PartialBody) {
        for name in ["Range", "If-Range"] { urlRequest.setField(name, partial.requestFields[name]) }
    }
}
