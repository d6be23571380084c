import Foundation

extension Decodable {
    /// Decodes a body with the caller's decoder, or else with the call's. All bodies are decoded here.
    static func decoded(from data: Data, response: ResponseHead?, using decoder: JSONDecoder?, _ details: CallDetails)
        throws(TeapotError) -> Self
    {
        let decoder = decoder ?? details.decoder ?? JSONDecoder()
        do {
            if Self.self == EmptyResponse.self { throw FailureReason("an EmptyResponse ignores the body") }
            return try data.parsedAsJSON(of: response) { json in
                do { return try decoder.decode(Self.self, from: json) } catch let error as DecodingError {
                    throw error.naming(json, response, details.secrets)
                }
            }
        } catch { return try valueWithoutBody(data, response, decoder, details, after: error) }
    }

    /// The value of a body that does not decode, for types that need none.
    // Inlined into the function above, it would look up the type of `Self?` at each call.
    @inline(never) private static func valueWithoutBody(
        _ data: Data,
        _ response: ResponseHead?,
        _ decoder: JSONDecoder,
        _ details: CallDetails,
        after error: any Error
    ) throws(TeapotError) -> Self {
        if Self.self is any ExpressibleByNilLiteral.Type, data.allSatisfy(ByteSet.blanks.contains),
            let none = try? decoder.decode(Self.self, from: Data("null".utf8))
        {
            return none
        }
        if ignoresBody, let empty = EmptyResponse() as? Self { return empty }
        var cause: any Error = data.isEmpty ? FailureReason("the body is empty") : error
        if response != nil { cause = cause.advisingBodyItself(insteadOf: Self.self) }
        throw .decodingFailed(cause, data: data, response: response, details: details)
    }

    /// Whether any body is a value, so that an `Accept` header field is of no use.
    static var ignoresBody: Bool { Self.self == EmptyResponse.self || Self.self == EmptyResponse?.self }

    /// Decodes a body that belongs to no call.
    package static func decoded(from data: Data, using decoder: JSONDecoder?) throws(TeapotError) -> Self {
        try decoded(from: data, response: nil, using: decoder, .none)
    }
}
