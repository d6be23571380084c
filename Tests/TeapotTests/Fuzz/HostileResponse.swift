import Foundation
import LoopbackServer

/// A response of a hostile server: composed at random, and then mostly damaged.
struct HostileResponse {
    private(set) var bytes: [UInt8]
    let isReset: Bool
    /// The status of the undamaged response, unless it is a redirect. The outcome has this status or none.
    let status: Int?

    init(_ generator: inout SeededGenerator) {
        let body = Self.body(&generator)
        let (interim, statusLine) = (Self.interim(&generator), Self.statusLine(&generator))
        var head = interim + statusLine
        for _ in 0..<generator.number(0...5) {
            head += Self.field(&generator)
        }
        var (framing, framed) = Self.framed(body, &generator)
        let times = generator.pick([0, 1, 1, 2, 4])
        let code = statusLine.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        let isPlain = times == 0 && code.map { !(301...308).contains($0) } ?? false && !interim.contains(" 101 ")
        status = isPlain ? code : nil
        head += framing + "\r\n"
        switch generator.number(0...5) {
        case 0...2: bytes = Mutation.damage(Array(head.utf8), times: times, &generator) + framed
        case 3:
            framed = Mutation.damage(framed, times: times, &generator)
            fallthrough
        case 4: bytes = Array(head.utf8) + framed
        default: bytes = Mutation.damage(Array(head.utf8) + framed, times: times, &generator)
        }
        isReset = generator.oneIn(10)
    }

    /// The server's script, which sometimes sends the response in several pieces.
    func script(_ generator: inout SeededGenerator) -> Script {
        var steps: [Script.Step] = generator.oneIn(20) ? [] : [.readRequest]
        let cuts = (0..<generator.pick([0, 0, 1, 3])).map { _ in
            generator.number(0...bytes.count)
        }
        var start = 0
        for cut in cuts.sorted() + [bytes.count] {
            steps.append(.send(Data(bytes[start..<cut])))
            if cut < bytes.count { steps.append(.pause(0.001)) }
            start = cut
        }
        return Script(steps + [isReset ? .reset : .close])
    }

    // MARK: - The header

    private static func statusLine(_ generator: inout SeededGenerator) -> String {
        let statuses = [
            "200 OK", "200 OK", "200 OK", "200 ", "201 Created", "204 No Content", "205 Reset", "206 Partial Content",
            "206 Partial Content", "301 Moved", "302 Found", "303 See Other", "304 Not Modified", "307 Temporary",
            "308 Permanent", "300 Choices", "401 Unauthorized", "401 Unauthorized", "407 Proxy", "404 Not Found",
            "416 Range", "417 Expectation", "421 Misdirected", "426 Upgrade", "500 Oh", "503 Busy", "100 Continue",
            "101 Switching", "199 X", "000 X", "99 X", "999 X", "1000 X", "600 X", "-1 X", "2 00",
        ]
        let versions = ["1.1", "1.1", "1.1", "1.1", "1.1", "1.0", "2", "0.9", "3", "9.9", "1.2"]
        return "HTTP/\(generator.pick(versions)) \(generator.pick(statuses))\r\n"
    }

    private static func interim(_ generator: inout SeededGenerator) -> String {
        let responses = [
            "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 102 Processing\r\nX: y\r\n\r\n",
            "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n",
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
        ]
        guard generator.oneIn(8) else { return "" }
        return (0...generator.number(0...2)).map { _ in generator.pick(responses) }
            .joined()
    }

    private static let fields: KeyValuePairs<String, [String]> = [
        "Content-Type": [
            "application/json", "text/html; charset=utf-8", "text/plain; charset=\"utf-8\"; q=\"a\\\"b;c\"",
            "image/png",
            ";;", "text/plain; charset=", "a/b; =; x; \"", "multipart/byteranges; boundary=x",
            "text/plain;charset=\"",
        ],
        "Content-Disposition": [
            "attachment; filename=\"a.txt\"", "attachment; filename=\"../../etc/passwd\"", "inline; filename=",
            "attachment; filename*=UTF-8''%e2%82%ac", "attachment; filename=\"a\\\"; b=\"c", "filename=\"", ";",
            "=",
        ],
        "Content-Encoding": ["gzip", "deflate", "identity", "br", "gzip, gzip", "x", "", "compress", "gzip, x"],
        "Content-Range": [
            "bytes 0-1/2", "bytes 0-1/*", "bytes */2", "bytes 9223372036854775807-9223372036854775807/1", "x",
        ],
        "Set-Cookie": [
            "a=b", "a=b; Path=/; HttpOnly", "a=b; Max-Age=99999999999999999999", "a=b; Domain=.1",
            "a=\"b,c\"; Secure",
            "a=b; Expires=Wed, 21 Oct 2099 07:28:00 GMT", "a=b; Expires=Thu, 99 Foo 0000 99:99:99", "=", ";", "a",
            "__Host-a=b", "a=b, c=d",
        ],
        "WWW-Authenticate": [
            "Basic realm=\"x\"", "Basic", "basic REALM=x", "Digest realm=\"x\", nonce=\"y\", qop=\"auth\"",
            "Bearer",
            "Negotiate", "NTLM", "NTLM TlRMTVNTUAACAAAA", "Basic realm=\"x\", Digest realm=\"y\"", "Basic realm=\"",
            "Basic realm=\"a\\\"b\", charset=\"UTF-8\"", ", ,", "=", "Basic realm=x realm=y", "", "Basic =\"x\"",
            "\"",
        ],
        "Proxy-Authenticate": ["Basic realm=\"x\"", "NTLM"],
        "Connection": ["close", "keep-alive", "upgrade", "x", "close, keep-alive", ""],
        "Keep-Alive": ["timeout=5, max=1", "timeout=-1", "x"],
        "Upgrade": ["h2c", "websocket", "TLS/1.0"],
        "Alt-Svc": ["h2=\":1\"; ma=9", "clear", "h3=\"x:y\""],
        "Strict-Transport-Security": ["max-age=1", "max-age=99999999999999999999"],
        "Retry-After": ["5", "-1", "99999999999999999999", "Wed, 21 Oct 2099 07:28:00 GMT"],
        "ETag": ["\"a\"", "W/\"a\"", "x", ""],
        "Last-Modified": ["Wed, 21 Oct 2015 07:28:00 GMT", "x"],
        "Date": ["Wed, 21 Oct 2020 07:28:00 GMT", "x"],
        "Link": ["<http://127.0.0.1/?token=x>; rel=next"],
        "Trailer": ["X-T"],
        "X-Folded": ["a\r\n b", "\r\n\tb", "", " ", "\t"],
        "": ["x", ""],
        "X-Long": [String(repeating: "x", count: 5_000)],
    ]

