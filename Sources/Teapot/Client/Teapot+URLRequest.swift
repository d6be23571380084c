public import TeapotFoundation

extension Teapot {
    /// The URL of a request, without user information: base URL, path and query joined as when it is sent.
    /// - Throws: `invalidRequestPath` if there is no such URL.
    public func url(for request: Request) throws(TeapotError) -> URL {
        try Self.base(for: request, currentContext).appending(request.path, query: request.query)
    }

    private static func base(for request: Request, _ context: Call.Context) throws(TeapotError) -> BaseURL {
        guard let base = request.baseURL.map(BaseURL.init) ?? context.settings.base else {
            throw .invalidRequestPath(reason: "the base URL is not an http or https URL with a host")
        }
        return base
    }

    /// Makes the request for a transport: path joined, header fields and body checked. If `isSigned`, adds the authenticator's current
    /// credential, unless there is a field of its name.
    func urlRequest(for request: Request, _ context: Call.Context, isSigned: Bool = false) throws(TeapotError)
        -> OutgoingRequest
    {
        let settings = context.settings
        let base = try Self.base(for: request, context)
        var timeout = request.timeoutInterval ?? 0
        if !(timeout > 0) { timeout = settings.timeoutInterval > 0 ? settings.timeoutInterval : 15 }
        let url = try base.appending(request.path, query: request.query)
        var outgoing = OutgoingRequest(
            urlRequest: URLRequest(url: url, timeoutInterval: min(timeout, URLRequest.noTimeout)),
            isIdempotent: request.isIdempotent
        )
        outgoing.sent.endpoint = request.endpoint
        outgoing.sent.baseURL = settings.baseURL
        outgoing.sent.secrets = settings.secretPolicy
        if let own = base.credential { outgoing.sent.secrets = outgoing.sent.secrets.adding([own]) }
        // The method is `GET` at first, and setting it again is slow in FoundationNetworking.
        if request.method != .get {
            guard HTTPMethod(rawValue: request.method.rawValue) != nil else {
                let reason = "the method \"\(request.method)\" is not a token of at most 64 characters"
                throw .invalidPayload(reason: reason.onOneLine)
            }
            outgoing.urlRequest.httpMethod = request.method.rawValue
        }
        if !request.allowsCellular { outgoing.urlRequest.allowsCellularAccess = false }
        if let body = try request.body?.encoded(using: request.encoder ?? settings.encoder) {
            // FoundationNetworking takes `get` for `GET`.
            guard !["GET", "HEAD"].contains(request.method.rawValue.uppercased()) else {
                throw .invalidPayload(reason: "a \(request.method) request cannot have a body")
            }
            outgoing.urlRequest.httpBody = body.data
            if case .file(let file, let owner) = body.content { outgoing.sent.file = try BodyFile(file, owner: owner) }
            outgoing.sent.bodyPieces = body.pieces
        }
        var own: [String: String] = [:]
        if let contentType = request.body?.contentType { own["Content-Type"] = contentType }
        if let authorization = base.credential?.value { own["Authorization"] = authorization }
        // Teapot's own field needs no check.
        var merged = request.accept
        let data = outgoing.urlRequest.httpBody
        let bodySize = OutgoingRequest.size(of: data, outgoing.sent.file, outgoing.sent.bodyPieces)
        try Self.merge(own, into: &merged, bodySize)
        try Self.merge(settings.configuredHeaderFields, into: &merged, bodySize)
        try Self.merge(settings.headerFields, into: &merged, bodySize)
        try Self.merge(request.headerFields, into: &merged, bodySize)
        // The credential is asked for now, after the body was encoded, which may take time.
        if isSigned, let issued = settings.authenticator?.value.common,
            merged.isEmpty || merged[field: issued.credential.name] == nil
        {
            let credential = issued.credential
            if merged.isEmpty { merged = issued.field } else { merged[credential.name] = credential.value }
            outgoing.issued = issued
            outgoing.sent.credentials = [credential]
        }
        // Fields are set at once: for each field set singly, FoundationNetworking searches all of them and changes capitals. It does not
        // look at values then: only the check in `merge` keeps line breaks out.
        if !merged.isEmpty { outgoing.urlRequest.allHTTPHeaderFields = merged }
        // The last check, as the pieces belong to this call from now on.
        try outgoing.sent.bodyPieces?.claim()
        return outgoing
    }

    /// Adds checked header fields. Each replaces one of the same name, so that the caller's own fields, added last, win.
    private static func merge(_ given: [String: String], into merged: inout [String: String], _ bodyLength: Int?)
        throws(TeapotError)
    {
        guard !given.isEmpty else { return }
        let fields = try HeaderFieldRules.checked(given, bodyLength: bodyLength)
        guard !merged.isEmpty || fields.values.contains(where: isBlank) else { return merged = fields }
        for (name, value) in fields { merged[field: name] = isBlank(value) ? "" : value }
    }

    /// FoundationNetworking drops a blank value, which HTTP treats as an empty one (RFC 9110, section 5.5).
    private static func isBlank(_ value: String) -> Bool { FieldScanner.blanks.contains(allOf: value) }
}
