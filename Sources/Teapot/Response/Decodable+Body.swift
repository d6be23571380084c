import Foundation

extension Decodable {
    /// Decodes a body with the caller's decoder, or else with the call's. All bodies are decoded here.
    static func decoded(
        from data: Data,
        response: ResponseHead?,
        using decoder: JSONDecoder?,
        _ details: CallDetails
    ) throws(TeapotError) -> Self {
        if Self.self == EmptyResponse.self, let empty = EmptyResponse() as? Self { return empty }
        let decoder = decoder ?? details.decoder ?? JSONDecoder()
        do {
            return try data.parsedAsJSON(of: response) { json in
                do { return try decoder.decode(Self.self, from: json) } catch let error as DecodingError {
                    throw error.naming(json, response, details.secrets)
                }
            }
        } catch {
            if Self.self is any ExpressibleByNilLiteral.Type, data.allSatisfy(Self.blanks.contains),
                let none = try? decoder.decode(Self.self, from: Data("null".utf8))
            {
                return none
            }
            if ignoresBody, let empty = EmptyResponse() as? Self { return empty }
            let cause: any Error = data.isEmpty ? FailureReason("the body is empty") : error
            throw .decodingFailed(cause, data: data, response: response, details: details)
        }
    }

    /// Whether any body is a value, and an `Accept` header field of no use.
    static var ignoresBody: Bool { Self.self == EmptyResponse.self || Self.self == EmptyResponse?.self }

    /// RFC 8259, section 2.
    private static var blanks: ByteSet { ByteSet(" \t\r\n") }

    /// Decodes a body that belongs to no call.
    package static func decoded(from data: Data, using decoder: JSONDecoder?) throws(TeapotError) -> Self {
        try decoded(from: data, response: nil, using: decoder, .none)
    }
}
