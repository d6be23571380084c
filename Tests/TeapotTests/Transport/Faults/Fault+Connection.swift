import LoopbackServer
import Teapot
import TestSupport

extension Fault {
    private static let good = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"

    /// Faults of connections.
    static let connections: [Fault] = [
        fails("nobody listens", nil, .noResponse, cause: .cannotConnectToHost),
        fails("closed as soon as it is accepted", [.close], .noResponse, cause: .networkConnectionLost),
        fails("reset as soon as it is accepted", [.reset], .noResponse),
        succeeds("one byte every 10 ms", [.readRequest] + slowly(good)),
        succeeds(
            "one byte of the body every 10 ms",
            answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n") + slowly("{}")
        ),
        succeeds("answered before the request was read", [.send(good), .readRequest, .close]),
        succeeds("closed between requests", answer(good, .close)),
        // From 8.14 on, an upload may still be under way then, and fails.
        succeeds("reset between requests", answer(good, .reset)).from(.v8_14) {
            $0.shapes.removeAll { [.upload, .postData].contains($0) }
        },
        succeeds("kept open, and nobody answers", answer(good, .readRequest, .close)),
        succeeds(
            "a second response that nobody asked for",
            answer(good + "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{\"evil\":1", .stall)
        ),
        succeeds("extra bytes after the response", answer(good + "garbage", .stall)),
        succeeds("a body until the connection closes", answer("HTTP/1.0 200 OK\r\n\r\n{}", .close)),
    ]

    private static func slowly(_ text: String) -> [Script.Step] {
        text.utf8.flatMap { [.send(Data([$0])), .pause(0.01)] }
    }
}
