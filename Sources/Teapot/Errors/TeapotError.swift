public import TeapotFoundation

/// What went wrong with a request, from a path that is no path to a status that is no success.
///
/// ``description``, and `localizedDescription`, is a sentence for people, in the user's language (see
/// ``Teapot/Teapot/localizationBundle``). ``debugDescription`` is for developers: it says which request failed and why, and it is
/// what `print(error)`, `"\(error)"` and the log show. Neither shows a secret.
public struct TeapotError: LocalizedError, CustomDebugStringConvertible, Sendable {
    /// The kind of error, for a `switch`.
    public enum ErrorType: Hashable, Sendable {
        /// The response broke off half-way.
        case dataTaskError
        /// The body is not JSON, or belongs to a method that has none.
        case invalidPayload
        /// The path leads above the base URL or to another origin, or is no path; or the base URL is none.
        case invalidRequestPath
        /// The status was not one from 200 to 299.
        case invalidResponseStatus
        /// The body is not an image.
        case missingImage
        /// The mock's bundle has no such file.
        case missingMockFile
        /// The mock's file is neither a JSON object nor an array, nor an image.
        case invalidMockFile
        /// The mock expected header fields that the request did not carry.
        case incorrectHeaders
        /// The mock has no answer for the request: a strict one, to which nothing that is declared matches, or a sequence of
        /// responses that is at its end.
        case unexpectedRequest
        /// No response came: no connection, a timeout, a refused certificate.
        case noResponse
        /// A header field that HTTP does not allow, or that is the transport's own.
        case invalidHeaderField
        /// The body is not what it was to be decoded as.
        case decodingFailed
        /// The exchange was cancelled.
        case cancelled
        /// The response grew past ``Teapot/Teapot/maximumResponseSize``.
        case responseTooLarge
        /// A file could not be read or written.
        case fileError
        /// A plugin did not let the request pass, or there is no credential for it.
        case preparationFailed
    }

    /// The kind of error.
    public let type: ErrorType
    /// A sentence for people, in the language that the user has when it is asked for.
    public var description: String { text.description }
    /// The status of the response, where there was one.
    public let responseStatus: Int?
    /// What caused the error: a `URLError` where the network did, else a reason in words.
    public let underlyingError: (any Error)?
    /// The response, where the exchange got that far.
    public package(set) var response: HTTPURLResponse?
    /// The bytes of the body, as far as they came; `nil` where there was no response.
    public package(set) var data: Data?
    /// How many attempts were made, as a ``RetryPolicy`` counts them; 0 if nothing was sent.
    public var attempts: Int { details.attempts }

    /// How long the call took, and what is known of its last exchange.
    public var timings: Teapot.Timings { details.timings }

    /// What the error knows of its call.
    var details = CallDetails.none
    private let text: Text

    /// A sentence for people.
    private enum Text: Hashable, Sendable, CustomStringConvertible {
        case given(String)
        case localized(key: String, [String])

        var description: String {
            switch self {
            case .given(let text): text
            case .localized(let key, let arguments): LocalizedStrings.text(key, arguments)
            }
        }
    }

    /// Makes an error of its properties, such as one of a transport or a client of your own.
    public init(
        type: ErrorType,
        description: String,
        responseStatus: Int? = nil,
        underlyingError: (any Error)? = nil
    ) {
        self.type = type
        text = .given(description)
        self.responseStatus = responseStatus
        self.underlyingError = underlyingError
    }

    /// Makes an error whose sentence is looked up by its key when it is asked for. The arguments, which the sentence shows, have
    /// their secrets redacted already.
    package init(
        _ type: ErrorType,
        _ key: String,
        _ arguments: [String] = [],
        status: Int? = nil,
        response: HTTPURLResponse? = nil,
        data: Data? = nil,
        cause: (any Error)? = nil
    ) {
        self.type = type
        text = .localized(key: key, arguments)
        responseStatus = status ?? response?.statusCode
        underlyingError = cause
        self.response = response
        self.data = data
    }

    /// Makes an error, under the name that the initializer has in the iOS original.
    @available(*, deprecated, renamed: "init(type:description:responseStatus:underlyingError:)")
    public init(
        withType type: ErrorType,
        description: String,
        responseStatus: Int? = nil,
        underlyingError: (any Error)? = nil
    ) {
        self.init(
            type: type,
            description: description,
            responseStatus: responseStatus,
            underlyingError: underlyingError
        )
    }

    /// The body as JSON; `nil` when there is none, or when it is not a JSON object or an array of objects.
    public var json: JSON? { data.flatMap { try? JSON(data: $0) } }

    /// Decodes the body, such as that of an `invalidResponseStatus`, as the API's own type of error.
    ///
    /// - Parameters:
    ///   - type: What the body is.
    ///   - decoder: Decodes it; that of the ``Teapot/Teapot`` if `nil`.
    /// - Returns: The value.
    /// - Throws: `decodingFailed` when there is no body, or when it is something else.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self,
        using decoder: JSONDecoder? = nil
    ) throws(TeapotError) -> Value {
        try type.decoded(from: data ?? Data(), response: response, using: decoder, details)
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }

    /// What was wrong with what, where that is known: in English, or in the words of the API's ``problem``.
    public var failureReason: String? {
        (underlyingError?.reason ?? problem?.description).map { details.secrets.redacted(line: $0) }
    }

}

extension TeapotError: Equatable {
    /// Whether type, description and status are the same. Causes and bodies are not compared.
    public static func == (lhs: TeapotError, rhs: TeapotError) -> Bool {
        lhs.type == rhs.type && lhs.responseStatus == rhs.responseStatus
            && (lhs.text == rhs.text || lhs.description == rhs.description)
    }
}
