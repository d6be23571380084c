import TeapotFoundation

/// The last step before a request is sent: the authenticator's credential, then the plugins.
struct RequestPreparation {
    let credential: Credential?
    let plugins: [any Teapot.Plugin]

    static func isNecessary(for request: Indirect<OutgoingRequest>, _ plugins: [any Teapot.Plugin]) -> Bool {
        guard plugins.isEmpty, let issued = request.value.issued else { return !plugins.isEmpty }
        // A credential that was known has been in the request from the start.
        return !request.value.sent.credentials.contains(issued.credential)
    }

    /// Applies the authenticator's credential and the plugins, and checks the result.
    /// - Returns: The request or the error that prevents it, and in both cases the credentials in use.
    func prepare(_ original: OutgoingRequest) -> (Result<OutgoingRequest, any Error>, [Credential]) {
        // Under a lock, as a plugin may use credentials in tasks of its own, which inherit the task-local value.
        let inUse = Locked<[Credential]>([])
        let result = Result { try prepared(original, inUse) }
        return (result, inUse.withLock { $0 })
    }

    private func prepared(_ outgoing: OutgoingRequest, _ inUse: Locked<[Credential]>) throws -> OutgoingRequest {
        let original = outgoing.urlRequest
        var request = original
        try Credential.$inUse.withValue(inUse) {
            // Like any plugin, it keeps the caller's own field.
            try credential?.prepare(&request)
            for plugin in plugins {
                try plugin.prepare(&request)
                // The next one may sign it.
                request.url = request.url?.withNormalizedPath
            }
        }
        if !(request.timeoutInterval > 0) { request.timeoutInterval = original.timeoutInterval }
        complete(&request, original, inUse)
        var prepared = outgoing
        if request.httpBody != nil { (prepared.sent.file, prepared.sent.bodyPieces) = (nil, nil) }
        prepared.urlRequest = request
        if !plugins.isEmpty { try Self.check(&prepared) }
        return prepared
    }

    /// Adds the fields that Teapot adds to a caller's request, for a request changed by plugins.
    private func complete(_ request: inout URLRequest, _ original: URLRequest, _ inUse: Locked<[Credential]>) {
        if let body = request.httpBody, !Data.areSame(body, original.httpBody),
            request.value(forHTTPHeaderField: "Content-Type") == nil
        {
            // FoundationNetworking would send it as a form.
            request.setField("Content-Type", Teapot.Request.Body(body).contentType)
        }
        // The authenticator's credential is for the origin of the Teapot only.
        guard let credential, request.url != original.url, !request.isSameOrigin(as: original) else { return }
        if credential.signer != nil { inUse.withLock { $0.removeAll { $0 == credential } } }
        if request.value(forHTTPHeaderField: credential.name) == credential.value {
            request.setField(credential.name, nil)
        }
    }

    /// Checks the changes of plugins like a caller's request.
    static func check(_ prepared: inout OutgoingRequest) throws(TeapotError) {
        let request = prepared.urlRequest
        guard let url = request.url, Origin(url) != nil, url.user(percentEncoded: true) == nil else {
            throw .invalidRequestPath(
                reason: "a plugin set a URL that is not http or https with a host, or has user information"
            )
        }
        guard let method = request.httpMethod, Teapot.HTTPMethod(rawValue: method) != nil else {
            throw .invalidPayload(reason: "a plugin set a method that is not a token of at most 64 characters")
        }
        guard prepared.body == nil || !["GET", "HEAD"].contains(method.uppercased()) else {
            throw .invalidPayload(reason: "a plugin produced a \(method) request with a body")
        }
        let size = OutgoingRequest.size(of: request.httpBody, prepared.sent.file, prepared.sent.bodyPieces)
        _ = try HeaderFieldRules.checked(request.allHTTPHeaderFields ?? [:], bodyLength: size)
        prepared.urlRequest.setField("Content-Length", nil)
        // A stream blocks every session, and cannot be sent again.
        guard request.httpBodyStream == nil else {
            throw .invalidPayload(reason: "a plugin set a body stream, which Teapot cannot send")
        }
    }
}
