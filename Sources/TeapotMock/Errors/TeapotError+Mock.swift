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
            headers.isEmpty ? "none" : secrets.redacted(headers)
        }
        return TeapotError(
            .incorrectHeaders,
            "MockTeapot:IncorrectHeaders",
            texts,
            status: 400,
            cause: FailureReason(mismatch.differences.joined(separator: "; "))
        )
    }

    /// In English, for the author of the test.
    static func unexpectedRequest(_ description: String, reason: String) -> TeapotError {
        TeapotError(type: .unexpectedRequest, description: description, underlyingError: FailureReason(reason))
    }
}

/// The expected header fields that a request lacks.
struct HeaderMismatch: Sendable {
    let received: HeaderFields
    let expected: [String: String]
    /// The differing fields, without their values.
    let differences: [String]

    /// `nil` if all expected fields were received: names are compared without regard to case (RFC 9110, section 5.1), values
    /// byte for byte, since `String` equates a letter with its decomposed form. `Content-Length` is the length of the body in
    /// bytes, which a transport writes itself.
    init?(received: HeaderFields, expected: [String: String], bodyLength: Int = 0) {
        differences = expected.sorted { $0.key < $1.key }.compactMap { name, value in
            let isLength = bodyLength > 0 && name.lowercased() == "content-length"
            return switch isLength ? "\(bodyLength)" : received[name] {
            case nil: "\(name) is missing"
            case let received? where received.utf8.elementsEqual(value.utf8): nil
            default: "\(name) has another value"
            }
        }
        guard !differences.isEmpty else { return nil }
        self.received = received
        self.expected = expected
    }
}
