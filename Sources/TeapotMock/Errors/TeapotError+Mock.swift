import Teapot

extension TeapotError {
    static func missingMockFile(_ file: String, reason: String) -> TeapotError {
        ofMockFile(.missingMockFile, key: "MockTeapot:MissingMockFile", file, reason: reason)
    }

    static func invalidMockFile(_ file: String, reason: String) -> TeapotError {
        ofMockFile(.invalidMockFile, key: "MockTeapot:InvalidMockFile", file, reason: reason)
    }

    /// The texts, also those of an app, say `%@.json`; a recording can have another ending.
    private static func ofMockFile(_ type: ErrorType, key: String, _ file: String, reason: String) -> TeapotError {
        let (cause, ending) = (FailureReason(reason), ".json")
        guard !file.hasSuffix(ending) else {
            return TeapotError(type, key, [String(file.dropLast(ending.count))], cause: cause)
        }
        let text = TeapotError(type, key, [file], cause: cause).description
        return TeapotError(type: type, description: text.replacing(file + ending, with: file), underlyingError: cause)
    }

    /// The error of a request that lacks expected header fields; `nil` if it has all: names are compared without regard to case
    /// (RFC 9110, section 5.1), values byte for byte, since `String` equates a letter with its decomposed form. A transport
    /// writes `Content-Length` itself, so it is the length of the body.
    static func incorrectHeaders(of request: RecordedRequest, expected: [String: String], secrets: SecretPolicy)
        -> TeapotError?
    {
        let expected = expected.sortedFields
        var differences: [String] = []
        for (name, value) in expected {
            let isLength = !request.body.isEmpty && name.isField("Content-Length")
            let received = isLength ? String(request.body.count) : request.headerFields[name]
            if let received, received.isSame(as: value) { continue }
            differences.append(name + (received == nil ? " is missing" : " has another value"))
        }
        guard !differences.isEmpty else { return nil }
        var fields: [(name: String, value: String)] = []
        for field in request.headerFields { fields.append(field) }
        return TeapotError(
            .incorrectHeaders,
            "MockTeapot:IncorrectHeaders",
            [fields.isEmpty ? "none" : secrets.redacted(fields), secrets.redacted(expected)],
            status: 400,
            cause: FailureReason(differences.joined(separator: "; "))
        )
    }

    /// In English, for the author of the test.
    static func unexpectedRequest(_ description: String, reason: String) -> TeapotError {
        TeapotError(type: .unexpectedRequest, description: description, underlyingError: FailureReason(reason))
    }
}
