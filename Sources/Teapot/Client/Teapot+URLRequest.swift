import TeapotFoundation

extension Teapot {
    /// Makes the request for a transport: path joined, header fields and body checked.
    func urlRequest(
        for request: Request,
        _ context: Call.Context
    ) throws(TeapotError) -> OutgoingRequest {
        guard let base = context.base(for: request) else {
            throw .invalidRequestPath(reason: "the base URL is not an http or https URL with a host")
        }
        var timeout = request.timeoutInterval ?? 0
        if !(timeout > 0) { timeout = context.settings.timeoutInterval > 0 ? context.settings.timeoutInterval : 15 }
        let url = try base.appending(request.path, query: request.query)
        var urlRequest = URLRequest(url: url, timeoutInterval: min(timeout, OutgoingRequest.noTimeout))
        // The method is `GET` at first, and setting it again is slow in FoundationNetworking.
        if request.method != .get {
            guard HTTPMethod(rawValue: request.method.rawValue) != nil else {
                let reason = "the method \"\(request.method)\" is not a token of at most 64 characters"
                throw .invalidPayload(reason: reason.onOneLine)
            }
            urlRequest.httpMethod = request.method.rawValue
        }
        if !request.allowsCellular { urlRequest.allowsCellularAccess = false }
        var bodyFile: BodyFile?
        var pieces: Request.Body.Pieces?
        if let body = try request.body?.encoded(using: context.settings.encoder) {
            // FoundationNetworking takes `get` for `GET`.
            guard !["GET", "HEAD"].contains(request.method.rawValue.uppercased()) else {
                throw .invalidPayload(reason: "a \(request.method) request cannot have a body")
            }
            urlRequest.httpBody = body.data
            bodyFile = try BodyFile(body)
            pieces = body.pieces
        }
        var own: [String: String] = [:]
        if let contentType = request.body?.contentType { own["Content-Type"] = contentType }
        if let accept = request.accept { own["Accept"] = accept }
        if let authorization = base.authorization { own["Authorization"] = authorization }
        var merged: [String: String] = [:]
        let bodyLength = urlRequest.httpBody?.count ?? bodyFile?.size ?? pieces.map(\.length) ?? 0
        try Self.merge(own, into: &merged, bodyLength)
        try Self.merge(context.settings.configuredHeaderFields, into: &merged, bodyLength)
        try Self.merge(context.settings.headerFields, into: &merged, bodyLength)
        try Self.merge(request.headerFields, into: &merged, bodyLength)
        // They are set at once: for each field set singly, FoundationNetworking searches all of them and changes capitals. It
        // does not look at values then: only the check in `merge` keeps line breaks out.
        if !merged.isEmpty { urlRequest.allHTTPHeaderFields = merged }
        // The last check: the pieces belong to this call now.
        try pieces?.claim()
        return OutgoingRequest(
            urlRequest: urlRequest,
            bodyFile: bodyFile,
            pieces: pieces,
            isIdempotent: request.isIdempotent,
            acceptedStatuses: request.acceptedStatuses,
            retryPolicy: request.retryPolicy,
            endpoint: request.endpoint
        )
    }

    /// Adds checked header fields. Each replaces one of the same name, so that the caller's own fields, added last, win.
    private static func merge(
        _ given: [String: String],
        into merged: inout [String: String],
        _ bodyLength: Int?
    ) throws(TeapotError) {
        guard !given.isEmpty else { return }
        let fields = try HeaderFieldRules.checked(given, bodyLength: bodyLength)
        guard !merged.isEmpty || fields.values.contains(where: isBlank) else { return merged = fields }
        for (name, value) in fields { merged[field: name] = isBlank(value) ? "" : value }
    }

    /// FoundationNetworking drops a blank value, which HTTP treats as an empty one (RFC 9110, section 5.5).
    private static func isBlank(_ value: String) -> Bool {
        value.utf8.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }
}
