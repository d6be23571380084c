import LoopbackServer
import Teapot

extension Fault {
    /// How far a response gets.
    private struct Place {
        let name: String
        let sent: String
        /// That of the response; `nil` without a complete header.
        var status: Int? = 200
        /// Whether a close there ends the process on Linux; `FatalResponseTests` has those.
        var endsProcess = false
        var body = ""
    }

    private static let length = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"
    private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    private static let places = [
        Place(name: "before the status line", sent: "", status: nil),
        Place(name: "in the status line", sent: "HTTP/1.1 20", status: nil),
        Place(name: "after the status line", sent: "HTTP/1.1 200 OK\r\n", status: nil, endsProcess: true),
        Place(name: "in a header field", sent: "HTTP/1.1 200 OK\r\nX-Te", status: nil, endsProcess: true),
        Place(
            name: "after a header field",
            sent: "HTTP/1.1 200 OK\r\nX-Tea: a\r\n",
            status: nil,
            endsProcess: true
        ),
        Place(
            name: "after the length",
            sent: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n",
            status: nil,
            endsProcess: Libcurl.isAtLeast(.v8_23)
        ),
        Place(name: "after the header", sent: length),
        Place(name: "in a body of known length", sent: length + "{\"a\":", body: "{\"a\":"),
        Place(name: "in the size of a chunk", sent: chunked + "1"),
        Place(name: "in a chunk", sent: chunked + "5\r\n{\"", body: "{\""),
        Place(name: "between chunks", sent: chunked + "2\r\n{\"\r\n", body: "{\""),
        Place(name: "before the last chunk's end", sent: chunked + "2\r\n{}\r\n0\r\n", body: "{}"),
        Place(
            name: "in the body of a failure",
            sent: "HTTP/1.1 500 Oh\r\nContent-Length: 9\r\n\r\n{",
            status: 500,
            body: "{"
        ),
    ]

    /// Responses that end too early, by a close.
    static let closed = places.filter { !$0.endsProcess }.map { cut($0, .closed) }
    /// Responses that end too early, by a reset.
    static let reset = places.map { cut($0, .reset) }
    /// Responses that stop coming.
    static let silent = places.map { cut($0, .silent) }

    /// The event that replaces the rest.
    private enum End: String {
        case closed, reset, silent

        var step: Script.Step {
            switch self {
            case .closed: .close
            case .reset: .reset
            case .silent: .stall
            }
        }
    }

    private static func cut(_ place: Place, _ end: End) -> Fault {
        let hasHeader = place.status != nil
        let fault = fails(
            "\(end.rawValue) \(place.name)",
            [.readRequest] + (place.sent.isEmpty ? [] : [.send(place.sent)]) + [end.step],
            hasHeader ? .dataTaskError : .noResponse,
            place.status,
            keeps: place.body,
            cause: end == .silent ? .timedOut : hasHeader || place.sent.isEmpty ? .networkConnectionLost : nil
        )
        guard end == .silent else { return fault }
        // A partial header has time to arrive, though no event tells when.
        return fault.with {
            $0.timeout = hasHeader ? 60 : 1
            $0.isSilent = hasHeader
            $0.isOnUsedConnection = true
        }
    }
}
