import LoopbackServer
@testable import Teapot
import TestSupport
import TestTraits
import Testing

/// Text of a user that an app puts into a request. The server says what it received: one request, with the path, fields and
/// items that the app meant, or none.
@Suite(.inTurn)
struct InjectionTests {
    /// Among them the characters whose lowest byte is that of CR, LF, a space or a colon.
    static let texts = [
        "a\r\nX-Injected: yes", "a\nX-Injected: yes", "a\rX-Injected: yes",
        "a\r\n\r\nGET /injected HTTP/1.1\r\nHost: h\r\n\r\n",
        "\u{10D}\u{10A}X-Injected: yes", "嘍嘊X-Injected: yes", "a HTTP/1.1\r\nX-Injected: yes\r\nX: y", "a HTTP/1.1 ",
        "\u{85}X-Injected: yes", "\u{2028}X-Injected: yes", "a\0b", "\u{0B}a\u{0C}b", "%0d%0aX-Injected:%20yes",
        "%0D%0A%0D%0AGET%20/injected", "?injected=1", "#injected", "&injected=1", "a;injected=1", "a=b&c=d+e%2B",
        "../injected", "/../injected", "..%2finjected", "..\\injected", "//injected.example/",
        "http://injected.example/",
        "@injected.example", "..;/injected", "..;a=b/injected", "%2e%2e;/injected", "..%3B/injected", "\u{202E}dejne",
        "'\"><script>", "🫖", "e\u{301}", "a\u{FEFF}b", " ", "", String(repeating: "x", count: 20_000),
    ]

    /// Makes the call, and looks at what the server received, unless it was refused as only `refusal` allows.
    private func expectOneCall(
        _ server: LoopbackServer,
        _ request: Teapot.Request,
        orRefusal refusal: TeapotError.ErrorType? = nil,
        _ check: (ReceivedRequest) throws -> Void
    ) async throws {
        let teapot = Teapot(baseURL: server.baseURL.appending(path: "anything/v1"))
        let before = server.requests.count
        var request = request
        request.timeoutInterval = 60
        let error = await thrown { [request] () throws(TeapotError) in try await teapot.send(request) }
        let received = server.requests[before...]
        guard let one = received.first else {
            let type = try #require(error?.type)
            #expect(type == refusal)
            return
        }
        #expect(received.count == 1)
        #expect(one.header("X-Injected") == nil)
        #expect(one.header("Host") == "127.0.0.1:\(server.port)")
        #expect(one.target.utf8.allSatisfy { (0x21...0x7E).contains($0) })
        #expect(one.method == request.method.rawValue)
        try check(one)
    }

    @Test(arguments: brief(texts))
    func `in a path stays below the base URL`(_ argument: Brief<String>) async throws {
        let text = argument.value
        let server = try LoopbackServer()
        for path in [text, "users/\(text)", "/\(text)/x", "users?q=\(text)"] {
            try await expectOneCall(server, Teapot.Request(path: path), orRefusal: .invalidRequestPath) { received in
                #expect(received.target.hasPrefix("/anything/v1"))
                // However a server reads it: some decode first, some drop what follows a semicolon.
                let segments = (received.path.removingPercentEncoding ?? received.path).replacing("\\", with: "/")
                    .split(separator: "/").map { $0.prefix { $0 != ";" } }
                var depth = 0
                for segment in segments.dropFirst(2) {
                    depth += segment == ".." ? -1 : segment == "." ? 0 : 1
                    #expect(depth >= 0, "\(received.path)")
                }
            }
        }
    }

    @Test(arguments: brief(texts))
    func `in a query item stays that item`(_ argument: Brief<String>) async throws {
        let text = argument.value
        let server = try LoopbackServer()
        let query: QueryItems = ["q": text, text: "v"]
        try await expectOneCall(server, Teapot.Request(path: "users", query: query)) { received in
            #expect(received.path == "/anything/v1/users")
            let items = try #require(received.query).split(separator: "&", omittingEmptySubsequences: false)
                .map { $0.split(separator: "=", omittingEmptySubsequences: false).map { $0.removingPercentEncoding } }
            #expect(items == [["q", text], [text, "v"]])
        }
    }

    @Test(arguments: brief(texts))
    func `in a header field stays its value`(_ argument: Brief<String>) async throws {
        let text = argument.value
        let server = try LoopbackServer()
        let request = Teapot.Request(path: "users", headerFields: ["X-Text": text, "X-Other": "other"])
        try await expectOneCall(server, request, orRefusal: .invalidHeaderField) { received in
            #expect(received.header("X-Text") == text.trimmingCharacters(in: .whitespaces))
            #expect(received.header("X-Other") == "other")
        }
        let named = Teapot.Request(path: "users", headerFields: [text: "v"])
        try await expectOneCall(server, named, orRefusal: .invalidHeaderField) { received in
            #expect(received.headers.contains { $0.name.lowercased() == text.lowercased() })
        }
    }

    @Test(arguments: brief(texts))
    func `in a form stays a name, a filename or a value`(_ argument: Brief<String>) async throws {
        let text = argument.value
        let server = try LoopbackServer()
        var form = MultipartFormData(boundary: "B1")
        form.append("first", name: text)
        form.append(Data("second".utf8), name: "file", filename: text, contentType: "text/plain")
        try await expectOneCall(server, Teapot.Request(.post, path: "users", body: form.body())) { received in
            let body = String(decoding: received.body, as: UTF8.self)
            let lines = body.components(separatedBy: "\r\n")
            #expect(lines.count == 11)
            #expect(lines.filter { $0 == "--B1" }.count == 2)
            #expect(!body.utf8.contains(0))
            #expect(lines[1].utf8.filter { $0 == UInt8(ascii: "\"") }.count == 2)
            #expect(lines[5].utf8.filter { $0 == UInt8(ascii: "\"") }.count == 4)
        }
    }

    /// Cookies of a server go into a header field, too.
    @Test(arguments: brief(texts))
    func `of a server in a cookie stays there`(_ argument: Brief<String>) async throws {
        let text = argument.value
        let server = try LoopbackServer()
        let jar = try #require(CookieJar())
        let fields = ["Set-Cookie": "a=\(text); Path=/"]
        let response = HTTPURLResponse(url: server.baseURL, statusCode: 200, httpVersion: nil, headerFields: fields)
        jar.store(try #require(response), from: server.baseURL)
        guard let cookies = jar.header(for: server.baseURL) else { return }
        #expect(!cookies.holdsControlCharacters)
        // Without its own jar's cookies, as they came.
        try await expectOneCall(server, Teapot.Request(path: "users", headerFields: ["Cookie": cookies])) { received in
            #expect(received.header("Cookie") == cookies.trimmingCharacters(in: .whitespaces))
        }
    }
}
