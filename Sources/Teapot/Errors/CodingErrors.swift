import TeapotFoundation

extension DecodingError {
    /// The expected and the actual type, and the place: `$.users[2].age: Expected to decode Int but found a string instead`
    var reason: String {
        switch self {
        case .keyNotFound(let key, let context):
            "\(context.codingPath.place): the key \(key.stringValue.isEmpty ? "\"\"" : key.stringValue) is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            "\(context.codingPath.place): \(context.debugDescription.withoutPeriod)"
        case .dataCorrupted(let context):
            "\(context.codingPath.place): \(context.debugDescription.withoutValue.withoutPeriod)"
        @unknown default: "\(self)"
        }
    }

    /// The error, which names the body if that is not JSON at all: `text/html, 1432 bytes, "<title>Log in"`.
    ///
    /// Its first words are shown if it is markup or prose, secrets redacted: other text may be a secret as a whole.
    func naming(_ body: Data, _ response: ResponseHead?, _ secrets: SecretPolicy) -> DecodingError {
        guard case .dataCorrupted(let context) = self, context.codingPath.isEmpty, JSONScanner.value(of: body) == nil
        else { return self }
        var parts = ["\(body.count) bytes"]
        if let type = response?.field("Content-Type") { parts.insert(MediaType(type).name, at: 0) }
        if let text = secrets.beginning(of: body.prefix(SecretPolicy.maximumBodySize).text, 80),
            text.hasPrefix("<") || text.isProse
        {
            parts.append("\"\(text)\"")
        }
        let reason = "not valid JSON: \(parts.joined(separator: ", "))"
        return .dataCorrupted(.init(codingPath: [], debugDescription: reason, underlyingError: self))
    }
}

extension Error {
    /// The error of decoding, which also says what to do.
    func advising(_ advice: String) -> any Error {
        func context(_ context: DecodingError.Context) -> DecodingError.Context {
            let text = "\(context.debugDescription.withoutPeriod); \(advice)"
            return .init(codingPath: context.codingPath, debugDescription: text, underlyingError: self)
        }
        return switch self as? DecodingError {
        case .dataCorrupted(let found): DecodingError.dataCorrupted(context(found))
        case .typeMismatch(let type, let found): DecodingError.typeMismatch(type, context(found))
        case .valueNotFound(let type, let found): DecodingError.valueNotFound(type, context(found))
        default: self is FailureReason ? FailureReason("\(reason); \(advice)") : self
        }
    }
}

extension EncodingError {
    /// The value that cannot be encoded, and its place.
    var reason: String {
        switch self {
        case .invalidValue(_, let context): "\(context.codingPath.place): \(context.debugDescription.withoutPeriod)"
        @unknown default: "\(self)"
        }
    }
}

extension [any CodingKey] {
    /// The path in the form of Teapot's other errors, where `$` is the whole value: `$.users[2].age`.
    fileprivate var place: String {
        reduce("$") { path, key in path + (key.intValue.map { "[\($0)]" } ?? key.stringValue.asPlace) }
    }
}

extension String {
    /// A key as a step of the path to a JSON value: `.name`, and `[""]` for the empty key.
    var asPlace: String { isEmpty ? "[\"\"]" : ".\(self)" }

    /// The text without the value that Foundation quotes at its end, which may be a secret: `… from invalid String value x`.
    fileprivate var withoutValue: String {
        range(of: " value ").map { String(self[..<$0.lowerBound]) + " value" } ?? self
    }

    /// The text as part of a sentence.
    fileprivate var withoutPeriod: String { hasSuffix(".") ? String(dropLast()) : self }
}
