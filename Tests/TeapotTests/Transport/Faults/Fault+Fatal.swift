import LoopbackServer
import Teapot

/// Responses that end the process on Linux, whatever Teapot does: FoundationNetworking traps before it asks anyone. Their
/// outcomes are those with a toolchain without the defect.
extension Fault {
    #if compiler(>=6.4)
        private static let isMendedBySwift = true
    #else
        private static let isMendedBySwift = false
    #endif
    private static let areNULsMended = isMendedBySwift || Libcurl.isAtLeast(.v8_14)

    /// Responses that end the process with this toolchain and libcurl.
    static let fatal =
        (isMendedBySwift ? [] : fatalBefore6_4 + cutAfterLength) + (areNULsMended ? [] : fieldsOfNUL) + fatalStill
    /// Responses that ended the process with an earlier toolchain or libcurl.
    static let mended = (isMendedBySwift ? fatalBefore6_4 + cutAfterLength : []) + (areNULsMended ? fieldsOfNUL : [])

    private static let fatalBefore6_4: [Fault] = [
        fails("closed after the status line", answer("HTTP/1.1 200 OK\r\n", .close), .noResponse),
        fails("closed in a header field", answer("HTTP/1.1 200 OK\r\nX-Te", .close), .noResponse),
        fails("closed after a header field", answer("HTTP/1.1 200 OK\r\nX-Tea: a\r\n", .close), .noResponse),
        fails(
            "closed in the header after a 100",
            answer("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n", .close),
            .noResponse
        ),
        // With a length it is an error, but not where no body follows.
        fails(
            "closed in the header of an empty body",
            answer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n", .close),
            .noResponse
        ),
        fails("closed in the header of a HEAD", answer("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n", .close), .noResponse)
            .asHead,
        fails("closed in the header of a 204", answer("HTTP/1.1 204 No\r\nContent-Length: 9\r\n", .close), .noResponse),
        fails(
            "closed in the header of a 304",
            answer("HTTP/1.1 304 Not\r\nContent-Length: 9\r\n", .close),
            .noResponse
        ),
        fails("a header that ends in CR CR LF", answer("HTTP/1.1 204 No Content\r\n\r\r\n", .close), .noResponse),
        succeeds(
            "chunks with a trailer field",
            answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-Tea: a\r\n\r\n")
        ),
    ]

    /// Before 8.23 it is an error for libcurl.
    private static let cutAfterLength =
        Libcurl.isAtLeast(.v8_23)
        ? [fails("closed after the length", answer("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n", .close), .noResponse)]
        : []

    /// libcurl 7.88 lets them through.
    private static let fieldsOfNUL: [Fault] = [
        fails("a line of a NUL", answer("HTTP/1.1 204 No Content\r\n\0\r\n\r\n", .close), .noResponse),
        fails(
            "a header field that begins with a NUL",
            answer("HTTP/1.1 200 OK\r\n\0\r\nContent-Length: 2\r\n\r\n{}"),
            .noResponse
        ),
    ]

    /// Where the trap is one of arithmetic, which says nothing.
    static let fatalLengths: [Fault] = [
        breaks("the greatest length of 64 bits", length("9223372036854775807"), keeps: "{}"),
        breaks("the least length that is fatal", length("9223372036854775296"), keeps: "{}"),
    ]

    private static let fatalStill: [Fault] =
        fatalLengths + [
            fails("a redirect to an IPv6 address without a scheme", redirect("//[::1]:1/"), .noResponse),
            fails("a redirect to an escaped slash in a host", redirect("//a%2Fb/"), .noResponse),
            fails("a redirect to an escaped space in a host", redirect("//a%20b/"), .noResponse),
        ]

    private static func length(_ value: String) -> [Script.Step] {
        answer("HTTP/1.1 200 OK\r\nContent-Length: \(value)\r\n\r\n{}", .close)
    }

    private static func redirect(_ location: String) -> [Script.Step] {
        answer("HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n", .close)
    }
}
