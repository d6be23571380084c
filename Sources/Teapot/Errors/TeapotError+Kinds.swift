import TeapotFoundation

/// Constructors of all errors that Teapot itself makes.
extension TeapotError {
    static func invalidRequestPath(reason: String) -> TeapotError {
        TeapotError(.invalidRequestPath, "Teapot:InvalidRequestPath", cause: FailureReason(reason))
    }

    static func invalidPayload(reason: String, isJSON: Bool = false) -> TeapotError {
        invalidPayload(FailureReason(reason), isJSON: isJSON)
    }

    static func invalidPayload(_ cause: any Error, isJSON: Bool) -> TeapotError {
        let special = isJSON ? nil : "Teapot:RequestNotSent"
        return TeapotError(.invalidPayload, "Teapot:InvalidPayload", special: special, cause: cause)
    }

    static func invalidHeaderField(reason: String) -> TeapotError {
        TeapotError(.invalidHeaderField, "Teapot:InvalidHeaderField", [reason], cause: FailureReason(reason))
    }

    @inline(never) static func decodingFailed(
        _ cause: any Error,
        data: Data,
        response: ResponseHead? = nil,
        details: CallDetails = .none,
        special: String? = nil
    ) -> TeapotError {
        let (key, texts) = ("Teapot:DecodingFailed", [details.secrets.redacted(line: cause.reason)])
        let error = Self(.decodingFailed, key, special: special, texts, response: response, data: data, cause: cause)
        return error.with(details)
    }

    package static func fileError(_ file: URL, _ reason: String) -> TeapotError {
        let path = file.path
        let name = path.isEmpty ? "\"" + file.relativeString + "\"" : path
        let text = (name + ": " + reason).onOneLine
        return TeapotError(.fileError, "Teapot:FileError", [text], cause: FailureReason(text))
    }

    static func fileError(_ file: URL, errno code: Int32) -> Self { fileError(file, String(cString: strerror(code))) }

    /// Accesses a file, and adds its name to any error, with the system's reason if Foundation provides it.
    static func naming<Value>(_ url: URL, _ access: () throws -> Value) throws(TeapotError) -> Value {
        do { return try access() } catch { throw fileError(url, error) }
    }

    @inline(never) private static func fileError(_ url: URL, _ error: any Error) -> TeapotError {
        if let error = error as? TeapotError { return error }
        let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
        guard let cause = cause as NSError?, cause.domain == NSPOSIXErrorDomain else {
            return .fileError(url, error.localizedDescription)
        }
        return .fileError(url, errno: Int32(clamping: cause.code))
    }

    static func cancelled() -> TeapotError {
        TeapotError(.cancelled, "Teapot:Cancelled", cause: URLError(.cancelled, "cancelled by the caller"))
    }

    static func noResponse(_ cause: any Error) -> TeapotError {
        TeapotError(.noResponse, "Teapot:NoResponse", special: sentenceKey(of: cause), cause: cause)
    }

    static func dataTaskError(_ cause: any Error, reason: String, response: ResponseHead, data: Data) -> TeapotError {
        let (key, special) = ("Teapot:DataTaskError", sentenceKey(of: cause))
        return Self(.dataTaskError, key, special: special, [reason], response: response, data: data, cause: cause)
    }

    /// The reason says why a redirect was refused, if so. No request of Teapot asks for a 101.
    static func invalidResponseStatus(_ response: ResponseHead, data: Data, reason: FailureReason? = nil) -> Self {
        let cause = reason ?? (response.status == 101 ? FailureReason("the server switched to another protocol") : nil)
        let (key, status) = ("Teapot:InvalidResponseStatus", "\(response.status)")
        return TeapotError(.invalidResponseStatus, key, [status], response: response, data: data, cause: cause)
    }

    /// Makes the error of a response with a status other than 200 to 299, for a ``RequestPerforming`` of your own.
    public static func invalidResponseStatus(_ response: Teapot.Response) -> TeapotError {
        invalidResponseStatus(response.head, data: response.data)
    }

    static func responseTooLarge(limit: Int, response: ResponseHead? = nil, data: Data? = nil) -> Self {
        let cause = URLError(.dataLengthExceedsMaximum, "the body has more than \(limit) bytes")
        let key = "Teapot:ResponseTooLarge"
        return TeapotError(.responseTooLarge, key, ["\(limit)"], response: response, data: data, cause: cause)
    }

    static func missingImage(response: ResponseHead, data: Data?) -> TeapotError {
        TeapotError(.missingImage, "Teapot:MissingImage", response: response, data: data)
    }

    /// The error that prevented a request: a ``TeapotError`` unchanged, any other as the cause of one.
    static func preparationFailed(_ cause: any Error, _ secrets: SecretPolicy) -> TeapotError {
        if let error = cause as? TeapotError { return error }
        let reason = secrets.redacted(line: cause.reason)
        return TeapotError(.preparationFailed, "Teapot:PreparationFailed", [reason], cause: cause)
    }

    static func blocksTransport() -> TeapotError {
        let reason =
            "sendAndWait would block the thread on which a transport reports events; call it on another thread, or send(_:) in a Task"
        return preparationFailed(FailureReason(reason), .standard)
    }

    private static func sentenceKey(of cause: any Error) -> String? {
        if cause is BodyError { return "Teapot:RequestNotSent" }
        guard let code = (cause as? URLError)?.code else { return nil }
        return switch code {
        case _ where code.isOfServerCertificate: "Teapot:CertificateRefused"
        case .notConnectedToInternet, .cannotFindHost, .dnsLookupFailed, .cannotConnectToHost, .internationalRoamingOff,
            .callIsActive, .dataNotAllowed:
            "Teapot:CannotConnect"
        case .secureConnectionFailed, .clientCertificateRejected, .clientCertificateRequired:
            "Teapot:SecureConnectionFailed"
        case .timedOut: "Teapot:TimedOut"
        case .networkConnectionLost: "Teapot:ConnectionLost"
        default: nil
        }
    }
}

extension URLError {
    @inline(never) init(_ code: Code, _ reason: String) {
        self.init(code, userInfo: [NSLocalizedDescriptionKey: reason])
    }

    static var deadlinePassed: URLError { timedOut("the call's deadline has passed") }
    static func timedOut(_ reason: String) -> URLError { URLError(.timedOut, reason) }
}

extension URLError.Code {
    var isOfServerCertificate: Bool {
        self == .serverCertificateUntrusted || self == .serverCertificateHasBadDate
            || self == .serverCertificateNotYetValid || self == .serverCertificateHasUnknownRoot
    }
}
