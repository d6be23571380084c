import LoopbackServer
import Teapot
import TeapotCache
import TeapotCurl
import TestSupport
import TestTraits
import Testing

/// Cookies that servers set and see.
@Suite(.inTurn)
struct CookieContractTests {
    /// The `Set-Cookie` fields of a response, and the cookies that are stored: with the fields as received, and with the fields
    /// joined, as FoundationNetworking does.
    struct Setting: Sendable {
        var fields: [String]
        var stored: [String]
        var storedIfJoined: [String]?
    }

    private static let settings = [
        Setting(
            fields: ["theme=blue, role=admin; Path=/"],
            stored: ["theme=blue, role=admin"],
            storedIfJoined: ["theme=blue", "role=admin"]
        ),
        Setting(fields: ["a=1; Expires=Wed, 09 Jun 2100 10:18:14 GMT", "b=2"], stored: ["a=1", "b=2"]),
        Setting(fields: ["a=1; Expires=Wednesday, 09-Jun-49 10:18:14 GMT; Path=/"], stored: ["a=1"]),
        Setting(fields: ["a=1; Expires=Wed, x=1; Path=/"], stored: ["a=1"], storedIfJoined: ["a=1", "x=1"]),
        Setting(fields: ["seen=Wed, 09 Jun 2100 10:18:14 GMT"], stored: ["seen=Wed, 09 Jun 2100 10:18:14 GMT"]),
        Setting(fields: ["a=\"x, admin=true\"; Path=/", "b=2"], stored: ["a=\"x, admin=true\"", "b=2"]),
        Setting(fields: ["a=\"x, b=2"], stored: ["a=\"x, b=2"], storedIfJoined: ["a=\"x", "b=2"]),
        Setting(fields: ["a=x,y=z"], stored: ["a=x,y=z"]),
        Setting(fields: ["a=x, y", "b=2"], stored: ["a=x, y", "b=2"], storedIfJoined: ["a=x", "b=2"]),
        Setting(fields: ["a=x,"], stored: ["a=x,"], storedIfJoined: ["a=x"]),
        Setting(fields: ["a=1,", "b=2"], stored: ["a=1,", "b=2"]),
        Setting(fields: ["a=1", "a=2"], stored: ["a=2"]),
        Setting(fields: ["a=1, b=2; Max-Age=0"], stored: [], storedIfJoined: ["a=1"]),
        Setting(fields: ["a=1; Path=/, b=2"], stored: ["a=1; Path=/, b=2"], storedIfJoined: ["a=1", "b=2"]),
        Setting(fields: ["=x, b=2"], stored: [], storedIfJoined: ["b=2"]),
        Setting(fields: ["a", "b=2"], stored: ["b=2"]),
        // Text that is no cookie, and names of any kind, behind an attribute.
        Setting(fields: ["a=1", "flag", "b=2"], stored: ["a=1", "b=2"]),
        Setting(fields: ["a=1; Path=/get", "novalue; Path=/"], stored: ["a=1; Path=/get"]),
        Setting(fields: ["a=1; Path=/get", "=x", "b=2"], stored: ["a=1; Path=/get", "b=2"]),
        Setting(fields: ["a=1; Path=/get", "", "b=2"], stored: ["a=1; Path=/get", "b=2"]),
        Setting(fields: ["a=1; Path=/get", ""], stored: ["a=1; Path=/get"]),
        Setting(fields: ["a=1; Path=/get", "b[x]=2; Path=/"], stored: ["a=1; Path=/get", "b[x]=2"]),
        Setting(fields: ["a=1; Path=/get", "ü=2"], stored: ["a=1; Path=/get", "ü=2"]),
        Setting(fields: ["a=1", "a=; Max-Age=0", "novalue"], stored: []),
        Setting(fields: ["a=1; Note=x, y; Max-Age=0"], stored: []),
        Setting(fields: ["a=1; Path=/get, b; Path=/"], stored: ["a=1"], storedIfJoined: ["a=1; Path=/get"]),
        // Tabs, and control characters of two bytes.
        Setting(fields: ["a\t=\t1\t2\t;\tPath=/get"], stored: ["a=1\t2; Path=/get"]),
        Setting(fields: ["a=\u{80}\u{9F}"], stored: ["a=\u{80}\u{9F}"]),
        // The order of creation.
        Setting(fields: ["z=1", "m=1", "a=1", "m=2"], stored: ["z=1", "m=2", "a=1"]),
    ]

