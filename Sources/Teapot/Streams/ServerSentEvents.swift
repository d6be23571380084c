import TeapotFoundation

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
        for (name, value) in ["Accept": EventReader.mediaType, "Cache-Control": "no-store"]
        where request.headerFields[field: name] == nil { request.headerFields[name] = value }
        request.timeoutInterval = request.timeoutInterval.flatMap { $0 > 0 ? $0 : nil } ?? 300
        let mayBeSentTwice = request.method.isIdempotent || request.headerFields[field: "Idempotency-Key"] != nil
        let maximumReconnects = request.isIdempotent ?? mayBeSentTwice ? maximumReconnects ?? .max : 0
        let parser = ServerSentEventParser(
            lastEventID: request.headerFields[field: EventReader.lastEventID] ?? "",
            limit: maximumResponseSize ?? 16_777_216
        )
        let reader = EventReader(teapot: self, request: request, maximumReconnects: maximumReconnects, parser: parser)
        return Elements(reader: reader)
    }
}

/// Reads the events of one iterator, over one connection after the other.
private struct EventReader: ElementReader {
    let teapot: Teapot
    let request: Teapot.Request
    let maximumReconnects: Int
    var parser: ServerSentEventParser
    /// The connection, if there is one.
    var stream: Teapot.ResponseBytes?
    /// The number of reconnections in a row without an event.
    var reconnects = 0
    var hasConnected = false
    var isOver = false
    static let mediaType = "text/event-stream"
    static let lastEventID = "Last-Event-ID"

    mutating func next(isolation: isolated (any Actor)?) async throws(TeapotError) -> Teapot.ServerSentEvent? {
        while !isOver {
            var failure: TeapotError?
            do throws(TeapotError) { if let event = try await nextOfStream(isolation) { return event } } catch {
                failure = error
                // A mistyped host must not look like a silent stream.
                isOver = !error.isOfConnection || !hasConnected && maximumReconnects == .max
            }
            stream = nil
            guard !isOver, reconnects < maximumReconnects else {
                isOver = true
                if let failure { throw failure }
                return nil
            }
            reconnects += 1
            parser.startOver()
            // A server may ask for no delay, and then go down (HTML standard, section 9.2.3).
            let backoff = Duration.milliseconds(100 << min(reconnects - 1, 8))
            await teapot.time.sleep(for: max(parser.retryDelay, backoff))
        }
        return nil
    }

    /// The next event of a connection, which is opened if necessary; `nil` at its end.
    private mutating func nextOfStream(_ isolation: isolated (any Actor)?) async throws(TeapotError) -> Teapot
        .ServerSentEvent?
    {
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

    private mutating func connect(_ isolation: isolated (any Actor)?) async throws(TeapotError) -> Teapot.ResponseBytes
    {
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
        guard isOver || MediaType(field).name == Self.mediaType else {
            let reason = FailureReason("the media type is \(field), not \(Self.mediaType)")
            let limit = min(teapot.maximumResponseSize ?? .max, 65_536)
            let data = await stream.beginning(upTo: limit, teapot.time)
            guard !Task.isCancelled else { throw .cancelled().with(parser.details) }
            throw .decodingFailed(reason, data: data, response: stream.head, details: parser.details)
        }
        return stream
    }
}

extension TeapotError {
    /// Whether the error is one of the connection, so that a new one may succeed (HTML standard, section 9.2.3).
    fileprivate var isOfConnection: Bool {
        guard [.noResponse, .dataTaskError].contains(type) else { return false }
        guard let code else { return true }
        return !code.isOfServerCertificate && ![.badURL, .unsupportedURL].contains(code)
    }
}
