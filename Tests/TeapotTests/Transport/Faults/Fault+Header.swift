import LoopbackServer
import Teapot
import TestSupport

extension Fault {
    /// Status lines.
    static let statusLines: [Fault] = [
        succeeds("a 100 before the response", answer("HTTP/1.1 100 Continue\r\n\r\n" + rest("HTTP/1.1 200 OK"))),
        succeeds(
            "a 103 with header fields before the response",
            answer("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + rest("HTTP/1.1 200 OK"))
        ),
        succeeds(
            "twenty 102 before the response",
            answer(String(repeating: "HTTP/1.1 102 Processing\r\n\r\n", count: 20) + rest("HTTP/1.1 200 OK"))
        ),
        refuses(
            "a 101 that nobody asked for",
            answer("HTTP/1.1 101 Switching\r\nUpgrade: tea\r\n\r\n{}"),
            101,
            keeps: ""
        ),
        refuses(
            "a 101 that nobody asked for, on a connection that stays open",
            [.readRequest, .send("HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: tea\r\n\r\n"), .stall],
            101,
            keeps: ""
        ),
        fails("a 100 and nothing more", answer("HTTP/1.1 100 Continue\r\n\r\n", .close), .noResponse),
        fails("garbage", answer("no HTTP at all\r\n\r\n"), .noResponse, cause: .badServerResponse),
        fails("HTTP/0.9", answer("{}"), .noResponse),
        fails("another protocol", answer("ICY 200 OK\r\n\r\n{}"), .noResponse),
        fails(
            "TLS where there should be none",
            [.readRequest, .send(Data([0x15, 3, 1, 0, 2, 2, 0x50]))],
            .noResponse
        ),
        fails("an invalid version", answer(rest("HTTP/1.x 200 OK")), .noResponse),
        fails("a version to come", answer(rest("HTTP/4.0 200 OK")), .noResponse),
        succeeds("an old version", answer(rest("HTTP/1.0 200 OK"))),
        succeeds("a version in lower case", answer(rest("http/1.1 200 OK"))),
        fails("a status of 000", answer(rest("HTTP/1.1 000 None")), .noResponse),
        fails("a status of 99", answer(rest("HTTP/1.1 99 Low")), .noResponse),
        refuses("a status of 999", answer(rest("HTTP/1.1 999 High")), 999),
        fails("a status of four digits", answer(rest("HTTP/1.1 2000 OK")), .noResponse),
        fails("a negative status", answer(rest("HTTP/1.1 -200 OK")), .noResponse),
        fails("a status in words", answer(rest("HTTP/1.1 OK 200")), .noResponse),
        fails("no status", answer(rest("HTTP/1.1")), .noResponse),
        fails("no reason phrase and no space", answer(rest("HTTP/1.1 200")), .noResponse),
        succeeds("no reason phrase", answer(rest("HTTP/1.1 200 "))),
        fails("two spaces before the status", answer(rest("HTTP/1.1  200 OK")), .noResponse),
        fails("an empty line before the status line", answer("\r\n" + rest("HTTP/1.1 200 OK")), .noResponse),
    ]

    /// Header fields.
    static let headers: [Fault] = [
        fails(
            "a header field in Latin-1",
            [
                .readRequest,
                .send(
                    Data("HTTP/1.1 200 OK\r\nX-Tea: caf".utf8) + [0xE9] + Data("\r\nContent-Length: 2\r\n\r\n{}".utf8)
                ),
            ],
            .noResponse
        ),
        succeeds("a header field in UTF-8", header("X-Tea: café")),
        fails("a header field without a colon", header("no colon"), .noResponse),
        fails("a header field without a name", header(": nothing"), .noResponse),
        fails("a space in the name of a header field", header("X Tea: a"), .noResponse),
        fails("a space before the colon", header("X-Tea : a"), .noResponse),
        fails("no space after the colon", header("X-Tea:a"), .noResponse),
        succeeds("a header field without a value", header("X-Tea: ")),
        fails("a header field of several blanks", header("X-Tea:    "), .noResponse),
        succeeds("a folded header field", header("X-Tea: a\r\n b")),
        fails("a NUL in a header field", header("X-Tea: a\0b"), .noResponse),
        succeeds("a bare carriage return in a header field", header("X-Tea: a\rb")).from(.v8_23, refuse),
        fails("lines that end in LF alone", answer("HTTP/1.1 200 OK\nContent-Length: 2\n\n{}"), .noResponse),
        succeeds("1,000 header fields", header((0..<1_000).map { "X-\($0): a" }.joined(separator: "\r\n"))),
        // It takes FoundationNetworking time that grows with the square.
        succeeds("10,000 header fields", header((0..<10_000).map { "X-\($0): a" }.joined(separator: "\r\n")))
            .with { $0.shapes = [.get] }
            .from(.v8_14, refuse),
        succeeds("a header of 64 KB", header("X-Tea: " + String(repeating: "a", count: 64_000))),
        fails("a header of 1 MB", header("X-Tea: " + String(repeating: "a", count: 1_000_000)), .noResponse),
        succeeds("an invalid Set-Cookie", header("Set-Cookie: ;;;=,,=; Domain; Expires=x")),
        succeeds("an invalid media type", header("Content-Type: ///;charset=nope")),
        refuses(
            "a 401 with a Basic challenge",
            challenge("401 Unauthorized", "WWW-Authenticate: Basic realm=\"x\""),
            401
        ),
        refuses(
            "a 401 with a Digest challenge",
            challenge("401 Unauthorized", "WWW-Authenticate: Digest realm=\"x\", nonce=\"y\""),
            401
        ),
        refuses("a 401 with an invalid challenge", challenge("401 Unauthorized", "WWW-Authenticate: ,,=\""), 401),
        fails(
            "a 401 that is closed in the body",
            answer("HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 9\r\n\r\n{", .close),
            .dataTaskError,
            401,
            keeps: "{"
        ),
        refuses("a 407", challenge("407 Proxy", "Proxy-Authenticate: Basic realm=\"x\""), 407),
        refuses("a 426", challenge("426 Upgrade", "Upgrade: h2c\r\nConnection: upgrade"), 426),
        // A download refuses it.
        succeeds("a 206 that nobody asked for", answer(rest("HTTP/1.1 206 Part")), 206)
            .with { $0.shapes = [.sendClosure, .get, .image] },
    ]

    private static func rest(_ statusLine: String) -> String {
        statusLine + "\r\nContent-Length: 2\r\n\r\n{}"
    }

    private static func header(_ field: String) -> [Script.Step] {
        answer("HTTP/1.1 200 OK\r\n\(field)\r\nContent-Length: 2\r\n\r\n{}")
    }

    private static func challenge(_ status: String, _ field: String) -> [Script.Step] {
        answer("HTTP/1.1 \(status)\r\n\(field)\r\nContent-Length: 2\r\n\r\n{}", .close)
    }
}
