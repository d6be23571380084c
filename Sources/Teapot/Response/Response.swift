public import TeapotFoundation

extension Teapot.Response: CustomStringConvertible {
    /// Status, URL with secrets redacted, and length; header fields and body are not shown.
    public var description: String {
        "\(http.shortDescription(details.secrets)), \(data.count) bytes"
    }
}

extension Teapot {
    /// A whole response with a status from 200 to 299.
    public struct Response: Sendable {
        /// The bytes of the body, decompressed; empty if there was none, or if it went to a file.
        public let data: Data
        /// The status and header fields as Foundation has them.
        public let http: HTTPURLResponse

        /// What the response knows of its call.
        let details: CallDetails

        /// Makes a response of its properties, such as one of a ``RequestPerforming`` of your own. Without a decoder, a `JSONDecoder()`
        /// decodes the body.
        public init(data: Data, http: HTTPURLResponse, decoder: JSONDecoder? = nil) {
            self.init(data: data, http: http, details: CallDetails(decoder: decoder))
        }

        package init(data: Data, http: HTTPURLResponse, details: CallDetails) {
            self.data = data
            self.http = http
            self.details = details
        }

        /// The status code.
        public var status: Int { http.statusCode }

        /// The header fields, looked up without regard to case.
        public var headers: HeaderFields { HeaderFields(http, details.secrets) }

        /// How long the call took, and what is known of its last exchange.
        public var timings: Timings { details.timings }

        /// Whether the body came out of the memory of a `CachingTransport`: without a request, or after the server said that it
        /// still holds (304).
        public var isFromCache: Bool { timings.isFromCache }

        /// The body as JSON; `nil` when it is not a JSON object or an array of objects. It is parsed at each call.
        public var json: JSON? { try? JSON(data: data) }

        /// Decodes the body, which is JSON.
        ///
        /// - Parameters:
        ///   - type: What the body is.
        ///   - decoder: Decodes it; that of the ``Teapot/Teapot`` if `nil`.
        /// - Returns: The value.
        /// - Throws: `decodingFailed`, which says what was expected where, and keeps the response and the body.
        public func decode<Value: Decodable>(
            _ type: Value.Type = Value.self,
            using decoder: JSONDecoder? = nil
        ) throws(TeapotError) -> Value {
            try type.decoded(from: data, response: http, using: decoder, details)
        }

        /// The response with what decodes its body, if that is given.
        func decoding(with decoder: JSONDecoder?) -> Response {
            decoder.map { Response(data: data, http: http, details: details.with(decoder: $0)) } ?? self
        }

        /// What fails a call when an endpoint cannot read the response.
        func parsingError(_ error: any Error) -> TeapotError {
            guard let failure = error as? TeapotError else {
                return .decodingFailed(error, data: data, response: http, details: details)
            }
            return (failure.response == nil ? failure.with(http, data) : failure).with(details)
        }
    }
}

/// What a response and an error know of the call that they are of. A class, as an error that is thrown lies on the stack at each
/// level.
package final class CallDetails: Sendable {
    /// What decodes the body, if the caller brings nothing else; a `JSONDecoder()` if `nil`.
    let decoder: JSONDecoder?
    /// What texts do not show.
    package let secrets: SecretPolicy
    /// How many attempts were made.
    let attempts: Int
    /// How many attempts the retry policy allows; 1 without one.
    let maximumAttempts: Int
    let timings: Teapot.Timings
    /// Method and URL of the last request, or of the one that was to be sent; `nil` if there was none. The body is let go.
    let request: (method: String, url: URL)?
    /// Of the refresh of a credential, if that is what failed.
    let refresh: CallDetails?

    /// Of no call.
    static let none = CallDetails()

    package init(
        decoder: JSONDecoder? = nil,
        secrets: SecretPolicy = .standard,
        attempts: Int = 0,
        maximumAttempts: Int = 1,
        timings: Teapot.Timings = Teapot.Timings(),
        request: (method: String, url: URL)? = nil,
        refresh: CallDetails? = nil
    ) {
        (self.decoder, self.secrets, self.timings) = (decoder, secrets, timings)
        (self.attempts, self.maximumAttempts) = (attempts, maximumAttempts)
        (self.request, self.refresh) = (request, refresh)
    }

    func with(decoder: JSONDecoder? = nil, refresh: CallDetails? = nil) -> CallDetails {
        CallDetails(
            decoder: decoder ?? self.decoder,
            secrets: secrets,
            attempts: attempts,
            maximumAttempts: maximumAttempts,
            timings: timings,
            request: request,
            refresh: refresh ?? self.refresh
        )
    }
}

extension CallDetails: CustomReflectable {
    /// `dump` shows no URL.
    package var customMirror: Mirror { Mirror(self, children: ["attempts": attempts]) }
}

extension Decodable {
    /// Decodes a body with the caller's decoder, or else with that of the call.
    static func decoded(
        from data: Data,
        response: HTTPURLResponse?,
        using decoder: JSONDecoder?,
        _ details: CallDetails
    ) throws(TeapotError) -> Self {
        do {
            return try (decoder ?? details.decoder ?? JSONDecoder()).decode(Self.self, from: data)
        } catch {
            let cause: any Error = data.isEmpty ? FailureReason("the body is empty") : error
            throw .decodingFailed(cause, data: data, response: response, details: details)
        }
    }
}

extension HTTPURLResponse {
    /// The status code; the same as `statusCode`.
    public var status: Int { statusCode }

    /// Whether the status is one from 200 to 299.
    var isSuccess: Bool { (200...299).contains(statusCode) }

    /// Status and URL, secrets redacted.
    func shortDescription(_ secrets: SecretPolicy = .standard) -> String {
        "\(statusCode) \(url.map(secrets.redacted) ?? "")"
    }

    /// What stands for the response in a result when none came: status 400, no header fields, the URL of the request. That
    /// of a base URL goes without its user information, which is no part of a request's URL.
    package static func standIn(for requestURL: URL) -> HTTPURLResponse {
        let url = requestURL.withoutUserInformation
        let response = HTTPURLResponse(url: url, statusCode: 400, httpVersion: "HTTP/1.1", headerFields: [:])
        // The initializer is declared failable, but has no path that fails, which a test holds for every kind of URL. There is no
        // other way to make a response with a status.
        return response ?? standIn(for: URL(filePath: "/"))
    }
}
