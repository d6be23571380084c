import TeapotFoundation

/// Decides how to follow redirects, by Teapot's own rules on every platform.
struct RedirectPolicy: Sendable {
    enum Decision: Sendable {
        /// The response is not a redirect.
        case none
        case follow(URLRequest)
        case refuse(FailureReason)
    }

    /// Of redirects in one call.
    static let maximum = 10

    let secrets: SecretPolicy
    /// Whether the body of the request cannot be sent again.
    var isSentOnce = false

    func decision(for request: URLRequest, _ response: ResponseHead, after count: Int) -> Decision {
        let status = response.status
        guard 301...303 ~= status || 307...308 ~= status, let location = response.field("Location"), !location.isEmpty,
            let url = request.url
        else { return .none }
        guard !SingleField.hasSeveralLocations(location) else {
            return .refuse(FailureReason("the response has several Location fields that differ"))
        }
        guard count < Self.maximum else { return .refuse(FailureReason("more than \(Self.maximum) redirects")) }
        guard let target = url.resolving(location), let origin = Origin(target) else {
            return .refuse(FailureReason("the redirect does not lead to an http or https URL"))
        }
        guard !(url.scheme?.lowercased() == "https" && origin.scheme == "http") else {
            return .refuse(FailureReason("the redirect leads from https to http"))
        }
        let next = next(after: request, status: status, to: target, staying: Origin(url) == origin)
        guard !isSentOnce || next.httpMethod != request.httpMethod else {
            return .refuse(FailureReason("the redirect needs the body again, which is an AsyncSequence"))
        }
        return .follow(next)
    }

    /// RFC 9110, section 15.4: 303 requires a `GET`, and so do, in practice, 301 and 302 after a `POST`.
    private func next(after request: URLRequest, status: Int, to target: URL, staying: Bool) -> URLRequest {
        var next = request
        next.url = target
        let method = request.httpMethod ?? "GET"
        let becomesGet = status == 303 ? method != "HEAD" && method != "GET" : status < 303 && method == "POST"
        if becomesGet {
            next.httpMethod = "GET"
            next.httpBody = nil
        }
        for name in (request.allHTTPHeaderFields ?? [:]).keys {
            let describesBody = name.lowercased().hasPrefix("content-")
            // A `Host` set by the caller names the origin that the redirect leaves.
            let isForOrigin = FieldName.isSame(name, "Host") || secrets.isLeftBehind(name)
            if becomesGet && describesBody || !staying && isForOrigin { next.setField(name, nil) }
        }
        return next
    }
}
