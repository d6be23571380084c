public import Teapot

/// Responses whose bodies take their time.
extension MockResponse {
    /// Makes a response whose body comes in pieces: JSON Lines that are split anywhere, or a body that takes its time. The first piece
    /// comes with the header, each other piece after the interval, on the mock's clock.
    public static func pieces(
        _ pieces: [Data],
        every interval: Duration = .zero,
        contentType: String,
        status: MockTeapot.StatusCode = .ok,
        headerFields: [String: String] = [:]
    ) -> MockResponse {
        var body = Data()
        for piece in pieces { body += piece }
        var response = data(body, contentType: contentType, status: status, headerFields: headerFields)
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
        let pieces = pieces.map(\.encoded)
        return .pieces(pieces, every: interval, contentType: contentType, status: status, headerFields: headerFields)
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
        let retry = retryDelay.map { "retry: \(Int($0.bounded / .milliseconds(1)))\n\n" } ?? ""
        let texts = [retry] + events.map(\.text)
        var response = pieces(texts, every: interval, contentType: "text/event-stream", headerFields: headerFields)
        if response.interval == .zero { response.pieces = [] }
        return response
    }

    /// The same response, with a body that does not end: the call waits until it times out or is cancelled, and a reader of the
    /// body gets the pieces that have come.
    public func neverEnding() -> MockResponse {
        var response = self
        response.isEndless = true
        return response
    }
}

extension Teapot.ServerSentEvent {
    /// The event in the form of a stream (HTML standard, section 9.2.5).
    fileprivate var text: String {
        let lines = data.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
        let text = "id: " + id + "\nevent: " + type + "\ndata: "
        return text + lines.replacing("\n", with: "\ndata: ") + "\n\n"
    }
}
