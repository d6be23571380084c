public import Foundation

extension Teapot.Response: CustomStringConvertible {
    /// Status, URL with secrets redacted, and length; header fields and body are not shown.
    public var description: String {
        "\(http.shortDescription(secrets)), \(data.count) bytes"
    }
}

extension Teapot {
    /// A whole response with a status from 200 to 299.
    public struct Response: Sendable {
        /// The bytes of the body, decompressed; empty if there was none, or if it went to a file.
        public let data: Data
        /// The status and header fields as Foundation has them.
        public let http: HTTPURLResponse

        /// What decodes the body, if the caller brings nothing else.
        private let decoder: JSONDecoder?
        /// What the description does not show.
        fileprivate let secrets: SecretPolicy
        /// How many attempts were made to get it; for errors about it.
        let attempts: Int

        /// Makes a response, such as one of a ``RequestPerforming`` of your own.
        ///
        /// - Parameters:
        ///   - data: The bytes of the body.
        ///   - http: Status and header fields.
        ///   - decoder: What decodes the body, if the caller brings nothing else; a `JSONDecoder()` if `nil`.
        public init(data: Data, http: HTTPURLResponse, decoder: JSONDecoder? = nil) {
            self.init(data: data, http: http, decoder: decoder, secrets: .standard)
        }

        package init(
            data: Data,
            http: HTTPURLResponse,
            decoder: JSONDecoder?,
            secrets: SecretPolicy,
            attempts: Int = 0
        ) {
            self.attempts = attempts
            self.data = data
            self.http = http
            self.decoder = decoder
            self.secrets = secrets
        }

        /// The status code.
        public var status: Int { http.statusCode }

        /// The header fields, looked up without regard to case.
        public var headers: HeaderFields { HeaderFields(http, secrets) }

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
            do throws(TeapotError) {
                return try type.decoded(from: data, response: http, using: decoder, or: self.decoder, secrets)
            } catch {
                throw error.after(attempts)
            }
        }

        /// The response with what decodes its body, if that is given.
        func decoding(with decoder: JSONDecoder?) -> Response {
            guard let decoder else { return self }
            return Response(data: data, http: http, decoder: decoder, secrets: secrets, attempts: attempts)
        }

        /// What fails a call when an endpoint cannot read the response.
        func parsingError(_ error: any Error) -> TeapotError {
            let failure =
                error as? TeapotError ?? .decodingFailed(error, data: data, response: http, secrets: secrets)
            let whole = (failure.response == nil ? failure.with(http, data) : failure).after(attempts)
            return decoder.map { whole.with($0, secrets) } ?? whole
        }
    }
}

extension Decodable {
    /// Decodes a body with the caller's decoder, or else with that of the Teapot, which the error keeps.
    static func decoded(
        from data: Data,
        response: HTTPURLResponse?,
        using callers: JSONDecoder?,
        or own: JSONDecoder?,
        _ secrets: SecretPolicy
    ) throws(TeapotError) -> Self {
        do {
            return try (callers ?? own ?? JSONDecoder()).decode(Self.self, from: data)
        } catch {
            let cause: any Error = data.isEmpty ? FailureReason("the body is empty") : error
            let failure = TeapotError.decodingFailed(cause, data: data, response: response, secrets: secrets)
            throw own.map { failure.with($0, secrets) } ?? failure
        }
    }
}
