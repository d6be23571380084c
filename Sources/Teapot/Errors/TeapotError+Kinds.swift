import TeapotFoundation

/// Constructors of all errors that Teapot itself makes.
extension TeapotError {
    /// An error with a reason in words, which its sentence may show.
    @inline(never)
    private static func failure(_ type: ErrorType, _ key: String, _ reason: String, isShown: Bool) -> TeapotError {
        TeapotError(type, key, isShown ? [reason] : [], cause: FailureReason(reason))
    }

    static func invalidRequestPath(reason: String) -> TeapotError {
        failure(.invalidRequestPath, "Teapot:InvalidRequestPath", reason, isShown: false)
    }

    static func invalidPayload(reason: String, isJSON: Bool = false) -> TeapotError {
        invalidPayload(FailureReason(reason), isJSON: isJSON)
    }

    static func invalidPayload(_ cause: any Error, isJSON: Bool) -> TeapotError {
        TeapotError(.invalidPayload, "Teapot:InvalidPayload", special: isJSON ? nil : requestNotSent, cause: cause)
    }

    static func invalidHeaderField(reason: String) -> TeapotError {
        failure(.invalidHeaderField, "Teapot:InvalidHeaderField", reason, isShown: true)
    }

    static func decodingFailed(reason: String, data: Data) -> TeapotError {
        decodingFailed(FailureReason(reason), data: data, response: nil)
    }

    @inline(never) static func decodingFailed(
        _ cause: any Error,
        data: Data,
        response: ResponseHead?,
        details: CallDetails = .none,
        special: String? = nil
    ) -> TeapotError {
        TeapotError(
            .decodingFailed,
            "Teapot:DecodingFailed",
            special: special,
            [details.secrets.redacted(line: cause.reason)],
            response: response,
            data: data,
            cause: cause
        ).with(details)
    }

    package static func fileError(_ file: URL, _ reason: String) -> TeapotError {
        let path = file.path
        let name = path.isEmpty ? "\"" + file.relativeString + "\"" : path
        return failure(.fileError, "Teapot:FileError", (name + ": " + reason).onOneLine, isShown: true)
    }

    /// The reason is that of the last failed operation on this thread.
    static func fileError(_ file: URL, errno code: Int32) -> TeapotError {
        fileError(file, String(cString: strerror(code)))
    }

    static func cancelled() -> TeapotError {
        TeapotError(.cancelled, "Teapot:Cancelled", cause: URLError(.cancelled, "cancelled by the caller"))
    }

    static func noResponse(_ cause: any Error) -> TeapotError {
        TeapotError(.noResponse, "Teapot:NoResponse", special: cause.sentenceKey, cause: cause)
    }

    static func dataTaskError(_ cause: any Error, reason: String, response: ResponseHead, data: Data) -> TeapotError {
        TeapotError(
            .dataTaskError,
            "Teapot:DataTaskError",
            special: cause.sentenceKey,
            [reason],
            response: response,
            data: data,
            cause: cause
        )
    }

    /// The reason says why a redirect was refused, if so. No request of Teapot asks for a 101.
    static func invalidResponseStatus(_ response: ResponseHead, data: Data, reason: FailureReason? = nil)
        -> TeapotError
    {
        TeapotError(
            .invalidResponseStatus,
            "Teapot:InvalidResponseStatus",
            ["\(response.status)"],
            response: response,
            data: data,
            cause: reason ?? (response.status == 101 ? FailureReason("the server switched to another protocol") : nil)
        )
    }

    static func responseTooLarge(limit: Int, response: ResponseHead? = nil, data: Data? = nil) -> Self {
        TeapotError(
            .responseTooLarge,
            "Teapot:ResponseTooLarge",
            ["\(limit)"],
            response: response,
            data: data,
            cause: URLError(.dataLengthExceedsMaximum, "the body has more than \(limit) bytes")
        )
    }

    static func missingImage(response: ResponseHead, data: Data?) -> TeapotError {
        TeapotError(.missingImage, "Teapot:MissingImage", response: response, data: data)
    }

    /// The error that prevented a request: a ``TeapotError`` unchanged, any other as the cause of one.
    static func preparationFailed(_ cause: any Error, _ secrets: SecretPolicy) -> TeapotError {
        cause as? TeapotError
            ?? TeapotError(
                .preparationFailed,
                "Teapot:PreparationFailed",
                [secrets.redacted(line: cause.reason)],
                cause: cause
            )
    }

    /// `sendAndWait` was called on a thread on which a transport reports events, by code of a closure call.
    static func blocksTransport() -> TeapotError {
        let reason =
            "sendAndWait would block the thread on which a transport reports events; call it on another thread, or send(_:) in a Task"
        return preparationFailed(FailureReason(reason), .standard)
    }

    /// The error of ``preparationFailed(_:_:)`` for a new credential, with the details of the call that requested the credential.
    static func refreshFailed(_ cause: any Error, _ secrets: SecretPolicy) -> TeapotError {
        let error = preparationFailed(cause, secrets)
        return error.with(.none, refresh: error.details)
    }
}

private let requestNotSent = "Teapot:RequestNotSent"

extension Error {
    /// The key of the sentence for the cause of a failed exchange; `nil` if there is none.
    fileprivate var sentenceKey: String? {
        if self is BodyError { return requestNotSent }
        guard let code = (self as? URLError)?.code else { return nil }
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
