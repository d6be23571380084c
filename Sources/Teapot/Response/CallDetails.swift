import TeapotFoundation

/// The details of a call that its response and error keep, behind a reference, because each level of the stack holds a
/// thrown error. The defaults are those of a call that has sent nothing yet.
struct CallDetails: Sendable, CustomReflectable {
    typealias Target = (method: String, url: URL)

    /// Decodes the body unless the caller passes a decoder; a `JSONDecoder()` if `nil`.
    var decoder: JSONDecoder?
    /// The secrets that texts redact.
    var secrets = SecretPolicy.standard
    var attempts = 0
    /// The maximum number of attempts of the retry policy; 1 without one.
    var maximumAttempts = 1
    /// Whether the request's body could be sent only once.
    var isSentOnce = false
    var timings = Teapot.Timings()
    /// The method and URL of the last request, or of the one to be sent; `nil` if there was none. The body is not kept.
    var request: Target?
    /// The details of the credential's refresh, if that failed.
    var refresh: Indirect<CallDetails>?

    static let none = Indirect(CallDetails())

    /// The method, path and query of the request, secrets redacted.
    var target: String? {
        guard let request else { return nil }
        // The parts before the third slash are scheme and authority.
        let parts = secrets.redacted(request.url).components(separatedBy: "/").dropFirst(3)
        return request.method + " /" + Array(parts).joined(separator: "/")
    }

    /// `dump` shows no URL.
    var customMirror: Mirror { Mirror(self, children: ["attempts": attempts]) }
}

extension Indirect where Value == CallDetails {
    static var none: Indirect { CallDetails.none }
    func with(_ decoder: JSONDecoder?) -> Indirect { with { $0.decoder = decoder ?? $0.decoder } }
}

extension URLRequest {
    var target: CallDetails.Target? { url.map { (httpMethod ?? "GET", $0) } }
}
