public import TeapotFoundation

extension Teapot {
    /// A complete response with a status from 200 to 299, or another one that the request accepts: see
    /// ``Request/acceptedStatuses``.
    public struct Response: CustomStringConvertible, Sendable {
        /// The bytes of the body, decompressed; empty if there is none, or if it was written to a file.
        public let data: Data
        /// The status and header fields as Foundation's type.
        public var http: HTTPURLResponse { head.http }

        let head: ResponseHead
        let details: CallDetails

        /// The status, URL with secrets redacted, and length; header fields and body are not shown.
        public var description: String { "\(head.shortDescription(details.secrets)), \(data.count) bytes" }
        /// The status code.
        public var status: Int { head.status }
        /// The header fields, looked up without regard to case.
        public var headerFields: Teapot.HeaderFields { Teapot.HeaderFields(head, details.secrets) }
        /// The duration of the call, and measurements of its last exchange.
        public var timings: Timings { details.timings }
        /// Whether the body came from a cache, such as a `CachingTransport`: see ``Timings/isFromCache``.
        public var isFromCache: Bool { timings.isFromCache }
        /// The body as JSON, in UTF-8 or in the charset of the response; `nil` if it is not a JSON object or an array of objects. It
        /// is parsed at each call.
        public var json: JSON? { JSON(data, of: head) }
        /// The body as text; `nil` if its charset is not supported, or if the bytes are not valid in that charset.
        ///
        /// A byte order mark takes precedence, then the `charset` of `Content-Type`, then UTF-8. Supported are `utf-8`, `utf-16`
        /// (big-endian without a mark, RFC 2781, section 4.3), `utf-16le`, `utf-16be`, `us-ascii`, `iso-8859-1` and `windows-1252`.
        /// The text is decoded at each call, and does not contain the mark.
        public var text: String? { head.text(of: data) }

        /// Decodes the body as JSON, in UTF-8 or in the charset of the response, with the decoder of the ``Teapot/Teapot``
        /// if `decoder` is `nil`.
        ///
        /// If the body is empty or blank, as with a 204, an optional type is `nil`. An ``EmptyResponse`` ignores the body, and an
        /// optional one any other.
        /// - Throws: `decodingFailed`, with the expected type and the place; it keeps the response and the body.
        public func decode<Value: Decodable>(_ type: Value.Type = Value.self, using decoder: JSONDecoder? = nil)
            throws(TeapotError) -> Value
        { try type.decoded(from: data, response: head, using: decoder, details) }

        func with(_ details: CallDetails) -> Response { Response(data: data, head: head, details: details) }

        /// The error of a call whose endpoint cannot parse the response, or whose caller refuses it.
        func parsingError(_ error: any Error, special: String? = nil) -> TeapotError {
            if let failure = error as? TeapotError { return failure.with(head, data).with(details) }
            return .decodingFailed(error, data: data, response: head, details: details, special: special)
        }

        /// The body as an image, which nothing else refers to.
        func image() throws(TeapotError) -> sending TeapotImage {
            guard let image = TeapotImage.make(from: data) else {
                throw .missingImage(response: head, data: data).with(details)
            }
            return image
        }

        /// Makes the value for the task that waits for it. A task that was cancelled before, or is cancelled meanwhile, gets none.
        func value<Value>(_ make: (Self) throws(TeapotError) -> sending Value) throws(TeapotError) -> sending Value {
            do throws(TeapotError) {
                if !Task.isCancelled {
                    let value = try make(self)
                    if !Task.isCancelled { return value }
                }
            } catch { if !Task.isCancelled { throw error } }
            throw .cancelled().with(details)
        }
    }
}

extension Teapot.Response {
    /// Makes a response from its properties, for example in a ``RequestPerforming`` of your own. Without a decoder, a
    /// `JSONDecoder()` decodes the body.
    public init(data: Data, http: HTTPURLResponse, decoder: JSONDecoder? = nil) {
        self.init(data: data, head: .foundation(http), details: CallDetails(decoder: decoder))
    }
}

extension Data {
    /// Parses a body as JSON: the bytes as they are, and only if that fails in the charset of the response, since looking for
    /// bytes that are not UTF-8 copies the body.
    func parsedAsJSON<Value>(of response: ResponseHead?, _ parse: (Data) throws -> Value) throws -> Value {
        do { return try parse(self) } catch {
            guard let json = response?.json(of: self) else { throw error }
            return try parse(json)
        }
    }
}

extension ResponseHead {
    /// See ``Teapot/Teapot/Response/text``.
    func text(of data: Data) -> String? {
        let start = Array(data.prefix(3))
        if start == [0xEF, 0xBB, 0xBF] { return Self.text(of: data, after: 3, .utf8) }
        if start.prefix(2) == [0xFE, 0xFF] { return Self.text(of: data, after: 2, .utf16BigEndian) }
        if start.prefix(2) == [0xFF, 0xFE] { return Self.text(of: data, after: 2, .utf16LittleEndian) }
        return MediaType(field("Content-Type") ?? "").encoding.flatMap { Self.text(of: data, after: 0, $0) }
    }

    /// A body of the response in UTF-8, if Foundation's JSON parsers do not recognize its encoding; `nil` if they do, or if it is
    /// not text in the declared charset.
    ///
    /// JSON is UTF-8 (RFC 8259, section 8.1), also where a server declares another charset for all of its responses, and Foundation
    /// recognizes UTF-16 and UTF-32. Only bytes that cannot be UTF-8 are read in the declared charset.
    func json(of data: Data) -> Data? {
        guard String(data: data, encoding: .utf8) == nil, !data.prefix(4).contains(0) else { return nil }
        return text(of: data).map { Data($0.utf8) }
    }

    @inline(never)
    private static func text(of data: Data, after markLength: Int, _ encoding: String.Encoding) -> String? {
        let isWide = encoding == .utf16BigEndian || encoding == .utf16LittleEndian
        // Foundation drops an incomplete code unit.
        guard !isWide || data.count.isMultiple(of: 2) else { return nil }
        return String(data: data.dropFirst(markLength), encoding: encoding)
    }
}
