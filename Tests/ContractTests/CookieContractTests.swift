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
            storedIfJoined: ["role=admin", "theme=blue"]
        ),
        Setting(fields: ["a=1; Expires=Wed, 09 Jun 2100 10:18:14 GMT", "b=2"], stored: ["a=1", "b=2"]),
        Setting(fields: ["a=1; Expires=Wednesday, 09-Jun-49 10:18:14 GMT; Path=/"], stored: ["a=1"]),
        Setting(fields: ["a=1; Expires=Wed, x=1; Path=/"], stored: ["a=1"]),
        Setting(fields: ["a=\"x, admin=true\"; Path=/", "b=2"], stored: ["a=\"x, admin=true\"", "b=2"]),
        Setting(fields: ["a=\"x, b=2"], stored: ["a=\"x, b=2"], storedIfJoined: ["a=\"x", "b=2"]),
        Setting(fields: ["a=x,y=z"], stored: ["a=x,y=z"]),
        Setting(fields: ["a=x, y", "b=2"], stored: ["a=x, y", "b=2"]),
        Setting(fields: ["a=1,", "b=2"], stored: ["a=1,", "b=2"]),
        Setting(fields: ["a=1", "a=2"], stored: ["a=2"]),
        Setting(fields: ["a=1, b=2; Max-Age=0"], stored: [], storedIfJoined: ["a=1"]),
        Setting(fields: ["a=1; Path=/, b=2"], stored: ["a=1"], storedIfJoined: ["a=1", "b=2"]),
        Setting(fields: ["=x, b=2"], stored: [], storedIfJoined: ["b=2"]),
        Setting(fields: ["a", "b=2"], stored: ["b=2"]),
    ]

    /// The cookies that a client stores after each response.
    private func stored(_ settings: [Setting], over transport: any Transport) async throws -> [[String]] {
        let server = try LoopbackServer(
            scripts: settings.map { setting in
                let fields = setting.fields.map { "Set-Cookie: \($0)\r\n" }.joined()
                let head = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n"
                return Script([.readRequest, .send("\(head)\(fields)\r\n"), .close])
            }
        )
        var all: [[String]] = []
        for _ in settings {
            let teapot = Teapot(baseURL: server.baseURL, transport: transport)
            try await teapot.get("get", timeoutInterval: 60)
            all.append(teapot.cookies.all.map { "\($0.name)=\($0.value)" }.sorted())
        }
        return all
    }

    @Test func `URLSession joins fields, and an ambiguous comma separates two cookies`() async throws {
        let stored = try await stored(Self.settings, over: URLSessionTransport())
        #expect(stored == Self.settings.map { ($0.storedIfJoined ?? $0.stored).sorted() })
    }

    #if os(Linux)
        @Test func `CurlTransport keeps fields apart, and a field sets one cookie`() async throws {
            let stored = try await stored(Self.settings, over: CurlTransport())
            #expect(stored == Self.settings.map { $0.stored.sorted() })
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
