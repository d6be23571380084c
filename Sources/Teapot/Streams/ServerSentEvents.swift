public import Foundation

extension Teapot {
    /// Receives the server-sent events of a stream as they arrive (HTML standard, section 9.2).
    ///
    /// A request that must not be sent twice, such as a `POST`, is sent once: see ``Teapot/Teapot/Request/isIdempotent``. A
    /// connection counts as lost after the request's timeout without a byte, comments included; 300 seconds by default.
    ///
    /// Nothing is sent before the sequence is iterated, and each iterator has a connection of its own.
    ///
    /// - Parameters:
    ///   - request: The request, such as `"prices"`. `Accept` and `Cache-Control` are added, unless it has them.
    ///     `Last-Event-ID` applies to the first connection.
    ///   - maximumReconnects: The maximum number of reconnections in a row without an event in between. With 0 the sequence ends
    ///     with the first connection. With `nil` there is no limit, but a first connection that fails is thrown.
    /// - Returns: The events.
    public func events(_ request: Request, maximumReconnects: Int? = nil) -> Elements<ServerSentEvent> {
        var request = request
        for (name, value) in [("Accept", EventReader.mediaType), ("Cache-Control", "no-store")]
        where request.headerFields[field: name] == nil { request.headerFields[name] = value }
        request.timeoutInterval = request.timeoutInterval.flatMap { $0 > 0 ? $0 : nil } ?? 300
        let mayBeSentTwice = request.method.isIdempotent || request.headerFields[field: "Idempotency-Key"] != nil
        let maximumReconnects = request.isIdempotent ?? mayBeSentTwice ? maximumReconnects ?? .max : 0
        let limit = maximumResponseSize ?? 16_777_216
        return Elements { [request] in
            .init(reader: EventReader(self, request, maximumReconnects: maximumReconnects, limit: limit))
        }
    }

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

/// Reads the events of one iterator, over one connection after the other.
private final class EventReader: ElementReader {
    static let mediaType = "text/event-stream"
    private static let lastEventID = "Last-Event-ID"

    private let teapot: Teapot
    private let request: Teapot.Request
    private let maximumReconnects: Int
    private var parser: ServerSentEventParser
    private var stream: Teapot.ResponseBytes?
    private var reconnects = 0
    private var hasConnected = false
    private var isOver = false

    init(_ teapot: Teapot, _ request: Teapot.Request, maximumReconnects: Int, limit: Int) {
        self.teapot = teapot
        self.request = request
        self.maximumReconnects = maximumReconnects
        parser = ServerSentEventParser(lastEventID: request.headerFields[field: Self.lastEventID] ?? "", limit: limit)
    }

    func next(isolation: isolated (any Actor)?) async throws(TeapotError) -> Teapot.ServerSentEvent? {
        while !isOver {
            var failure: TeapotError?
            do throws(TeapotError) { if let event = try await nextOfStream(isolation) { return event } } catch {
                failure = error
            }
            if let delay = try delay(after: failure) { await teapot.time.sleep(for: delay) }
        }
        return nil
    }

    /// The next event of a connection, which is opened if necessary; `nil` at its end.
    private func nextOfStream(_ isolation: isolated (any Actor)?) async throws(TeapotError) -> Teapot.ServerSentEvent? {
        let stream = if let stream { stream } else { try await connect(isolation) }
        self.stream = stream
        while !isOver {
            if let event = try parser.next() {
                reconnects = 0
                return event
            }
            guard let piece = try await stream.reader.stream.next() else { return nil }
            parser.append(piece)
        }
        return nil
    }

    /// Ends a connection, and gives the delay before the next one; `nil` if there is none. Throws a failure that ends the sequence.
    // Inlined into `next`, it would be compiled once for each `await` of the loop.
    @inline(never) private func delay(after failure: TeapotError?) throws(TeapotError) -> Duration? {
        stream = nil
        // A mistyped host must not look like a silent stream.
        if let failure { isOver = !failure.isOfConnection || !hasConnected && maximumReconnects == .max }
        guard !isOver, reconnects < maximumReconnects else {
            isOver = true
            if let failure { throw failure }
            return nil
        }
        reconnects += 1
        parser.startOver()
        // A server may ask for no delay, and then go down (HTML standard, section 9.2.3).
        return max(parser.retryDelay, .milliseconds(100 << min(reconnects - 1, 8)))
    }

    private func connect(_ isolation: isolated (any Actor)?) async throws(TeapotError) -> Teapot.ResponseBytes {
        var request = request
        let id = parser.lastEventID
        if id != request.headerFields[field: Self.lastEventID] ?? "" {
            request.headerFields[field: Self.lastEventID] = id.isEmpty ? nil : id
        }
        let stream = try await teapot.bytes(request, isEndless: true)
        hasConnected = true
        parser.details = stream.details
        isOver = stream.status == 204
        let field = stream.headerFields["Content-Type"] ?? "not named"
        if isOver || MediaType(field).name == Self.mediaType { return stream }
        let data = await stream.beginning(upTo: min(teapot.maximumResponseSize ?? .max, 65_536), teapot.time)
        guard !Task.isCancelled else { throw .cancelled().with(parser.details) }
        let flaw = FailureReason("the media type is \(field), not \(Self.mediaType)")
        throw .decodingFailed(flaw, data: data, response: stream.head, details: parser.details)
    }
}

extension TeapotError {
    /// Whether the connection caused the error, so that a new connection may succeed (HTML standard, section 9.2.3).
    fileprivate var isOfConnection: Bool {
        guard [.noResponse, .dataTaskError].contains(type) else { return false }
        guard let code else { return true }
        return !code.isOfServerCertificate && ![.badURL, .unsupportedURL].contains(code)
    }
}
