internal import TeapotFoundation

/// The last that happens to a request before it is sent: the authenticator's credential, then the plugins.
struct RequestPreparation {
    let credential: Credential?
    let plugins: [any Teapot.Plugin]
    let secrets: SecretPolicy

    private var isNeeded: Bool { credential != nil || !plugins.isEmpty }

    /// Applies the authenticator's credential and the plugins, and checks what they made of the request. `credentials` takes those
    /// that are in use, also when something is thrown.
    func prepare(
        _ original: URLRequest,
        _ bodyFile: BodyFile?,
        _ credentials: inout [Credential]
    ) throws(TeapotError) -> (request: URLRequest, bodyFile: BodyFile?) {
        guard isNeeded else { return (original, bodyFile) }
        var request = original
        let inUse = Locked<[Credential]>([])
        do {
            defer { credentials = inUse.withLock { $0 } }
            try Credential.$inUse.withValue(inUse) {
                // As a plugin it leaves alone what the caller said.
                try credential?.prepare(&request)
                for plugin in plugins { try plugin.prepare(&request) }
            }
        } catch {
            throw .preparationFailed(error, secrets.adding(credentials))
        }
        complete(&request, original)
        let remainingFile = request.httpBody == nil ? bodyFile : nil
        if !plugins.isEmpty { try check(&request, remainingFile) }
        return (request, remainingFile)
    }

    /// What Teapot says of a request that plugins have changed, as it does of what callers ask for.
    private func complete(_ request: inout URLRequest, _ original: URLRequest) {
        if let body = request.httpBody, body != original.httpBody,
            request.value(forHTTPHeaderField: "Content-Type") == nil
        {
            // FoundationNetworking would call it a form.
            request.setValue(Teapot.Request.Body(body).contentType, forHTTPHeaderField: "Content-Type")
        }
        // The authenticator's credential is for the origin of the Teapot.
        if let credential, request.value(forHTTPHeaderField: credential.name) == credential.value,
            request.url.flatMap(Origin.init) != original.url.flatMap(Origin.init)
        {
            request.setValue(nil, forHTTPHeaderField: credential.name)
        }
    }

    /// Looks at what plugins may have changed, as at what callers ask for.
    private func check(_ request: inout URLRequest, _ bodyFile: BodyFile?) throws(TeapotError) {
        guard let url = request.url, Origin(url) != nil, url.user(percentEncoded: true) == nil else {
            throw .invalidRequestPath(
                reason: "a plugin set a URL that is not http or https with a host, or has user information"
            )
        }
        guard let method = request.httpMethod, HTTPMethod(rawValue: method) != nil else {
            throw .invalidPayload(reason: "a plugin set a method that is not a token of at most 64 characters")
        }
        let hasBody = request.httpBody != nil || bodyFile != nil
        guard !hasBody || !["GET", "HEAD"].contains(method.uppercased()) else {
            throw .invalidPayload(reason: "a plugin produced a \(method) request with a body")
        }
        let bodyLength = bodyFile?.size ?? request.httpBody?.count ?? 0
        _ = try HeaderFieldRules.checked(request.allHTTPHeaderFields ?? [:], bodyLength: bodyLength)
        request.setValue(nil, forHTTPHeaderField: "Content-Length")
        // A stream holds up every session, and cannot be sent again.
        guard request.httpBodyStream == nil else {
            throw .invalidPayload(reason: "a plugin set a body stream, which Teapot cannot send")
        }
    }
}
