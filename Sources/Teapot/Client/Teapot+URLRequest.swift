internal import TeapotFoundation

extension Teapot {
    /// What a transport would get of a request if there were no plugins, for the benchmark.
    ///
    /// - Parameter request: What to send.
    /// - Returns: The request of `URLSession`.
    /// - Throws: What cannot be sent.
    package func urlRequest(for request: Request) throws(TeapotError) -> URLRequest {
        try urlRequest(for: request, currentSettings).urlRequest
    }

    /// Turns a request into what a transport takes: path joined, header fields and body checked.
    func urlRequest(
        for request: Request,
        _ settings: Settings
    ) throws(TeapotError) -> (urlRequest: URLRequest, bodyFile: BodyFile?) {
        guard let base = settings.base(for: request) else {
            throw .invalidRequestPath(reason: "the base URL is not an http or https URL with a host")
        }
        var urlRequest = URLRequest(url: try base.appending(request.path, query: request.query))
        // It is a GET to begin with, and FoundationNetworking takes a while to see that.
        if request.method != .get {
            guard HTTPMethod(rawValue: request.method.rawValue) != nil else {
                let reason = "the method \"\(request.method)\" is not a token of at most 64 characters"
                throw .invalidPayload(reason: reason.onOneLine)
            }
            urlRequest.httpMethod = request.method.rawValue
        }
        // No limit: an infinite one would trap in FoundationNetworking.
        urlRequest.timeoutInterval = settings.timeout(of: request) ?? 1e9
        urlRequest.allowsCellularAccess = request.allowsCellular
        var bodyFile: BodyFile?
        if let body = try request.body?.encoded(using: settings.encoder) {
            // FoundationNetworking takes `get` for `GET`.
            guard !["GET", "HEAD"].contains(request.method.rawValue.uppercased()) else {
                throw .invalidPayload(reason: "a \(request.method) request cannot have a body")
            }
            urlRequest.httpBody = body.data
            bodyFile = try BodyFile(body)
        }
        let bodyLength = bodyFile?.size ?? urlRequest.httpBody?.count ?? 0
        var own: [String: String] = [:]
        own["Content-Type"] = request.body?.contentType
        own["Accept"] = request.accept
        own["Authorization"] = base.authorization
        // Each replaces what came before it, so that the caller's own fields win. They are set at once: with each that is set
        // by itself, FoundationNetworking looks through all of them, and changes its capitals. It looks at no value then: the
        // check is all that keeps line breaks out.
        var merged: [String: String] = [:]
        for given in [own, configuredHeaderFields, settings.headerFields, request.headerFields] {
            let fields = try HeaderFieldRules.checked(given, bodyLength: bodyLength)
            if !merged.isEmpty, !fields.isEmpty {
                let names = Set(fields.keys.map { $0.lowercased() })
                merged = merged.filter { !names.contains($0.key.lowercased()) }
            }
            for (name, value) in fields {
                // FoundationNetworking drops a value of blanks; HTTP takes it for an empty one (RFC 9110, section 5.5).
                let isBlank = value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
                merged[name] = isBlank ? "" : value
            }
        }
        if !merged.isEmpty { urlRequest.allHTTPHeaderFields = merged }
        return (urlRequest, bodyFile)
    }
}
