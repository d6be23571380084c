import TeapotFoundation

/// The last step before a request is sent: the authenticator's credential, then the plugins.
extension OutgoingRequest {
    /// Applies the authenticator's credential and the plugins, and checks the result.
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
}
