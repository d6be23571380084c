public import Foundation

extension Teapot.Request {
    /// The body of a request and its media type: bytes, a file, or a value that is encoded when the request is sent.
    public struct Body: Sendable {
        enum Content: Sendable {
            case data(Data)
            /// With the encoder that the caller names.
            case value(any Encodable & Sendable, JSONEncoder?)
            case file(URL)
            /// Lives for as long as a body, or a call that sends it.
            case temporaryFile(TemporaryFile)
        }

        let content: Content
        /// What goes out as `Content-Type`, unless the caller set that header field.
        public let contentType: String

        /// Makes a body from bytes.
        ///
        /// - Parameters:
        ///   - data: The bytes that are sent, as they stand.
        ///   - contentType: Their media type; when `nil`, `application/json` if they parse as JSON (RFC 8259), and
        ///     `application/octet-stream` otherwise.
        public init(_ data: Data, contentType: String? = nil) {
            content = .data(data)
            self.contentType = contentType ?? (Self.isJSON(data) ? Self.json : Self.bytes)
        }

        /// Makes a body that is streamed from a file when it is sent, so that memory stays flat whatever its size.
        ///
        /// - Parameters:
        ///   - file: A regular file, not to be changed while the request is under way. It is looked at when the request is
        ///     sent: one that cannot be read fails with `fileError`.
        ///   - contentType: Its media type; when `nil`, `application/octet-stream`.
        public init(file: URL, contentType: String? = nil) {
            content = .file(file)
            self.contentType = contentType ?? Self.bytes
        }

        init(_ file: TemporaryFile, contentType: String) {
            content = .temporaryFile(file)
            self.contentType = contentType
        }

        /// Makes a body from what the closure verbs take.
        ///
        /// - Parameters:
        ///   - parameter: A dictionary, an array or bytes.
        ///   - contentType: Its media type; when `nil`, that of JSON, and for bytes as above.
        /// - Throws: `invalidPayload` for a dictionary or array that JSON cannot hold, saying where.
        public init(_ parameter: RequestParameter, contentType: String? = nil) throws(TeapotError) {
            let data = try parameter.encoded()
            switch parameter {
            case .data: self.init(data, contentType: contentType)
            case .dictionary, .array: self.init(data, contentType: contentType ?? Self.json)
            }
        }

        /// Makes a body from a value: JSON, and `Data` byte for byte.
        ///
        /// The value is encoded when the request is sent. The call fails with `invalidPayload`, saying where, if it cannot be.
        ///
        /// - Parameters:
        ///   - value: What to encode. `Data` is sent as it stands, as by ``init(_:contentType:)-(Data,_)``, and a body is taken
        ///     as it is.
        ///   - encoder: Encodes it; that of the ``Teapot/Teapot`` which sends the request if `nil`.
        public init(encoding value: some Encodable & Sendable, using encoder: JSONEncoder? = nil) {
            switch value {
            case let body as Self: self = body
            case let data as Data: self.init(data)
            default: self.init(.value(value, encoder), contentType: Self.json)
            }
        }

        init(_ content: Content, contentType: String) {
            self.content = content
            self.contentType = contentType
        }

        /// The body with its value encoded; the same body if it is bytes or a file.
        ///
        /// A ``Teapot/Teapot`` does this with a request that it sends. It is here for a ``RequestPerforming`` of your own.
        ///
        /// - Parameter encoder: Encodes the value, unless an encoder was named with it; one that sorts keys and leaves slashes
        ///   as they are if `nil`.
        /// - Returns: Bytes or a file.
        /// - Throws: `invalidPayload` if the value cannot be encoded, saying where.
        public func encoded(using encoder: JSONEncoder? = nil) throws(TeapotError) -> Self {
            guard case .value(let value, let own) = content else { return self }
            do {
                let json = try (own ?? encoder ?? .standard).encode(value)
                return Self(contentType == Self.form ? try Self.form(ofJSON: json) : json, contentType: contentType)
            } catch {
                throw .invalidPayload(error)
            }
        }

        /// The bytes that are sent; `nil` if they are in a file, or are made of a value when the request is sent:
        /// ``encoded(using:)``.
        public var data: Data? {
            guard case .data(let data) = content else { return nil }
            return data
        }

        /// The file that is sent; `nil` if there is none.
        public var file: URL? {
            switch content {
            case .data, .value: nil
            case .file(let file): file
            case .temporaryFile(let file): file.url
            }
        }

        static let json = "application/json"
        private static let bytes = "application/octet-stream"

        private static func isJSON(_ data: Data) -> Bool {
            (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) != nil
        }
    }
}

extension Teapot.Request.Body: Encodable {
    /// Fails: it is `Encodable` so that verbs take it in the place of a value, and not to be a part of one.
    ///
    /// - Parameter encoder: Not used.
    /// - Throws: `EncodingError.invalidValue`.
    public func encode(to encoder: any Encoder) throws {
        let reason = "a request body cannot be part of another value"
        throw EncodingError.invalidValue(self, .init(codingPath: encoder.codingPath, debugDescription: reason))
    }
}

extension JSONEncoder {
    /// Encodes as ``JSONWriter`` does.
    static var standard: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}
