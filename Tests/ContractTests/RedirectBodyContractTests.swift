import LoopbackServer
import Teapot
import TestSupport
import TestTraits
import Testing

#if os(Linux)
    import TeapotCurl
#endif

/// A redirect is followed whatever becomes of its body, which nobody reads.
///
/// `URLSession` on Linux keeps a redirect to itself until its body is whole: there, a timeout ends the call.
@Suite(.inTurn)
struct RedirectBodyContractTests {
    /// Backends that see a response before its body.
    static let seeing = Backend.scriptable.filter { $0 != .loopback && $0 != .cached || !isLinux }
    private static var isLinux: Bool {
        #if os(Linux)
            true
        #else
            false
        #endif
    }

    private static func moved(_ status: Int, _ fields: [(name: String, value: String)] = [], _ body: String)
        -> ScriptedAnswer
    { ScriptedAnswer(status, [("Location", "/tea")] + fields, body) }

    @Test(arguments: seeing, [301, 302, 303, 307, 308])
    func `a redirect is followed if its body is cut off`(_ backend: Backend, status: Int) async throws {
        let (teapot, server) = try backend.teapot(answering: [
            "/moved": Self.moved(status, [], "0123456789").breakingOff(after: 5),
            "/tea": ScriptedAnswer(200, [], "[1]"),
        ])
        let plugin = WatchingPlugin()
        teapot.plugins = [plugin]
        for _ in 0..<2 { #expect(try await teapot.get("moved", as: [Int].self) == [1]) }
        let folder = try TemporaryFolder()
        try await teapot.download("moved", to: folder.file("tea"))
        #expect(folder.text("tea") == "[1]")
        #expect(plugin.all.filter { $0 == "didReceive \(status) GET /moved" }.count == 3)
        #expect(plugin.problems.isEmpty)
        withExtendedLifetime(server) {}
    }

    @Test(arguments: seeing, [3, nil])
    func `a redirect is followed if its body is too large`(_ backend: Backend, limit: Int?) async throws {
        let body = String(repeating: "tea ", count: limit == nil ? 100_000 : 10)
        let (teapot, server) = try backend.teapot(answering: [
            "/moved": Self.moved(302, [], body), "/tea": ScriptedAnswer(200, [], "[1]"),
        ])
        teapot.maximumResponseSize = limit
        #expect(try await teapot.get("moved").text == "[1]")
        withExtendedLifetime(server) {}
    }

    /// Nothing is known of a redirect that is not followed but its response: that is kept whole.
    @Test(arguments: seeing)
    func `a redirect that is not followed keeps its body, and its error`(_ backend: Backend) async throws {
        let body = String(repeating: "tea ", count: 100_000)
        let (teapot, server) = try backend.teapot(answering: [
            "/there": ScriptedAnswer(302, [("Location", "file:///tea")], body), "/moved": Self.moved(302, [], body),
            "/cut": ScriptedAnswer(302, [("Location", "file:///tea")], body).breakingOff(after: 5),
        ])
        let error = await thrown { () throws(TeapotError) in try await teapot.get("there") }
        #expect(error?.type == .invalidResponseStatus)
        #expect(error?.data?.count == body.utf8.count)
        let accepted = try await teapot.send(Teapot.Request(path: "moved").with { $0.acceptedStatuses = [302] })
        #expect(accepted.data.count == body.utf8.count)
        let cut = await thrown { () throws(TeapotError) in try await teapot.get("cut") }
        #expect(cut?.type == .dataTaskError)
        withExtendedLifetime(server) {}
    }

    #if os(Linux)
        private static func redirect(_ fields: String, _ status: String = "302 Found") -> Script.Step {
            .send("HTTP/1.1 \(status)\r\nLocation: /get\r\n\(fields)\r\n")
        }

        private static let chunked = "Transfer-Encoding: chunked\r\n"

        /// Bodies that do not end by themselves, or are not what they seem.
        private static let faults: [(name: String, steps: [Script.Step])] = [
            ("mislabelled", [redirect("Content-Encoding: gzip\r\nContent-Length: 5\r\n"), .send("plain")]),
            ("of an unknown coding", [redirect("Content-Encoding: tea\r\nContent-Length: 5\r\n"), .send("plain")]),
            ("with a chunk that is none", [redirect(chunked), .send("tea\r\n")]),
            ("cut in a chunk", [redirect(chunked), .send("5\r\nte"), .close]),
            ("reset", [redirect("Content-Length: 5\r\n"), .reset]),
            ("silent", [redirect("Content-Length: 5\r\n"), .stall]),
            ("silent after its beginning", [redirect(chunked), .send("3\r\ntea\r\n"), .stall]),
            ("endless", [redirect("")] + Array(repeating: .send(Data(count: 50_000)), count: 400) + [.stall]),
        ]

        @Test(arguments: brief(faults.indices) { faults[$0].name })
        func `over libcurl, a redirect is followed if its body is`(_ row: Brief<Int>) async throws {
            let server = try LoopbackServer(scripts: [Script([.readRequest] + Self.faults[row.value].steps)])
            let teapot = Teapot(baseURL: server.baseURL, transport: CurlTransport())
            teapot.timeoutInterval = .infinity
            #expect(try await teapot.get("moved").status == 200)
            #expect(server.requests.map(\.path) == ["/moved", "/get"])
        }

        /// The server has answered before it has read the body, and does not read it.
        @Test(arguments: ["303 See Other", "307 Temporary Redirect"])
        func `over libcurl, a body that is still being sent does not hold up a redirect`(status: String) async throws {
            let location = status.hasPrefix("307") ? "/post" : "/get"
            let head = "HTTP/1.1 \(status)\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n"
            let server = try LoopbackServer(scripts: [Script([.readHead, .send(head), .stall])])
            let teapot = Teapot(baseURL: server.baseURL, transport: CurlTransport())
            teapot.timeoutInterval = .infinity
            let folder = try TemporaryFolder()
            let size = 20_000_000
            try Data(count: size).write(to: folder.file("body"))
            let response = try await teapot.send(.init(.post, path: "a", body: .file(folder.file("body"))))
            #expect(response.status == 200)
            // The first one was never read as a whole.
            #expect(server.requests.map(\.path) == [location])
        }

        @Test func `over libcurl, a connection is kept after a redirect with a small body`() async throws {
            let body = String(repeating: "tea ", count: 500)
            let head = "HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
            let server = try LoopbackServer(scripts: [
                Script([
                    .readRequest, .send(head), .send(body), .readRequest,
                    .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]"),
                ])
            ])
            let teapot = Teapot(baseURL: server.baseURL, transport: CurlTransport())
            #expect(try await teapot.get("here").text == "[]")
            // By the script of the first connection.
            #expect(server.requests.map(\.path) == ["/here", "/there"])
        }

        @Test func `the deadline ends a call in the body of a redirect`() async throws {
            let server = try LoopbackServer(scripts: [
                Script([.readRequest, Self.redirect("Content-Length: 5\r\n"), .stall])
            ])
            let teapot = Teapot(baseURL: server.baseURL, transport: CurlTransport())
            let request = Teapot.Request(path: "moved").with { $0.deadline = .milliseconds(300) }
            let error = await thrown { () throws(TeapotError) in try await teapot.send(request) }
            #expect(error?.code == .timedOut)
            #expect(error?.failureReason == "the call's deadline has passed")
            #expect(server.requests.map(\.path) == ["/moved"])
        }
    #endif
}
