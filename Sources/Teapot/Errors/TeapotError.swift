public import TeapotFoundation

/// The error of a request, from an invalid path to an error status.
///
/// ``description`` and `localizedDescription` are a sentence for users, in their language (see
/// ``Teapot/Teapot/localizationBundle``). ``debugDescription`` is for developers: it names the failed request and the cause;
/// `print(error)`, `"\(error)"` and the log show it. Neither shows a secret.
public struct TeapotError: LocalizedError, CustomDebugStringConvertible, CustomReflectable, Equatable, Sendable {
    /// The kind of error. A later version may add cases: a `switch` needs `@unknown default`, or the compiler warns.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive(warn)
    #endif
    public enum ErrorType: Hashable, Sendable {
        /// The response ended early.
        case dataTaskError
        /// The body cannot be encoded or sent, or the method is not valid.
        case invalidPayload
        /// The path is invalid, or leads above the base URL or to another origin; or the base URL is invalid.
        case invalidRequestPath
        /// The status is not from 200 to 299.
        case invalidResponseStatus
        /// The body is not an image.
        case missingImage
        /// The mock's bundle has no such file.
        case missingMockFile
        /// The mock's file is neither a JSON object nor an array, nor an image.
        case invalidMockFile
        /// The request lacks header fields that the mock expects.
        case incorrectHeaders
        /// The mock has no answer: it is strict and no declaration matches, or a sequence of responses is at its end.
        case unexpectedRequest
        /// No response arrived: no connection, a timeout, a refused certificate, a body whose sequence failed.
        case noResponse
        /// A header field is not valid in HTTP, or is reserved for the transport.
        case invalidHeaderField
        /// The body does not match the type it is decoded as, or code of your own refused the response.
        case decodingFailed
        /// The call was cancelled, or code of your own ended it by an error that says so.
        case cancelled
        /// The response exceeds ``Teapot/Teapot/maximumResponseSize``.
        case responseTooLarge
        /// A file could not be read or written.
        case fileError
        /// A plugin rejected the request, there is no credential for it, or `sendAndWait` would block a thread of a transport.
        case preparationFailed
    }

    /// The kind of error.
    public let type: ErrorType
    /// A sentence for users, in their current language.
    public var description: String { contents.sentence.description }
    /// The status of the response, if there was one.
    public let responseStatus: Int?
    /// The cause of the error: a `URLError` for network failures, a `DecodingError` or `EncodingError`, the error of your own
    /// code, or a reason in words. Secrets in an error of your own are not redacted.
    public let underlyingError: (any Error)?
    /// The code of the `URLError` that is the cause, such as `.timedOut` or `.notConnectedToInternet`, over every transport of Teapot;
    /// `.cancelled` after a cancellation by the caller, and `nil` for any other cause.
    public var code: URLError.Code? { (underlyingError as? URLError)?.code }
    /// The response, if one arrived.
    public var response: HTTPURLResponse? { head?.http }
    /// The header fields of the response, if one arrived, looked up without regard to case.
    public var headerFields: Teapot.HeaderFields? { head.map { Teapot.HeaderFields($0, details.secrets) } }
    /// The bytes of the body received so far; `nil` if there was no response.
    public var data: Data? { contents.data }
    /// The number of attempts of the call, without redirects and refreshed credentials; 0 if nothing was sent.
    public var attempts: Int { details.attempts }
    /// The duration of the call, and measurements of its last exchange.
    public var timings: Teapot.Timings { details.timings }

    var head: ResponseHead? { contents.head }
    var details: CallDetails { contents.details }
    private var contents: Contents

    /// The other properties, in a class, because each level of the stack holds a thrown error.
    private final class Contents: Sendable {
        let sentence: Sentence
        let head: ResponseHead?
        let data: Data?
        let details: CallDetails

        init(_ sentence: Sentence, _ head: ResponseHead?, _ data: Data?, _ details: CallDetails) {
            self.sentence = sentence
            self.head = head
            self.data = data
            self.details = details
        }
    }

    private enum Sentence: Equatable, Sendable {
        case given(String), localized(key: String, special: String?, [String])

        var description: String {
            switch self {
            case .given(let text): text
            case .localized(let key, let special, let arguments):
                LocalizedStrings.text(key, special: special, arguments)
            }
        }
    }

    /// Makes an error from its properties, for example in a transport or a client of your own.
    public init(type: ErrorType, description: String, responseStatus: Int? = nil, underlyingError: (any Error)? = nil) {
        self.type = type
        self.responseStatus = responseStatus
        self.underlyingError = underlyingError
        contents = Contents(.given(description), nil, nil, .none)
    }

