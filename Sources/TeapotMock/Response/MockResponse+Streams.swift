public import Teapot

/// Responses whose bodies take their time.
extension MockResponse {
    /// Makes a response whose body comes in pieces: JSON Lines that are split anywhere, or a body that takes its time.
    ///
    /// - Parameters:
    ///   - pieces: The pieces. The first one comes with the header.
    ///   - interval: The time between two pieces, on the mock's clock.
    ///   - contentType: The media type of the body.
    ///   - status: The status.
    ///   - headerFields: Header fields of the response.
    /// - Returns: The response.
    public static func pieces(
        _ pieces: [Data],
        every interval: Duration = .zero,
        contentType: String,
        status: MockTeapot.StatusCode = .ok,
        headerFields: [String: String] = [:]
    ) -> MockResponse {
        var response = data(Data(pieces.joined()), contentType: contentType, status: status, headerFields: headerFields)
        response.pieces = pieces
        response.interval = interval.bounded
        return response
    }

    /// Makes a response whose body comes in pieces of text. Otherwise the same as with data.
    public static func pieces(
        _ pieces: [String],
        every interval: Duration = .zero,
        contentType: String,
        status: MockTeapot.StatusCode = .ok,
        headerFields: [String: String] = [:]
    ) -> MockResponse {
        .pieces(
            pieces.map { Data($0.utf8) },
            every: interval,
            contentType: contentType,
            status: status,
            headerFields: headerFields
        )
    }

    /// Makes a stream of server-sent events, which ends normally after the last one.
    ///
    /// `events` connects again after the delay that the stream sets, or three seconds by default, and gets the next response:
    /// declare a sequence that ends with `.status(.noContent)`, which ends the events permanently.
    ///
    /// - Parameters:
    ///   - events: The events.
    ///   - interval: The time before each event, on the mock's clock.
    ///   - retryDelay: The delay before reconnecting, in whole milliseconds; `nil` to send none.
    ///   - headerFields: Header fields of the response.
    /// - Returns: The response.
    public static func events(
        _ events: [Teapot.ServerSentEvent],
        every interval: Duration = .zero,
        retryDelay: Duration? = nil,
        headerFields: [String: String] = [:]
    ) -> MockResponse {
        let retry = retryDelay.map { "retry: \(Int($0.bounded / .milliseconds(1)))\n\n" }
        let pieces = [Data((retry ?? "").utf8)] + events.map { Data($0.text.utf8) }
        let body = Data(pieces.joined())
        var response = data(body, contentType: "text/event-stream", headerFields: headerFields)
        response.interval = interval.bounded
        if response.interval > .zero { response.pieces = pieces }
        return response
    }

    /// The same response, with a body that does not end: the call waits until it times out or is cancelled, and a reader of the
    /// body gets what there is.
    ///
    /// - Returns: The response.
    public func neverEnding() -> MockResponse {
        var response = self
        response.isEndless = true
        return response
    }
}

extension Teapot.ServerSentEvent {
    /// The event in the form of a stream (HTML standard, section 9.2.5).
    fileprivate var text: String {
        let lines = data.split(omittingEmptySubsequences: false) { ["\n", "\r", "\r\n"].contains($0) }
        return "id: \(id)\nevent: \(type)\n" + lines.map { "data: \($0)\n" }.joined() + "\n"
    }
}
