import LoopbackServer
import Teapot
import TestSupport
import TestTraits
import Testing

/// Redirects over HTTP, between two origins.
@Suite(.inTurn)
struct RedirectTests {
    private static let secrets = [
        "Authorization": "Bearer s3cret", "Cookie": "sid=s3cret", "Proxy-Authorization": "Basic s3cret",
        "X-Api-Key": "s3cret", "X-Auth-Token": "s3cret",
    ]

    /// Says that the connection closes: one that is closed without a word can take a request with a body along.
    private func redirect(to url: String, status: Int = 302, body: String = "") -> Script {
        let head = "HTTP/1.1 \(status) Moved\r\nLocation: \(url)\r\nContent-Length: \(body.utf8.count)\r\n"
        return Script([.readRequest, .send(head + "Connection: close\r\n\r\n" + body)])
    }

    @Test func `credentials are dropped when the origin changes`() async throws {
        let there = try LoopbackServer()
        let here = try LoopbackServer(scripts: [redirect(to: there.baseURL.absoluteString + "/get")])
        let teapot = Teapot(baseURL: here.baseURL)
        let fields = Self.secrets.merging(["X-Tea": "green"]) { $1 }
        let result = await result {
            teapot.get("get", headerFields: fields, timeoutInterval: 60, deliveryQueue: .global(), completion: $0)
        }
        #expect(result.isSuccess)
        let first = try #require(here.requests.first)
        let second = try #require(there.requests.first)
        for name in Self.secrets.keys {
            #expect(first.header(name) != nil)
            #expect(second.header(name) == nil)
        }
        #expect(second.header("X-Tea") == "green")
        #expect(!second.head.contains("s3cret"))
    }

    @Test func `credentials are kept within an origin`() async throws {
        let server = try LoopbackServer(scripts: [redirect(to: "/get")])
        let teapot = Teapot(baseURL: server.baseURL, clock: StoppedClock())
        _ = await result {
            teapot.get("x", headerFields: Self.secrets, deliveryQueue: .global(), completion: $0)
        }
        #expect(server.requests.count == 2)
        for (name, value) in Self.secrets { #expect(server.requests.last?.header(name) == value) }
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `a POST with a body`(status: Int) async throws {
        let server = try LoopbackServer(scripts: [redirect(to: "/anything", status: status)])
        let teapot = Teapot(baseURL: server.baseURL, clock: StoppedClock())
        let result = await result {
            teapot.post("x", parameters: ["a": 1], deliveryQueue: .global(), completion: $0)
        }
        #expect(result.isSuccess)
        let last = try #require(server.requests.last)
        let keeps = status >= 307
        #expect(last.method == (keeps ? "POST" : "GET"))
        #expect(last.body == (keeps ? Data(#"{"a":1}"#.utf8) : Data()))
        #expect(last.header("Content-Type") == (keeps ? "application/json" : nil))
    }

    @Test func `a loop ends after ten redirects, with the last one's body`() async throws {
        let server = try LoopbackServer(
            scripts: (0..<20).map { _ in redirect(to: "/again", status: 308, body: #"{"a":1}"#) }
        )
        let teapot = Teapot(baseURL: server.baseURL, clock: StoppedClock())
        let result = await result { teapot.get("x", deliveryQueue: .global(), completion: $0) }
        #expect(result.error?.type == .invalidResponseStatus)
        #expect(result.error?.responseStatus == 308)
        #expect(result.dictionary["a"] as? Int == 1)
        #expect(server.requests.count == 11)
    }

    /// Blanks around a value are not a part of it (RFC 9110, section 5.5); FoundationNetworking keeps those behind it.
    @Test(arguments: ["/get ", " /get", "\t /get \t ", "/get\t"])
    func `blanks around a location are removed`(location: String) async throws {
        let server = try LoopbackServer(scripts: [redirect(to: location)])
        let teapot = Teapot(baseURL: server.baseURL, clock: StoppedClock())
        let result = await result { teapot.get("x", deliveryQueue: .global(), completion: $0) }
        #expect(result.isSuccess)
        #expect(server.requests.last?.target == "/get")
    }

    @Test func `blanks around other values are removed, too`() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-Tea: \t green tea \t \r\nETag:  \"1\" \r\n"
        let server = try LoopbackServer(scripts: [Script([.readRequest, .send(head + "Connection: close\r\n\r\n")])])
        let response = try await Teapot(baseURL: server.baseURL, clock: StoppedClock()).get("x")
        #expect(response.headerFields["X-Tea"] == "green tea")
        #expect(response.headerFields["ETag"] == "\"1\"")
    }

    /// FoundationNetworking joins the fields with a comma and a blank.
    @Test func `cookies of several fields are distinguished, and commas in values are kept`() async throws {
        let fields = [
            "pref=x,admin=true", "quoted=\"y, root=1\"; Path=/",
            "date=z; Expires=Wed, 21 Oct 2099 07:28:00 GMT; Path=/",
            "last=1",
        ]
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n" + fields.map { "Set-Cookie: \($0)\r\n" }.joined()
        let server = try LoopbackServer(scripts: [Script([.readRequest, .send(head + "Connection: close\r\n\r\n")])])
        let teapot = Teapot(baseURL: server.baseURL, clock: StoppedClock())
        try await teapot.get("set")
        try await teapot.get("get")
        #expect(
            server.requests.last?.header("Cookie")
                == "date=z; last=1; pref=x,admin=true; quoted=\"y, root=1\""
        )
    }

    @Test func `each hop has its own cookies`() async throws {
        let server = try LoopbackServer()
        let teapot = Teapot(baseURL: server.baseURL, clock: StoppedClock())
        _ = await result { teapot.get("cookies/set?a=1", deliveryQueue: .global(), completion: $0) }
        let both = await result { teapot.get("cookies/set?b=2", deliveryQueue: .global(), completion: $0) }
        #expect(both.dictionary["cookies"] as? [String: String] == ["a": "1", "b": "2"])
        let head = "HTTP/1.1 302 Found\r\nLocation: /cookies\r\nContent-Length: 0\r\n"
        server.run(Script([.readRequest, .send(head + "Set-Cookie: c=3; Path=/only\r\nConnection: close\r\n\r\n")]))
        let other = Teapot(baseURL: server.baseURL, clock: StoppedClock())
        let bound = await result { other.get("only/here", deliveryQueue: .global(), completion: $0) }
        #expect((bound.dictionary["cookies"] as? [String: String])?.isEmpty == true)
    }

    @Test func `a cookie that a redirect sets is sent`() async throws {
        let head = "HTTP/1.1 302 Found\r\nLocation: /cookies\r\nSet-Cookie: a=1; Path=/\r\nContent-Length: 0\r\n\r\n"
        let server = try LoopbackServer(scripts: [Script([.readRequest, .send(head)])])
        let teapot = Teapot(baseURL: server.baseURL, clock: StoppedClock())
        let result = await result { teapot.get("x", deliveryQueue: .global(), completion: $0) }
        #expect(result.text("cookies", "a") == "1")
    }
}
