internal import Teapot

extension TeapotError {
    static func missingMockFile(_ name: String, reason: String) -> TeapotError {
        TeapotError(.missingMockFile, "MockTeapot:MissingMockFile", [name], cause: FailureReason(reason))
    }

    static func invalidMockFile(_ name: String, reason: String) -> TeapotError {
        TeapotError(.invalidMockFile, "MockTeapot:InvalidMockFile", [name], cause: FailureReason(reason))
    }

    static func incorrectHeaders(_ mismatch: HeaderMismatch, secrets: SecretPolicy) -> TeapotError {
        let received = mismatch.received.map { ($0.name, $0.value) }
        let texts = [received, mismatch.expected.map { ($0.key, $0.value) }].map { headers in
            headers.isEmpty ? "none" : secrets.shown(headers)
        }
        return TeapotError(
            .incorrectHeaders,
            "MockTeapot:IncorrectHeaders",
            texts,
            status: 400,
            cause: FailureReason(mismatch.differences.joined(separator: "; "))
        )
    }

    /// For whoever writes the test, and so in English.
    static func unexpectedRequest(_ description: String, reason: String) -> TeapotError {
        TeapotError(type: .unexpectedRequest, description: description, underlyingError: FailureReason(reason))
    }
}
