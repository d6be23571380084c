public import Foundation

extension Teapot {
    /// The server-sent events of a stream, asked for by a `GET` request when the sequence is iterated over.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL, with or without a leading slash; `""` is the base URL itself.
    ///   - query: Query items, encoded and appended last.
    ///   - headerFields: Header fields of the requests. `Last-Event-ID` is that of the first one.
    ///   - maximumReconnects: How often in a row to connect again without an event in between; `nil` for no limit. With 0 the
    ///     sequence ends with the first connection.
    ///   - timeoutInterval: Seconds without a byte, comments included, after which a connection counts as lost; 300 if
    ///     `nil`.
    ///   - allowsCellular: Whether the call may use a cellular network; without effect on Linux.
    /// - Returns: The events.
    public func events(
        _ path: String,
        query: [URLQueryItem] = [],
        headerFields: [String: String]? = nil,
        maximumReconnects: Int? = nil,
        timeoutInterval: TimeInterval? = nil,
        allowsCellular: Bool = true
    ) -> ServerSentEvents {
        events(
            Request(
                path: path,
                query: query,
                headerFields: headerFields ?? [:],
                timeoutInterval: timeoutInterval,
                allowsCellular: allowsCellular
            ),
            maximumReconnects: maximumReconnects
        )
    }

    /// The server-sent events of a stream, asked for by a request of your own when the sequence is iterated over.
    ///
    /// A request that may not be sent twice, as a `POST`, is sent once: see ``Teapot/Teapot/Request/isIdempotent``.
    ///
    /// - Parameters:
    ///   - request: What to send. `Accept` and `Cache-Control` are added, unless it has them.
    ///   - maximumReconnects: How often in a row to connect again without an event in between; `nil` for no limit.
    /// - Returns: The events.
    public func events(_ request: Request, maximumReconnects: Int? = nil) -> ServerSentEvents {
        ServerSentEvents(self, request, maximumReconnects: maximumReconnects)
    }
}
