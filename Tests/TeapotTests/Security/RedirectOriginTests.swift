import LoopbackServer
import Teapot
import TestSupport
import TestTraits
import Testing

/// Redirects to another origin, with every kind of secret on the way and every way to write a location. The tests
/// look at what the server there received: Teapot and libcurl could read one location in two ways.
@Suite(.inTurn)
struct RedirectOriginTests {
    /// Locations of another origin. `HERE` and `THERE` stand for the ports of two servers on 127.0.0.1.
    private static let followed = [
        "http://127.0.0.1:THERE/x", "HTTP://127.0.0.1:THERE/x", "//127.0.0.1:THERE/x", "http://127.0.0.1:0THERE/x",
        "http://localhost:THERE/x", "http://LOCALHOST:THERE/x", "http://localhost:HERE/x",
        // User information.
        "http://u:p@127.0.0.1:THERE/x", "http://127.0.0.1:HERE@127.0.0.1:THERE/x", "http://@127.0.0.1:THERE/x",
        "http://127.0.0.1:HERE%40@127.0.0.1:THERE/x", "//127.0.0.1:HERE@127.0.0.1:THERE/x",
        // It cannot be decoded.
        "http://%E2%82:%FF@127.0.0.1:THERE/x",
    ]

    /// Most of the others lead nowhere, or stay here.
    static let locations =
        followed + [
            "http://127.1:THERE/x", "http://0x7f.1:THERE/x", "http://2130706433:THERE/x", "http://127.0.0.1.:THERE/x",
            "http://localhost.:THERE/x",
            // The same server by another name is another origin.
            "http://localhost.:HERE/x", "http://127.1:HERE/x", "http://0x7f000001:HERE/x",
            "http://127.0.0.1.:HERE/x", "http://127.0.0.%31:HERE/x", "http://%31%32%37.0.0.1:HERE/x",
            // Looks like user information, and is not.
            "http://127.0.0.1:HERE@x@127.0.0.1:THERE/x", "http://[::1]@127.0.0.1:THERE/x",
            // Characters that some parsers take for a slash, or for the end of the host.
            "http://127.0.0.1:HERE\\@127.0.0.1:THERE/x", "http://127.0.0.1:THERE\\@127.0.0.1:HERE/x",
            "http:\\\\127.0.0.1:THERE/x", "/\\127.0.0.1:THERE/x", "\\\\127.0.0.1:THERE/x", "http:/\\127.0.0.1:THERE/x",
            "http://127.0.0.1:HERE#@127.0.0.1:THERE/x", "http://127.0.0.1:THERE#@127.0.0.1:HERE/x",
            "http://127.0.0.1:HERE?@127.0.0.1:THERE/x", "http://127.0.0.1:THERE?@127.0.0.1:HERE/x",
            "http://127.0.0.1:HERE;@127.0.0.1:THERE/x", "http://127.0.0.1%3AHERE@127.0.0.1:THERE/x",
            "http://127.0.0.1%2F@127.0.0.1:THERE/x", "http://127.0.0.1:THERE%2F@127.0.0.1:HERE/x",
            "http://127.0.0.1%00.example:THERE/x", "http://127.0.0.1 @127.0.0.1:THERE/x", "http:// 127.0.0.1:THERE/x",
            "http://127.0.0.1:THERE /x", " http://127.0.0.1:THERE/x", "http:127.0.0.1:THERE/x",
            "http:/127.0.0.1:THERE/x",
            "http:///127.0.0.1:THERE/x", "////127.0.0.1:THERE/x", "/.//127.0.0.1:THERE/x", "..//127.0.0.1:THERE/x",
            "http://127.0.0.1:THERE, http://127.0.0.1:HERE/x", "http://127.0.0.1:HERE, http://127.0.0.1:THERE/x",
            "http://１２７.0.0.1:THERE/x", "http://127。0。0。1:THERE/x", "http://localhoſt:THERE/x",
            "http://loc\u{AD}alhost:THERE/x",
            "http://[::ffff:127.0.0.1]:THERE/x", "http://127.0.0.1:THERE:HERE/x", "http://127.0.0.1:HERE:THERE/x",
            "http://127.0.0.1:+THERE/x", "http://127.0.0.1:HERE\tx@127.0.0.1:THERE/x", "http://127.0.0.1:\tTHERE/x",
        ]

