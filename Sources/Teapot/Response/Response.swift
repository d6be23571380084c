public import TeapotFoundation

extension Teapot.Response: CustomStringConvertible {
    /// The status, URL with secrets redacted, and length; header fields and body are not shown.
    public var description: String { "\(head.shortDescription(details.secrets)), \(data.count) bytes" }
}

extension Teapot {
    /// A complete response with a status from 200 to 299, or another one that the request accepts: see
    /// ``Request/acceptedStatuses``.
    public struct Response: Sendable {
        /// The bytes of the body, decompressed; empty if there is none, or if it was written to a file.
        public let data: Data
        /// The status and header fields as Foundation's type.
        public var http: HTTPURLResponse { head.http }

        let head: ResponseHead
        /// The details of the call.
        let details: CallDetails

        /// Makes a response from its properties, for example in a ``RequestPerforming`` of your own. Without a decoder, a
        /// `JSONDecoder()` decodes the body.
        public init(data: Data, http: HTTPURLResponse, decoder: JSONDecoder? = nil) {
            self.init(data: data, head: .foundation(http), details: CallDetails(decoder: decoder))
        }

        init(data: Data, head: ResponseHead, details: CallDetails) {
            self.data = data
            self.head = head
            self.details = details
        }

        /// The status code.
        public var status: Int { head.status }

        /// The header fields, looked up without regard to case.
        public var headerFields: Teapot.HeaderFields { Teapot.HeaderFields(head, details.secrets) }

        /// The duration of the call, and measurements of its last exchange.
        public var timings: Timings { details.timings }

        /// Whether the body came from the cache of a `CachingTransport`: without a request, or after the server confirmed it
        /// with a 304.
        public var isFromCache: Bool { timings.isFromCache }

        /// The body as JSON, in UTF-8 or in the charset of the response; `nil` if it is not a JSON object or an array of objects. It
        /// is parsed at each call.
        public var json: JSON? { JSON(data, of: head) }

        /// Decodes the body as JSON, in UTF-8 or in the charset of the response.
        ///
        /// If the body is empty or blank, as with a 204, an optional type is `nil`. An ``EmptyResponse`` ignores the body, and an
        /// optional one any other.
        ///
        /// - Parameters:
        ///   - type: The type of the body.
        ///   - decoder: Decodes the body; the decoder of the ``Teapot/Teapot`` if `nil`.
        /// - Returns: The value.
        /// - Throws: `decodingFailed`, with the expected type and the place; it keeps the response and the body.
        public func decode<Value: Decodable>(_ type: Value.Type = Value.self, using decoder: JSONDecoder? = nil)
            throws(TeapotError) -> Value
        { try type.decoded(from: data, response: head, using: decoder, details) }

        func with(_ details: CallDetails) -> Response { Response(data: data, head: head, details: details) }

        /// The response with a decoder for its body, if one is given.
        func decoding(with decoder: JSONDecoder?) -> Response {
            decoder.map { Response(data: data, head: head, details: details.with(decoder: $0)) } ?? self
        }

        /// The error of a call whose endpoint cannot parse the response.
        func parsingError(_ error: any Error) -> TeapotError {
            guard let failure = error as? TeapotError else {
                return .decodingFailed(error, data: data, response: head, details: details)
            }
            return (failure.head == nil ? failure.with(head, data) : failure).with(details)
        }
    }
}

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
}

extension Decodable {
    /// Decodes a body that belongs to no call.
    package static func decoded(from data: Data, using decoder: JSONDecoder?) throws(TeapotError) -> Self {
        try decoded(from: data, response: nil, using: decoder, .none)
    }
}

extension HTTPURLResponse {
    /// The status code; the same as `statusCode`.
    public var status: Int { statusCode }

    /// The stand-in for a missing response in a result: status 400, no header fields, the URL of the request, without the user
    /// information of a base URL.
    static func standIn(for requestURL: URL) -> HTTPURLResponse {
        let url = requestURL.withoutUserInformation
        let response = HTTPURLResponse(url: url, statusCode: 400, httpVersion: "HTTP/1.1", headerFields: [:])
        // The initializer is declared failable, but cannot fail, which a test checks for every kind of URL. There is no other
        // way to make a response with a status.
        return response ?? standIn(for: URL(filePath: "/"))
    }
}
