public import Foundation

extension Teapot {
    /// An event of a stream of server-sent events (HTML standard, section 9.2).
    public struct ServerSentEvent: Sendable, Equatable {
        /// The type of the event, the field `event` of the stream; `message` if it is missing.
        public let type: String
        /// The data; several lines are joined by LF.
        public let data: String
        /// The last ID in the stream, up to this event; empty if there was none.
        public let id: String
        /// The details of the call, with the decoder of the data.
        var details = CallDetails.none

        /// Makes an event from its properties, for example one that a mock sends.
        public init(data: String, type: String = "message", id: String = "") {
            self.data = data
            self.type = type
            self.id = id
        }

        /// Whether type, data and ID are equal.
        public static func == (lhs: Self, rhs: Self) -> Bool {
            (lhs.type, lhs.data, lhs.id) == (rhs.type, rhs.data, rhs.id)
        }

        /// Decodes the data as JSON, with the decoder of the ``Teapot/Teapot`` if none is passed.
        ///
        /// - Throws: `decodingFailed`, with the expected type and the place; it keeps the data.
        public func decode<Value: Decodable>(_ type: Value.Type = Value.self, using decoder: JSONDecoder? = nil)
            throws(TeapotError) -> Value
        { try type.decoded(from: Data(data.utf8), response: nil, using: decoder, details) }
    }
}