    /// Makes an error whose sentence is looked up by its key when needed, or by the special one of its cause. The arguments are
    /// shown in the sentence, and have their secrets redacted already. With a cause that says so, the error is `cancelled`.
    package init(
        _ type: ErrorType,
        _ key: String,
        special: String? = nil,
        _ arguments: [String] = [],
        status: Int? = nil,
        response: ResponseHead? = nil,
        data: Data? = nil,
        cause: (any Error)? = nil
    ) {
        let cause = (cause as? BodyError)?.cause ?? cause
        let isCancelled = cause?.isCancellation == true
        self.type = isCancelled ? .cancelled : type
        responseStatus = status ?? response?.status
        underlyingError = cause
        let cancelled = Sentence.localized(key: "Teapot:Cancelled", special: nil, [])
        let sentence = isCancelled ? cancelled : .localized(key: key, special: special, arguments)
        contents = Contents(sentence, response, data, .none)
    }

    private init(_ error: TeapotError, _ contents: Contents) {
        self = error
        self.contents = contents
    }

    /// The error with the details of its call, and of the credential's refresh, if that failed.
    func with(_ details: CallDetails, refresh: CallDetails? = nil) -> TeapotError {
        let details = (refresh ?? self.details.refresh).map { details.with(refresh: $0) } ?? details
        return TeapotError(self, Contents(contents.sentence, head, data, details))
    }

    /// The error with its own response or, without one, with this one.
    func with(_ response: ResponseHead?, _ data: Data?) -> TeapotError {
        guard let response, head == nil else { return self }
        return TeapotError(self, Contents(contents.sentence, response, data, details))
    }

    /// Makes an error, with the initializer's name in the iOS original.
    @available(*, deprecated, renamed: "init(type:description:responseStatus:underlyingError:)")
    public init(
        withType type: ErrorType,
        description: String,
        responseStatus: Int? = nil,
        underlyingError: (any Error)? = nil
    ) {
        let cause = underlyingError
        self.init(type: type, description: description, responseStatus: responseStatus, underlyingError: cause)
    }

    /// The body as JSON; `nil` if it is missing, or is not a JSON object or an array of objects.
    public var json: JSON? { data.flatMap { JSON($0, of: head) } }
    /// The body as text: see ``Teapot/Teapot/Response/text``; `nil` if it is missing, or has no text in its charset.
    public var text: String? { wholeResponse?.text }

    var wholeResponse: Teapot.Response? {
        guard let data, let head else { return nil }
        return Teapot.Response(data: data, head: head, details: details)
    }

    /// Decodes the body, such as that of an `invalidResponseStatus`, as the API's own type of error: see
    /// ``Teapot/Teapot/Response/decode(_:using:)``. It throws `decodingFailed` if there is no response, too.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self,
        using decoder: JSONDecoder? = nil
    ) throws(TeapotError) -> Value {
        guard let data else {
            throw .decodingFailed(FailureReason("there is no body"), data: Data(), response: head, details: details)
        }
        return try type.decoded(from: data, response: head, using: decoder, details)
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }

    /// The cause of the error, if known: in English, or in the words of the server: title and detail of its ``problem``, or the first
    /// 200 characters of a text or of JSON. Secrets are redacted. It is made at each call.
    public var failureReason: String? {
        underlyingError.map { details.secrets.redacted(line: $0.reason) } ?? serverReason
    }

    /// The method and URL of the call's last request, secrets redacted: `GET https://example.com/a`; `nil` without one.
    public var requestLine: String? { details.request.map { $0.method + " " + details.secrets.redacted($0.url) } }
    /// The request and the failure, in one line for developers: `GET /api/issues/5: 404 Not Found (attempt 2 of 3)`.
    public var debugDescription: String { (details.target.map { "\($0): " } ?? "") + summary }

    /// Type, status and ``debugDescription``, for `dump`: the response may contain secrets.
    public var customMirror: Mirror {
        let status = responseStatus as Any
        return Mirror(self, shown: ["type": type, "responseStatus": status, "debugDescription": debugDescription])
    }

    var summary: String {
        var text = ""
        if let refresh = details.refresh {
            text += "while refreshing the credential" + (refresh.target.map { " (" + $0 + ")" } ?? "") + ": "
        }
        if type == .invalidResponseStatus, let status = responseStatus {
            text += "\(status) " + HTTPURLResponse.localizedString(forStatusCode: status).capitalized
        } else {
            text += "\(type): " + description
        }
        if let failureReason, !text.contains(failureReason) { text += " (" + failureReason + ")" }
        if details.isSentOnce { text += " (not sent again: its body is an AsyncSequence)" }
        if attempts > 1 { text += " (attempt \(attempts) of \(max(attempts, details.maximumAttempts)))" }
        return text
    }

    /// Whether type, description and status are equal. Causes and bodies are not compared.
    public static func == (lhs: TeapotError, rhs: TeapotError) -> Bool {
        lhs.type == rhs.type && lhs.responseStatus == rhs.responseStatus
            && (lhs.contents.sentence == rhs.contents.sentence || lhs.description == rhs.description)
    }
}