    /// The cookies that a client stores after each response, in the order in which it sends them. A path is named unless it is `/`.
    private func stored(_ settings: [Setting], over transport: any Transport) async throws -> [[String]] {
        let server = try LoopbackServer()
        var all: [[String]] = []
        for setting in settings {
            let fields = setting.fields.map { "Set-Cookie: \($0)\r\n" }.joined()
            let head = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n"
            server.run(Script([.readRequest, .send("\(head)\(fields)\r\n"), .close]))
            let teapot = Teapot(baseURL: server.baseURL, transport: transport)
            try await teapot.send(Teapot.Request(path: "get").with { $0.timeoutInterval = 60 })
            let cookies = teapot.cookies.all
            all.append(cookies.map { "\($0.name)=\($0.value)\($0.path == "/" ? "" : "; Path=\($0.path)")" })
            guard cookies.allSatisfy({ $0.path == "/" }) else { continue }
            try await teapot.send(
                Teapot.Request(path: "get", headerFields: ["Connection": "close"]).with { $0.timeoutInterval = 60 }
            )
            let sent = cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
            #expect(server.requests.last?.header("Cookie") ?? "" == sent)
        }
        return all
    }

    @Test func `URLSession joins fields, and an ambiguous comma separates two cookies`() async throws {
        let stored = try await stored(Self.settings, over: URLSessionTransport())
        #expect(stored == Self.settings.map { $0.storedIfJoined ?? $0.stored })
    }

    #if os(Linux)
        @Test func `CurlTransport keeps fields apart, and a field sets one cookie`() async throws {
            let stored = try await stored(Self.settings, over: CurlTransport())
            #expect(stored == Self.settings.map(\.stored))
        }

        /// Over `URLSession`, a response with bytes that are not UTF-8 fails.
        @Test func `the same bytes go back over CurlTransport`() async throws {
            let cookies: [[UInt8]] = [
                Array("a=caf".utf8) + [0xE9], Array("b=café".utf8), Array("c=".utf8) + [0x80, 0x9F, 0xFF],
                Array("d=\u{10F0E9}".utf8), Array("e=é".utf8) + [0xC3],
            ]
            var head = Data("HTTP/1.1 302 See\r\nLocation: /there\r\nContent-Length: 0\r\nETag: \"".utf8) + [0xE9]
            head += Data("\"\r\nX-Latin: caf".utf8) + [0xE9] + Data("\r\n".utf8)
            for cookie in cookies { head += Data("Set-Cookie: ".utf8) + cookie + Data("\r\n".utf8) }
            let ok = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
            let again = Array(repeating: [Script.Step.readRequest, .send(ok)], count: 4).flatMap { $0 }
            let server = try LoopbackServer(scripts: [Script([.readRequest, .send(head + Data("\r\n".utf8))] + again)])
            let teapot = Teapot(baseURL: server.baseURL, transport: CurlTransport())
            try await teapot.get("get")
            #expect(teapot.cookies["b"] == "café")
            // They can be saved.
            let saved = try JSONEncoder().encode(teapot.cookies.all)
            teapot.cookies.removeAll()
            try teapot.cookies.set(try JSONDecoder().decode([Teapot.Cookie].self, from: saved))
            try await teapot.get("get")
            // A caller's own text is sent as UTF-8.
            try await teapot.get("get", headerFields: ["Cookie": "f=é", "X-Tea": "é"])
            let lines = server.requests.map { request in
                request.headBytes.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: Data("Cookie: ".utf8)) }
            }
            let sent = Data("Cookie: ".utf8) + cookies.joined(separator: Data("; ".utf8)) + Data("\r".utf8)
            #expect(lines == [nil, sent, sent, Data("Cookie: f=é\r".utf8)])
            #expect(server.requests.last?.header("X-Tea") == "é")
        }

        @Test func `texts that are equal and have other bytes are sent as they are over CurlTransport`() async throws {
            let ok = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
            let answers = Array(repeating: [Script.Step.readRequest, .send(ok)], count: 2).flatMap { $0 }
            let server = try LoopbackServer(scripts: [Script(answers)])
            let teapot = Teapot(baseURL: server.baseURL, transport: CurlTransport())
            for value in ["e\u{301}", "\u{e9}"] {
                try await teapot.get("get", headerFields: ["X-Tea": value])
                #expect(server.requests.last?.headBytes.range(of: Data("X-Tea: \(value)\r".utf8)) != nil)
            }
        }

        @Test func `the bytes of an ETag go back over CurlTransport`() async throws {
            let head = Data("HTTP/1.1 200 OK\r\nCache-Control: no-cache\r\nContent-Length: 2\r\nETag: \"".utf8) + [0xE9]
            let first = head + Data("\"\r\n\r\n{}".utf8)
            let server = try LoopbackServer(scripts: [
                Script([
                    .readRequest, .send(first), .readRequest, .send("HTTP/1.1 304 Not Modified\r\n\r\n"),
                ])
            ])
            let teapot = Teapot(baseURL: server.baseURL, transport: CachingTransport(wrapping: CurlTransport()))
            for _ in 0..<2 { #expect(try await teapot.get("get").text == "{}") }
            let field = Data("If-None-Match: \"".utf8) + [0xE9] + Data("\"\r".utf8)
            #expect(server.requests.last?.headBytes.split(separator: UInt8(ascii: "\n")).contains(field) == true)
        }
    #endif
}
