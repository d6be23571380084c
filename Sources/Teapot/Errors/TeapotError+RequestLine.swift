import TeapotFoundation

extension TeapotError {
    /// The method and URL of the call's last request, secrets redacted: `GET https://example.com/a`; `nil` without one.
    public var requestLine: String? { details.request.map { $0.method + " " + details.secrets.redacted($0.url) } }
    /// The request and the failure, in one line for developers: `GET /api/issues/5: 404 Not Found (attempt 2 of 3)`.
    public var debugDescription: String { (details.target.map { "\($0): " } ?? "") + summary }

    /// Type, status and ``debugDescription``, for `dump`: the response may contain secrets.
    public var customMirror: Mirror {
        let status = responseStatus as Any
        return Mirror(self, shown: ["type": type, "responseStatus": status, "debugDescription": debugDescription])
    }

    var summary: String {
        var text = ""
        if let refresh = details.refresh {
            text += "while refreshing the credential" + (refresh.target.map { " (" + $0 + ")" } ?? "") + ": "
        }
        if type == .invalidResponseStatus, let status = responseStatus {
            text += "\(status) " + HTTPURLResponse.localizedString(forStatusCode: status).capitalized
        } else {
            text += "\(type): " + description
        }
        if let failureReason, !text.contains(failureReason) { text += " (" + failureReason + ")" }
        if details.isSentOnce { text += " (not sent again: its body is an AsyncSequence)" }
        if attempts > 1 { text += " (attempt \(attempts) of \(max(attempts, details.maximumAttempts)))" }
        return text
    }
}
