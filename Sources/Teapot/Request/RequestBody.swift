public import Foundation

extension Teapot.Request {
    /// The body of a request and its media type: bytes, a file, a value to encode, or the pieces of an `AsyncSequence`.
    public struct Body: Sendable {
        enum Content: Sendable {
            case data(Data)
            case value(any Encodable & Sendable)
            /// A file. A temporary one exists as long as a body or a call that sends it.
            case file(URL, TemporaryFile? = nil)
            case pieces(Pieces)
        }

        let content: Content
        /// The value of `Content-Type`, unless the caller sets that header field.
        public let contentType: String

        /// Makes a body from bytes, which are sent unchanged. The default media type is `application/json` if the bytes
        /// parse as JSON (RFC 8259), and `application/octet-stream` otherwise.
        public init(_ data: Data, contentType: String? = nil) {
            content = .data(data)
            self.contentType = contentType ?? (JSONScanner.value(of: data) == nil ? Self.bytes : Self.json)
        }

        /// A body that is streamed from a regular file, so that memory use does not depend on its size. The file must
        /// not change while it is being sent. It is checked when the request is sent: an unreadable file fails with
        /// `fileError`. The default media type is `application/octet-stream`.
        public static func file(_ file: URL, contentType: String? = nil) -> Self {
            Self(.file(file), contentType: contentType ?? bytes)
        }

        /// Makes a body from the parameter of a closure verb. The default media type is `application/json`; for bytes,
        /// that of a body of `Data`. Throws `invalidPayload`, with the place, for what JSON cannot represent.
        public init(_ parameter: RequestParameter, contentType: String? = nil) throws(TeapotError) {
            let isData = if case .data = parameter { true } else { false }
            self.init(try parameter.encoded(), contentType: contentType ?? (isData ? nil : Self.json))
        }

        /// A value as JSON, encoded by ``Teapot/Request/encoder`` when it is sent; the error is `invalidPayload`, with
        /// the place.
        public static func json(_ value: any Encodable & Sendable) -> Self { Self(.value(value), contentType: json) }

        /// The body of a verb: `Data` is sent unchanged.
        init(encoding value: any Encodable & Sendable) {
            if let data = value as? Data { self.init(data) } else { self = .json(value) }
        }

        init(_ content: Content, contentType: String) {
            self.content = content
            self.contentType = contentType
        }

        /// The body with its value encoded: bytes, a file or pieces. Any other body is returned unchanged.
        /// A ``Teapot/Teapot`` does this when it sends a request. Use it in a ``RequestPerforming`` of your own. The
        /// default encoder sorts keys and does not escape slashes. Throws `invalidPayload`, with the place.
        public func encoded(using encoder: JSONEncoder? = nil) throws(TeapotError) -> Self {
            guard case .value(let value) = content else { return self }
            if contentType == Self.form { return .form(try Teapot.QueryItems(encoding: value, using: encoder)) }
            do { return Self(try (encoder ?? .standard).encode(value), contentType: contentType) } catch {
                throw .invalidPayload(error, isJSON: true)
            }
        }

        /// The bytes of the body; `nil` for a file, for pieces, and for a value before it is ``encoded(using:)``.
        public var data: Data? { if case .data(let data) = content { data } else { nil } }
        /// The file of the body; `nil` if there is none.
        public var file: URL? { if case .file(let file, _) = content { file } else { nil } }

        static let json = "application/json"
        static let bytes = "application/octet-stream"
    }
}
