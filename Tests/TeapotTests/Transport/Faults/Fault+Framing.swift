import LoopbackServer
import Teapot
import TestSupport

extension Fault {
    /// Lengths that do not match the body.
    static let framings: [Fault] = [
        succeeds("a length that is too small", answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}more")),
        breaks("a length that is too large", length("10"), keeps: "{}"),
        breaks("a length that is huge", length("4000000000000000000"), keeps: "{}"),
        fails("a negative length", length("-2"), .noResponse),
        fails("a length in words", length("two"), .noResponse),
        breaks("the greatest length that is not fatal", length("9223372036854775295"), keeps: "{}"),
        succeeds("a length beyond 64 bits", length("99999999999999999999")),
        succeeds("a length of 2 to the power of 63", length("9223372036854775808")),
        fails("a length of nothing", length(""), .noResponse),
        succeeds("a length with a plus sign", length("+2")).from(.v8_14, refuse),
        succeeds("a length twice", length("2\r\nContent-Length: 2")),
        breaks("two lengths", length("2\r\nContent-Length: 4"), keeps: "{}").from(.v8_23, refuse),
        succeeds("two lengths in one field", length("2, 2")),
        succeeds("two lengths in one field that are one number", length("2,02")),
        succeeds("two lengths in one field that differ", length("2, 5")).from(.v8_23, refuse),
        succeeds(
            "two lengths that differ, and chunks",
            chunks("2\r\n{}\r\n0\r\n\r\n", "Content-Length: 2\r\nContent-Length: 4\r\n")
        )
        .from(.v8_23, refuse),
        succeeds("a length and chunks", chunks("2\r\n{}\r\n0\r\n\r\n", "Content-Length: 7\r\n")),
        succeeds("chunks with extensions", chunks("2;a=b\r\n{}\r\n0;c\r\n\r\n")),
        succeeds("chunks with leading zeros", chunks("0000002\r\n{}\r\n000\r\n\r\n")),
        succeeds("chunks of one byte", chunks("1\r\n{\r\n1\r\n}\r\n0\r\n\r\n")),
        breaks("a chunk size that is not a number", chunks("zz\r\n{}\r\n0\r\n\r\n")),
        breaks("a negative chunk size", chunks("-2\r\n{}\r\n0\r\n\r\n")),
        breaks("a chunk size beyond 64 bits", chunks("FFFFFFFFFFFFFFFFF\r\n{}\r\n")),
        breaks("a chunk that is longer than its size", chunks("1\r\n{}\r\n0\r\n\r\n"), keeps: "{"),
        succeeds("chunks with plain line feeds", chunks("2\n{}\n0\n\n")),
        breaks("an unknown transfer coding", answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: tea\r\n\r\n{}"))
            .from(.v8_14, refuse),
        succeeds("an empty body", answer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), with: ""),
    ]

    /// Statuses and methods that allow no body.
    static let bodiless: [Fault] = [
        succeeds("a 204 with a body", answer("HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\n{}"), 204, with: ""),
        succeeds("a 205 with a body", answer("HTTP/1.1 205 Reset\r\nContent-Length: 2\r\n\r\n{}"), 205),
        refuses("a 304 with a body", answer("HTTP/1.1 304 Not\r\nContent-Length: 2\r\n\r\n{}"), 304, keeps: ""),
        succeeds("a HEAD with a body", length("2"), with: "").asHead,
        succeeds("a HEAD with chunks", chunks("2\r\n{}\r\n0\r\n\r\n"), with: "").asHead,
        refuses(
            "a HEAD that fails with a body",
            answer("HTTP/1.1 404 No\r\nContent-Length: 2\r\n\r\n{}"),
            404,
            keeps: ""
        )
        .asHead,
    ]

    /// Images and downloads are asked for with `GET`.
    var asHead: Fault {
        with { $0.shapes = [.headClosure, .head] }
    }

    private static func length(_ value: String) -> [Script.Step] {
        answer("HTTP/1.1 200 OK\r\nContent-Length: \(value)\r\n\r\n{}")
    }

    private static func chunks(_ chunks: String, _ fields: String = "") -> [Script.Step] {
        answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\(fields)\r\n" + chunks)
    }
}
