import TeapotFoundation

extension TeapotError {
    /// The method and the URL of a request that failed, secrets redacted.
    public struct RequestLine: Hashable, Sendable, CustomStringConvertible {
        /// The method, such as `GET`.
        public let method: String
        /// The URL as text.
        public let url: String

        /// Method and URL.
        public var description: String { "\(method) \(url)" }

        init?(_ details: CallDetails) {
            guard let request = details.request else { return nil }
            method = request.method
            url = details.secrets.redacted(request.url)
        }

        /// Method, path and query.
        var target: String {
            let authority = url.range(of: "://").map { url[$0.upperBound...] } ?? url[...]
            return "\(method) \(authority.firstIndex(of: "/").map { authority[$0...] } ?? "/")"
        }
    }

    /// The request that failed, the last one of the call; `nil` if there was none, for example with an invalid path.
    public var requestLine: RequestLine? { RequestLine(details) }

    /// The failed request for a new credential of ``requestLine``, if a ``Teapot/Teapot`` sent it.
    public var refreshRequestLine: RequestLine? { details.refresh.flatMap(RequestLine.init) }

    /// The request and the failure, in one line for developers: `GET /api/issues/5: 404 Not Found (attempt 2 of 3)`.
    public var debugDescription: String {
        (requestLine.map { "\($0.target): " } ?? "") + summary
    }

    /// Type, status and ``debugDescription``, for `dump`: the response may contain secrets.
    public var customMirror: Mirror {
        let children: KeyValuePairs<String, Any> = [
            "type": type, "responseStatus": responseStatus as Any, "debugDescription": debugDescription,
        ]
        return Mirror(self, children: children, displayStyle: .struct)
    }

    /// The failure, for developers.
    var summary: String {
        var text = ""
        if details.refresh != nil {
            text += "while refreshing the credential\(refreshRequestLine.map { " (\($0.target))" } ?? ""): "
        }
        if type == .invalidResponseStatus, let status = responseStatus {
            text += "\(status) \(HTTPURLResponse.localizedString(forStatusCode: status).capitalized)"
        } else {
            text += "\(type): \(description)"
        }
        if let failureReason, !text.contains(failureReason) { text += " (\(failureReason))" }
        if details.isSentOnce { text += " (not sent again: its body is an AsyncSequence)" }
        if attempts > 1 { text += " (attempt \(attempts) of \(max(attempts, details.maximumAttempts)))" }
        return text
    }
}
