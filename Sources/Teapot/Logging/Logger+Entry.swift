public import TeapotFoundation

extension Logger {
    /// An entry of the log: its text, and for an entry of a call also the parts of it, secrets redacted. A message of your own is
    /// written as it is.
    public struct Entry: Sendable {
        /// The level at which it is written.
        public let level: LogLevel
        /// The time.
        public let date: Date
        /// The source file and line of a message of your own, such as `Client/API.swift:12 `.
        let place: String
        /// The entry without time and level: one or more lines, control characters escaped, and those after the first indented.
        public internal(set) var message = ""
        /// The number of the request: see ``Teapot/Teapot/SentRequest/id``.
        public internal(set) var requestID: Int?
        /// The method of the request, such as `GET`.
        public internal(set) var method: String?
        /// The URL of the request.
        public internal(set) var url: String?
        /// The number of the attempt, from 1 on.
        public internal(set) var attempt: Int?
        /// The status of the response.
        public internal(set) var status: Int?
        /// The time since the request was sent.
        public internal(set) var duration: Duration?

        init(level: LogLevel, date: Date, place: String) { (self.level, self.date, self.place) = (level, date, place) }

        /// The entry as a ``Logger`` with a `String` output writes it.
        public var text: String { "\(date.formatted(.iso8601)) [\(level.label)] \(place)\(message)" }
    }
}

extension Logger.LogLevel {
    fileprivate var label: String {
        switch self {
        case .none: "none"
        case .error: "error"
        case .incomingData: "incoming"
        case .incomingAndOutgoingData: "outgoing"
        }
    }
}
