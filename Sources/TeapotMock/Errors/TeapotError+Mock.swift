internal import Teapot

extension TeapotError {
    static func missingMockFile(_ name: String, reason: String) -> TeapotError {
        TeapotError(
            type: .missingMockFile,
            description: LocalizedStrings.text("MockTeapot:MissingMockFile", [name]),
            underlyingError: FailureReason(reason)
        )
    }

    static func invalidMockFile(_ name: String, reason: String) -> TeapotError {
        TeapotError(
            type: .invalidMockFile,
            description: LocalizedStrings.text("MockTeapot:InvalidMockFile", [name]),
            underlyingError: FailureReason(reason)
        )
    }

    static func incorrectHeaders(_ mismatch: HeaderMismatch, secrets: SecretPolicy) -> TeapotError {
        let received = mismatch.received.map { ($0.name, $0.value) }
        let texts = [received, mismatch.expected.map { ($0.key, $0.value) }].map { headers in
            headers.isEmpty ? "none" : secrets.shown(headers)
        }
        return TeapotError(
            type: .incorrectHeaders,
            description: LocalizedStrings.text("MockTeapot:IncorrectHeaders", texts),
            responseStatus: 400,
            underlyingError: FailureReason(mismatch.differences.joined(separator: "; "))
        )
    }

    /// For whoever writes the test, and so in English.
    static func unexpectedRequest(_ description: String, reason: String) -> TeapotError {
        TeapotError(type: .unexpectedRequest, description: description, underlyingError: FailureReason(reason))
    }
}
