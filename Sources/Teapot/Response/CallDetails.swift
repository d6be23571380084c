import TeapotFoundation

/// The details of a call that its response and error keep. They are a class, because each level of the stack holds a thrown error.
final class CallDetails: Sendable, CustomReflectable {
    typealias Target = (method: String, url: URL)

    /// Decodes the body unless the caller passes a decoder; a `JSONDecoder()` if `nil`.
    let decoder: JSONDecoder?
    /// The secrets that texts redact.
    let secrets: SecretPolicy
    let attempts: Int
    /// The maximum number of attempts of the retry policy; 1 without one.
    let maximumAttempts: Int
    /// Whether the request's body could be sent only once.
    let isSentOnce: Bool
    let timings: Teapot.Timings
    /// The method and URL of the last request, or of the one to be sent; `nil` if there was none. The body is not kept.
    let request: Target?
    /// The details of the credential's refresh, if that failed.
    let refresh: CallDetails?

    static let none = CallDetails()

    /// The defaults are those of a call that has sent nothing yet.
    @inline(never) init(
        decoder: JSONDecoder? = nil,
        secrets: SecretPolicy = .standard,
        attempts: Int = 0,
        maximumAttempts: Int = 1,
        isSentOnce: Bool = false,
        timings: Teapot.Timings = Teapot.Timings(),
        request: Target? = nil,
        refresh: CallDetails? = nil
    ) {
        self.decoder = decoder
        self.secrets = secrets
        self.timings = timings
        self.attempts = attempts
        self.maximumAttempts = maximumAttempts
        self.isSentOnce = isSentOnce
        self.request = request
        self.refresh = refresh
    }

    /// The method, path and query of the request, secrets redacted.
    var target: String? {
        guard let request else { return nil }
        // The parts before the third slash are scheme and authority.
        let parts = secrets.redacted(request.url).components(separatedBy: "/").dropFirst(3)
        return request.method + " /" + Array(parts).joined(separator: "/")
    }

    /// `dump` shows no URL.
    var customMirror: Mirror { Mirror(self, children: ["attempts": attempts]) }

    func with(decoder: JSONDecoder? = nil, refresh: CallDetails? = nil) -> CallDetails {
        CallDetails(
            decoder: decoder ?? self.decoder,
            secrets: secrets,
            attempts: attempts,
            maximumAttempts: maximumAttempts,
            isSentOnce: isSentOnce,
            timings: timings,
            request: request,
            refresh: refresh ?? self.refresh
        )
    }
}