    /// Header fields that only one origin may see.
    static let secrets = [
        "Authorization": "Bearer s3cret-1", "Cookie": "sid=s3cret-2", "Proxy-Authorization": "Basic s3cret-3",
        "X-Api-Key": "s3cret-4", "X-Auth-Token": "s3cret-5", "X-Tenant": "s3cret-6", "api_key": "s3cret-7",
        "cookie2": "safe",
    ]

    private func teapot(_ server: LoopbackServer) throws -> Teapot {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-Session-Token": "s3cret-8"]
        let url = "http://s3cret-9:s3cret-10@127.0.0.1:\(server.port)/v1?api_key=s3cret-11"
        let teapot = Teapot(baseURL: try #require(URL(string: url)), configuration: configuration)
        teapot.secretPolicy = .standard.adding(["X-Tenant"])
        return teapot
    }

    @Test(arguments: locations)
    func `no secret leaves its origin`(location: String) async throws {
        let there = try LoopbackServer()
        let here = try LoopbackServer()
        let target = location.replacing("THERE", with: "\(there.port)").replacing("HERE", with: "\(here.port)")
        let head = "HTTP/1.1 307 Moved\r\nLocation: \(target)\r\nSet-Cookie: jar=s3cret-12; Path=/\r\n"
        here.run(Script([.readRequest, .send(head + "Content-Length: 0\r\nConnection: close\r\n\r\n")]))
        let teapot = try teapot(here)
        for fields in [Self.secrets, Self.secrets.filter { $0.key != "Cookie" && $0.key != "Authorization" }] {
            _ = await result {
                teapot.post(
                    "a?token=s3cret-13",
                    headerFields: fields,
                    timeoutInterval: 60,
                    deliveryQueue: .global(),
                    completion: $0
                )
            }
            here.run(Script([.readRequest, .send(head + "Content-Length: 0\r\nConnection: close\r\n\r\n")]))
        }
        let encoded = Data("s3cret-9:s3cret-10".utf8).base64EncodedString()
        #expect(here.requests.first?.head.contains("s3cret-8") == true)
        for request in there.requests {
            // Cookies are sent to every port of a host (RFC 6265, section 8.5).
            let isSameHost = request.header("Host") == "127.0.0.1:\(there.port)"
            let head = isSameHost ? request.head.replacing("jar=s3cret-12", with: "") : request.head
            #expect(!head.contains("s3cret"), "\(request.head)")
            #expect(!head.contains(encoded))
            #expect(request.header("Referer") == nil)
        }
        // Under another name here is elsewhere, too.
        let elsewhere = here.requests.filter { $0.header("Host") != "127.0.0.1:\(here.port)" }
        for request in elsewhere { #expect(!request.head.contains("s3cret"), "\(request.head)") }
        if Self.followed.contains(location) { #expect(there.requests.count + elsewhere.count == 2) }
    }

    /// The cookie of a host goes to its other ports (RFC 6265, section 8.5), but what a caller set does not.
    @Test func `a caller's cookie is not sent again after a redirect to another origin and back`() async throws {
        let there = try LoopbackServer()
        let here = try LoopbackServer()
        func redirect(to server: LoopbackServer) -> Script {
            let location = "\(server.baseURL)/get"
            return Script([
                .readRequest, .send("HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n"),
            ])
        }
        here.run(redirect(to: there))
        there.run(redirect(to: here))
        let teapot = Teapot(baseURL: here.baseURL)
        try await teapot.send(Teapot.Request(path: "a", headerFields: Self.secrets).with { $0.timeoutInterval = 60 })
        #expect(here.requests.count == 2)
        #expect(here.requests.last?.header("Authorization") == nil)
        #expect(here.requests.last?.header("Cookie") == nil)
    }
}
