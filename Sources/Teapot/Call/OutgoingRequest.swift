import TeapotFoundation

/// A request of a transport, with the facts that only the call knows.
struct OutgoingRequest: Sendable {
    /// Without a signature, unless ``sign()`` was called, and without cookies.
    var sent: TransportRequest
    /// The number of redirects that led to the request in this attempt.
    var redirects = 0
    /// Whether the request may be sent twice, according to the caller; `nil` to decide by its method and header fields.
    let isIdempotent: Bool?
    /// Whether a redirect changed the method, so that the new method says whether the request may be sent twice.
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

    /// The size of a body in bytes; `nil` if it is unknown. It takes the parts, because a call of a property copies the whole request.
    static func size(of data: Data?, _ file: BodyFile?, _ pieces: Teapot.Request.Body.Pieces?) -> Int? {
        data?.count ?? file?.size ?? pieces.map(\.length) ?? 0
    }

    var body: Teapot.Request.Body? {
        let content: Teapot.Request.Body.Content? =
            urlRequest.httpBody.map { .data($0) } ?? sent.file.map { .file($0.url) }
            ?? sent.bodyPieces.map { .pieces($0) }
        return content.map { .init($0, contentType: urlRequest.value(forHTTPHeaderField: "Content-Type") ?? "") }
    }

    /// Whether the request carries the authenticator's credential. It does not if it goes to another origin, or if a plugin replaced the
    /// field.
    var hasIssued: Bool {
        guard let credential = issued?.credential else { return false }
        let own = urlRequest.value(forHTTPHeaderField: credential.name)
        return credential.signer == nil ? own == credential.value : own == nil && sent.credentials.contains(credential)
    }

    mutating func removeIssued() {
        guard let stale = issued?.credential else { return }
        urlRequest.setField(stale.name, nil)
        sent.credentials = sent.credentials.filter { $0 != stale }
        issued = nil
    }

    /// Applies the authenticator's credential, then the plugins, and checks the result.
    ///
    /// `inUse` gets the credentials in use, also before an error. It is locked, as a plugin may use credentials in tasks of its
    /// own, which inherit the task-local value.
    func prepared(by plugins: [any Teapot.Plugin], _ inUse: Locked<[Credential]>) throws -> OutgoingRequest {
        var request = urlRequest
        try Credential.$inUse.withValue(inUse) {
            // Like any plugin, it keeps the caller's own field.
            try issued?.credential.prepare(&request)
            for plugin in plugins {
                try plugin.prepare(&request)
                // The next one may sign it.
                request.url = request.url?.withNormalizedPath
            }
        }
        if !(request.timeoutInterval > 0) { request.timeoutInterval = urlRequest.timeoutInterval }
        if let body = request.httpBody, !Data.areSame(body, urlRequest.httpBody),
            request.value(forHTTPHeaderField: "Content-Type") == nil
        {
            // FoundationNetworking would send it as a form.
            request.setField("Content-Type", Teapot.Request.Body(body).contentType)
        }
        // The authenticator's credential is for the origin of the Teapot only.
        if let credential = issued?.credential, request.url != urlRequest.url, !request.isSameOrigin(as: urlRequest) {
            if credential.signer != nil { inUse.withLock { $0.removeAll { $0 == credential } } }
            if request.value(forHTTPHeaderField: credential.name) == credential.value {
                request.setField(credential.name, nil)
            }
        }
        var prepared = self
        if request.httpBody != nil { (prepared.sent.file, prepared.sent.bodyPieces) = (nil, nil) }
        prepared.urlRequest = request
        if !plugins.isEmpty { try prepared.check() }
        return prepared
    }

    /// Checks the changes of plugins like a caller's request.
    mutating func check() throws(TeapotError) {
        let request = urlRequest
        guard let url = request.url, Origin(url) != nil, url.user(percentEncoded: true) == nil else {
            throw .invalidRequestPath(
                reason: "a plugin set a URL that is not http or https with a host, or has user information"
            )
        }
        guard let method = request.httpMethod, Teapot.HTTPMethod(rawValue: method) != nil else {
            throw .invalidPayload(reason: "a plugin set a method that is not a token of at most 64 characters")
        }
        guard body == nil || !["GET", "HEAD"].contains(method.uppercased()) else {
            throw .invalidPayload(reason: "a plugin produced a \(method) request with a body")
        }
        let size = Self.size(of: request.httpBody, sent.file, sent.bodyPieces)
        _ = try HeaderFieldRules.checked(request.allHTTPHeaderFields ?? [:], bodyLength: size)
        urlRequest.setField("Content-Length", nil)
        // A stream blocks every session, and cannot be sent again.
        guard request.httpBodyStream == nil else {
            throw .invalidPayload(reason: "a plugin set a body stream, which Teapot cannot send")
        }
    }

    /// Has the credentials that sign do so. The header fields that they set are credentials from then on, also after an error.
    mutating func sign() throws {
        for credential in sent.credentials {
            guard let signer = credential.signer, urlRequest.value(forHTTPHeaderField: credential.name) == nil else {
                continue
            }
            var signed = self
            let result = Result { try signer.sign(&signed.urlRequest, body) }
            for (name, value) in signed.urlRequest.allHTTPHeaderFields ?? [:]
            where urlRequest.value(forHTTPHeaderField: name) != value && FieldName(name) != "Host" {
                sent.credentials.append(Credential(headerField: name, value: value))
            }
            try result.get()
            try signed.check()
            guard signed.urlRequest.isSameOrigin(as: urlRequest), signed.urlRequest.httpMethod == urlRequest.httpMethod,
                Data.areSame(signed.urlRequest.httpBody, urlRequest.httpBody)
            else { throw TeapotError.invalidPayload(reason: "a signature changed the origin, the method or the body") }
            signed.urlRequest.url = signed.urlRequest.url?.withNormalizedPath
            signed.urlRequest.timeoutInterval = urlRequest.timeoutInterval
            urlRequest = signed.urlRequest
        }
    }

    mutating func redirect(to urlRequest: URLRequest) {
        // The method changes where the body is dropped.
        if urlRequest.httpMethod != self.urlRequest.httpMethod {
            sent.file = nil
            sent.bodyPieces = nil
            isAnother = true
        }
        if !urlRequest.isSameOrigin(as: self.urlRequest) {
            sent.credentials = sent.credentials.filter { $0.signer == nil }
        }
        self.urlRequest = urlRequest
        // The URL is not the endpoint's.
        sent.endpoint = nil
        redirects += 1
    }

    mutating func resume(at partial: PartialBody) {
        let fields = partial.requestFields
        for name in ["Range", "If-Range"] { urlRequest.setField(name, fields[name]) }
    }
}
