import LoopbackServer
import Teapot

extension Fault {
    /// How far a response gets.
    private struct Place {
        let name: String
        let sent: String
        /// Whether the header is complete.
        var hasHeader = true
        /// Whether a close there ends the process on Linux; `FatalResponseTests` has those.
        var endsProcess = false
        var body = ""
    }

    private static let length = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"
    private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    private static let places = [
        Place(name: "before the status line", sent: "", hasHeader: false),
        Place(name: "in the status line", sent: "HTTP/1.1 20", hasHeader: false),
        Place(name: "after the status line", sent: "HTTP/1.1 200 OK\r\n", hasHeader: false, endsProcess: true),
        Place(name: "in a header field", sent: "HTTP/1.1 200 OK\r\nX-Te", hasHeader: false, endsProcess: true),
        Place(
            name: "after a header field",
            sent: "HTTP/1.1 200 OK\r\nX-Tea: a\r\n",
            hasHeader: false,
            endsProcess: true
        ),
        Place(name: "after the length", sent: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n", hasHeader: false),
        Place(name: "after the header", sent: length),
        Place(name: "in a body of known length", sent: length + "{\"a\":", body: "{\"a\":"),
        Place(name: "in the size of a chunk", sent: chunked + "1"),
        Place(name: "in a chunk", sent: chunked + "5\r\n{\"", body: "{\""),
        Place(name: "between chunks", sent: chunked + "2\r\n{\"\r\n", body: "{\""),
        Place(name: "before the last chunk's end", sent: chunked + "2\r\n{}\r\n0\r\n", body: "{}"),
        Place(name: "in the body of a failure", sent: "HTTP/1.1 500 Oh\r\nContent-Length: 9\r\n\r\n{", body: "{"),
    ]

    /// Responses that end too early, by a close.
    static let closed = places.filter { !$0.endsProcess }.map { cut($0, "closed", .close) }
    /// Responses that end too early, by a reset.
    static let reset = places.map { cut($0, "reset", .reset) }
    /// Responses that stop coming.
    static let silent = places.map { cut($0, "silent", .stall) }

    private static func cut(_ place: Place, _ verb: String, _ end: Script.Step) -> Fault {
        let isSilent = verb == "silent"
        let fault = fails(
            "\(verb) \(place.name)",
            [.readRequest] + (place.sent.isEmpty ? [] : [.send(place.sent)]) + [end],
            place.hasHeader ? .dataTaskError : .noResponse,
            place.hasHeader ? (place.name.contains("failure") ? 500 : 200) : nil,
            keeps: place.body,
            cause: isSilent ? .timedOut : place.hasHeader ? .networkConnectionLost : nil
        )
        // What has to come before the silence has time to come. Without a header there is nothing to come.
        return isSilent ? fault.with { $0.timeout = place.hasHeader ? 5 : 1 } : fault
    }
}
