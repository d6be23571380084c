extension Teapot {
    /// The server-sent events of a stream, asked for when the sequence is iterated over.
    ///
    /// A request that may not be sent twice, such as a `POST`, is sent once: see ``Teapot/Teapot/Request/isIdempotent``. A timeout of
    /// the request is the time without a byte, comments included, after which a connection counts as lost; 300 seconds by default.
    ///
    /// - Parameters:
    ///   - request: What to send, such as `"prices"`. `Accept` and `Cache-Control` are added, unless it has them. `Last-Event-ID` is
    ///     that of the first connection.
    ///   - maximumReconnects: How often in a row to connect again without an event in between; `nil` for no limit. With 0 the
    ///     sequence ends with the first connection.
    /// - Returns: The events.
    public func events(_ request: Request, maximumReconnects: Int? = nil) -> ServerSentEvents {
        ServerSentEvents(self, request, maximumReconnects: maximumReconnects)
    }
}
