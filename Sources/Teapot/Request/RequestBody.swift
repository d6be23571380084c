public import Foundation

extension Teapot.Request {
    /// The bytes of a request's body and what they are.
    public struct Body: Sendable, Hashable {
        /// The bytes that are sent.
        public let data: Data
        /// What goes out as `Content-Type`, unless the caller set that header field.
        public let contentType: String

        /// Makes a body from bytes.
        ///
        /// - Parameters:
        ///   - data: The bytes that are sent, as they stand.
        ///   - contentType: Their media type; when `nil`, `application/json` if they parse as JSON (RFC 8259), and
        ///     `application/octet-stream` otherwise.
        public init(_ data: Data, contentType: String? = nil) {
            self.data = data
            self.contentType = contentType ?? (Self.isJSON(data) ? Self.json : "application/octet-stream")
        }

        /// Makes a body from what the closure verbs take.
        ///
        /// - Parameters:
        ///   - parameter: A dictionary, an array or bytes.
        ///   - contentType: Its media type; when `nil`, that of JSON, and for bytes as above.
        /// - Throws: `invalidPayload` for a dictionary or array that JSON cannot hold, saying where.
        public init(_ parameter: RequestParameter, contentType: String? = nil) throws(TeapotError) {
            let data = try JSONBytes.encode(parameter)
            switch parameter {
            case .data: self.init(data, contentType: contentType)
            case .dictionary, .array: self.init(data, contentType: contentType ?? Self.json)
            }
        }

        private static let json = "application/json"

        private static func isJSON(_ data: Data) -> Bool {
            (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) != nil
        }
    }
}
