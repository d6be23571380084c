public import Foundation

extension Teapot {
    /// An event of a stream of server-sent events (HTML standard, section 9.2).
    public struct ServerSentEvent: Sendable {
        /// The type of the event, which the stream calls `event`; `message` if it names none.
        public let name: String
        /// The data, several lines of it joined by LF.
        public let data: String
        /// The last ID that the stream named, up to this event; empty if there was none.
        public let id: String
        /// What decodes the data.
        private let details: CallDetails

        /// Makes an event of its properties, such as one that a mock sends.
        public init(data: String, name: String = "message", id: String = "") {
            self.init(data: data, name: name, id: id, .none)
        }

        init(data: String, name: String, id: String, _ details: CallDetails) {
            (self.data, self.name, self.id, self.details) = (data, name, id, details)
        }

        /// Decodes the data, which is JSON.
        ///
        /// - Parameters:
        ///   - type: What the data is.
        ///   - decoder: Decodes it; that of the ``Teapot/Teapot`` if `nil`.
        /// - Returns: The value.
        /// - Throws: `decodingFailed`, which says what was expected where, and keeps the data.
        public func decode<Value: Decodable>(
            _ type: Value.Type = Value.self,
            using decoder: JSONDecoder? = nil
        ) throws(TeapotError) -> Value {
            try type.decoded(from: Data(data.utf8), response: nil, using: decoder, details)
        }
    }
}

extension Teapot.ServerSentEvent: Equatable {
    /// Whether name, data and ID are the same.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        (lhs.name, lhs.data, lhs.id) == (rhs.name, rhs.data, rhs.id)
    }
}
