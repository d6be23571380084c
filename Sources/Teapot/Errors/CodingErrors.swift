import TeapotFoundation

extension DecodingError {
    /// The error, which names a body that is not JSON at all: `text/html, 1432 bytes, "<title>Log in"`. Only
    /// markup and prose are shown, and only their first words, secrets redacted: other text may be a secret as a whole.
    func naming(_ body: Data, _ response: ResponseHead?, _ secrets: SecretPolicy) -> DecodingError {
        guard case .dataCorrupted(let context) = self, context.codingPath.isEmpty, JSONScanner.value(of: body) == nil
        else { return self }
        var reason = "not valid JSON: "
        if let type = response?.field("Content-Type") { reason += MediaType(type).name + ", " }
        reason += "\(body.count) bytes"
        let text = secrets.beginning(of: body.prefix(SecretPolicy.maximumBodySize).text, 80)
        if let text, text.hasPrefix("<") || text.isProse { reason += ", \"" + text + "\"" }
        return .dataCorrupted(.init(codingPath: [], debugDescription: reason, underlyingError: self))
    }
}

extension Error {
    /// The cause in words for developers. It begins with the place of a value that cannot be decoded or encoded:
    /// `$.users[2].age: Expected to decode Int but found a string instead`
    package var reason: String {
        switch self as? DecodingError {
        case .keyNotFound(let key, let context):
            let name = key.stringValue.isEmpty ? "\"\"" : key.stringValue
            return context.codingPath.place + ": the key " + name + " is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return context.codingPath.place + ": " + context.debugDescription.withoutPeriod
        case .dataCorrupted(let context):
            return context.codingPath.place + ": " + context.debugDescription.withoutValue.withoutPeriod
        case nil: break
        @unknown default: return "\(self)"
        }
        guard case .invalidValue(_, let context) = self as? EncodingError else { return localizedDescription }
        return context.codingPath.place + ": " + context.debugDescription.withoutPeriod
    }

    /// The error of decoding a type. If the type is one of a body that is not decoded, the error also says how to get the body.
    func advisingBodyItself(insteadOf type: Any.Type) -> any Error {
        let isBody = type == Data.self || type == Data?.self || type == [UInt8].self
        guard isBody || type == String.self || type == String?.self else { return self }
        let advice =
            "; for the body as it is, send without a type: response.data has its bytes, and response.text its text"
        func context(_ context: DecodingError.Context) -> DecodingError.Context {
            let text = context.debugDescription.withoutPeriod + advice
            return .init(codingPath: context.codingPath, debugDescription: text, underlyingError: self)
        }
        return switch self as? DecodingError {
        case .dataCorrupted(let found): DecodingError.dataCorrupted(context(found))
        case .typeMismatch(let type, let found): DecodingError.typeMismatch(type, context(found))
        case .valueNotFound(let type, let found): DecodingError.valueNotFound(type, context(found))
        default: self is FailureReason ? FailureReason(reason + advice) : self
        }
    }
}

extension [any CodingKey] {
    /// The path in the form of Teapot's other errors, where `$` is the whole value: `$.users[2].age`.
    fileprivate var place: String {
        var place = "$"
        for key in self {
            if let index = key.intValue { place += "[\(index)]" } else { place += key.stringValue.asPlace }
        }
        return place
    }
}

extension String {
    /// A key as a step of the path to a JSON value: `.name`, and `[""]` for the empty key.
    var asPlace: String { isEmpty ? "[\"\"]" : "." + self }

    /// The text without the value that Foundation quotes at its end, which may be a secret: `… from invalid String value x`.
    fileprivate var withoutValue: String {
        guard let value = range(of: " value ") else { return self }
        return String(self[..<value.lowerBound]) + " value"
    }

    fileprivate var withoutPeriod: String { hasSuffix(".") ? String(dropLast()) : self }
}