    private static let locations = [
        "/get", "get", "/self", "", "?q=1", "#f", "//127.0.0.1:1/x", "http://127.0.0.1:1/x", "http://127.0.0.1:1",
        "HTTP://127.0.0.1:1/", "/a b", "/%zz", "/ü", "http://", "http:///x", "//", "///x", "file:///etc/passwd",
        "mailto:a",
        "http://u:p@127.0.0.1:1/", "http://[::1]:1/x", "//[::1]/x", "//[::1]:1", "http://127.0.0.1:99999/", "//:1", ":",
        "http://127.0.0.1:-1/", "../../x", ".", "x:y", "data:,x", "//h\u{301}/", "//a%2Fb/", "//a%00b/",
        "//[fe80::1%25x]/",
        "//[v1.x]/", "[::1]", "//u@[::1]/", "//xn--a/", "//%/", "//a b/", "//127.0.0.1:1:2/", "http:x", "\\\\x\\y",
        "//a\\b/",
    ]

    private static func field(_ generator: inout SeededGenerator) -> String {
        if generator.oneIn(5) {
            return "Location: \(generator.pick(locations))\r\n"
        }
        let (name, values) = fields[generator.number(0...fields.count - 1)]
        return "\(name): \(generator.pick(values))\r\n"
    }

    // MARK: - The body

    private static func body(_ generator: inout SeededGenerator) -> [UInt8] {
        let bodies: [[UInt8]] = [
            [], Array(#"{"a":[1,2,{"b":null}]}"#.utf8), Array(#"[{"a":1}]"#.utf8), Array("text\nin lines\r\n\r\n".utf8),
            [
                0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 9, 0, 0,
                0, 9,
            ],
            Array(repeating: 0x61, count: 40_000), Array("ab".utf8), [0, 0xFF, 0xC3],
        ]
        return generator.pick(bodies)
    }

    /// The last header fields, and what follows the header.
    private static func framed(_ body: [UInt8], _ generator: inout SeededGenerator) -> (fields: String, bytes: [UInt8])
    {
        var (fields, body) = ("", body)
        if generator.oneIn(5) {
            let isGzip = generator.oneIn(2)
            fields = "Content-Encoding: \(isGzip ? "gzip" : "deflate")\r\n"
            body = Array(isGzip ? StoredCompression.gzip(Data(body)) : StoredCompression.zlib(Data(body)))
        }
        let lengths = [
            "\(body.count + 1)", "\(max(body.count - 1, 0))", "0", "-1", "x", "", "1,1", "9223372036854774784",
        ]
        switch generator.number(0...9) {
        case 0...3: fields += "Content-Length: \(body.count)\r\n"
        case 4: fields += "Content-Length: \(generator.pick(lengths))\r\n"
        case 5:
            fields += "Content-Length: \(body.count)\r\nContent-Length: \(generator.pick(lengths))\r\n"
        case 6, 7:
            fields += "Transfer-Encoding: chunked\r\n"
            return (fields, chunked(body, &generator))
        case 8:
            fields += "Transfer-Encoding: chunked\r\nContent-Length: \(body.count)\r\n"
            return (fields, chunked(body, &generator))
        default: break
        }
        return (fields, body)
    }

    private static func chunked(_ body: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = body[...]
        while !rest.isEmpty {
            let chunk = rest.prefix(generator.number(1...max(body.count, 1)))
            let suffix = generator.pick(["", "", "", ";x=y", ";", " "])
            bytes += Array("\(String(chunk.count, radix: 16))\(suffix)\r\n".utf8) + chunk + Array("\r\n".utf8)
            rest = rest.dropFirst(chunk.count)
        }
        return bytes
            + Array(generator.pick(["0\r\n\r\n", "0\r\n\r\n", "0\r\n\r\nX", "0\r\nX-T: v\r\n\r\n", "0", ""]).utf8)
    }
}
