internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Every error that Teapot makes itself is made here, with its localized text.
extension TeapotError {
    package static func invalidRequestPath(reason: String) -> TeapotError {
        TeapotError(
            type: .invalidRequestPath,
            description: LocalizedStrings.text("Teapot:InvalidRequestPath"),
            underlyingError: FailureReason(reason)
        )
    }

    package static func invalidPayload(reason: String) -> TeapotError {
        invalidPayload(FailureReason(reason))
    }

    package static func invalidPayload(_ cause: any Error) -> TeapotError {
        TeapotError(
            type: .invalidPayload,
            description: LocalizedStrings.text("Teapot:InvalidPayload"),
            underlyingError: cause
        )
    }

    package static func invalidHeaderField(reason: String) -> TeapotError {
        TeapotError(
            type: .invalidHeaderField,
            description: LocalizedStrings.text("Teapot:InvalidHeaderField", [reason]),
            underlyingError: FailureReason(reason)
        )
    }

    package static func decodingFailed(reason: String, data: Data) -> TeapotError {
        decodingFailed(FailureReason(reason), data: data, response: nil)
    }

    static func decodingFailed(
        _ cause: any Error,
        data: Data,
        response: HTTPURLResponse?,
        secrets: SecretPolicy = .standard
    ) -> TeapotError {
        var error = TeapotError(
            type: .decodingFailed,
            description: LocalizedStrings.text("Teapot:DecodingFailed", [secrets.shown(line: cause.reason)]),
            responseStatus: response?.statusCode,
            underlyingError: cause
        )
        error.response = response
        error.data = data
        error.secrets = secrets
        return error
    }

    package static func fileError(_ file: URL, _ reason: String) -> TeapotError {
        let name = file.path.isEmpty ? "\"\(file.relativeString)\"" : file.path
        let reason = "\(name): \(reason)".onOneLine
        return TeapotError(
            type: .fileError,
            description: LocalizedStrings.text("Teapot:FileError", [reason]),
            underlyingError: FailureReason(reason)
        )
    }

    /// The reason is that of the operation that failed last on this thread.
    static func fileError(_ file: URL, errno code: Int32) -> TeapotError {
        fileError(file, String(cString: strerror(code)))
    }

    package static func cancelled() -> TeapotError {
        TeapotError(
            type: .cancelled,
            description: LocalizedStrings.text("Teapot:Cancelled"),
            underlyingError: URLError(.cancelled, userInfo: [NSLocalizedDescriptionKey: "the caller cancelled it"])
        )
    }

    package static func noResponse(_ cause: any Error) -> TeapotError {
        let isCertificateRefused = (cause as? URLError)?.code.isOfServerCertificate == true
        return TeapotError(
            type: .noResponse,
            description: LocalizedStrings.text(
                isCertificateRefused ? "Teapot:CertificateRefused" : "Teapot:NoResponse"
            ),
            underlyingError: cause
        )
    }

    package static func dataTaskError(
        _ cause: any Error,
        reason: String,
        response: HTTPURLResponse,
        data: Data
    ) -> TeapotError {
        TeapotError(
            type: .dataTaskError,
            description: LocalizedStrings.text("Teapot:DataTaskError", [reason]),
            responseStatus: response.statusCode,
            underlyingError: cause
        ).with(response, data)
    }

    /// The reason says why a redirect was not followed, where it was one.
    package static func invalidResponseStatus(
        _ response: HTTPURLResponse,
        data: Data,
        reason: FailureReason? = nil
    ) -> TeapotError {
        TeapotError(
            type: .invalidResponseStatus,
            description: LocalizedStrings.text("Teapot:InvalidResponseStatus", ["\(response.statusCode)"]),
            responseStatus: response.statusCode,
            underlyingError: reason
        ).with(response, data)
    }

    package static func responseTooLarge(limit: Int, response: HTTPURLResponse, data: Data) -> TeapotError {
        TeapotError(
            type: .responseTooLarge,
            description: LocalizedStrings.text("Teapot:ResponseTooLarge", ["\(limit)"]),
            responseStatus: response.statusCode,
            underlyingError: URLError(
                .dataLengthExceedsMaximum,
                userInfo: [NSLocalizedDescriptionKey: "the body has more than \(limit) bytes"]
            )
        ).with(response, data)
    }

    package static func missingImage(response: HTTPURLResponse, data: Data?) -> TeapotError {
        TeapotError(
            type: .missingImage,
            description: LocalizedStrings.text("Teapot:MissingImage"),
            responseStatus: response.statusCode
        ).with(response, data)
    }

    /// What kept a request from being sent: a ``TeapotError`` as it is, any other as the cause of one.
    static func preparationFailed(_ cause: any Error, _ secrets: SecretPolicy) -> TeapotError {
        cause as? TeapotError
            ?? TeapotError(
                type: .preparationFailed,
                description: LocalizedStrings.text("Teapot:PreparationFailed", [secrets.shown(line: cause.reason)]),
                underlyingError: cause
            )
    }

    /// The error with what decodes its body, and with what its texts do not show.
    func with(_ decoder: JSONDecoder, _ secrets: SecretPolicy) -> TeapotError {
        var copy = self
        copy.decoder = decoder
        copy.secrets = secrets
        return copy
    }

    /// The error of a call that made so many attempts.
    func after(_ attempts: Int) -> TeapotError {
        var copy = self
        copy.attempts = attempts
        return copy
    }

    /// The error with the response and as much of the body as came.
    func with(_ response: HTTPURLResponse, _ data: Data?) -> TeapotError {
        var copy = self
        copy.response = response
        copy.data = data
        return copy
    }
}
