import LoopbackServer
import Teapot
import TestSupport
import TestTraits
import Testing

/// Redirects over HTTP. `RedirectPolicyTests` has most of the rules, and `RedirectOriginTests` what another origin gets.
@Suite(.inTurn)
struct RedirectTests {
    /// A server whose first connection redirects, and says that it closes: one that is closed without a word can take a
    /// request along.
    private func server(redirectingTo location: String, _ fields: String = "") throws -> LoopbackServer {
        let head = "HTTP/1.1 302 Moved\r\nLocation: \(location)\r\nContent-Length: 0\r\n\(fields)"
        return try LoopbackServer(scripts: [Script([.readRequest, .send(head + "Connection: close\r\n\r\n")])])
    }

    /// Blanks around a value are not a part of it (RFC 9110, section 5.5); FoundationNetworking keeps those behind it.
    @Test(arguments: ["/get ", " /get", "\t /get \t ", "/get\t"])
    func `blanks around a location are removed`(location: String) async throws {
        let server = try server(redirectingTo: location)
        try await Teapot(baseURL: server.baseURL, clock: StoppedClock()).get("x")
        #expect(server.requests.last?.target == "/get")
    }

    @Test func `a cookie that a redirect sets is sent where it belongs`() async throws {
        let fields = "Set-Cookie: a=1; Path=/\r\nSet-Cookie: b=2; Path=/only\r\n"
        let server = try server(redirectingTo: "/cookies", fields)
        let response = try await Teapot(baseURL: server.baseURL, clock: StoppedClock()).get("only/here")
        #expect(response.json?.dictionary?["cookies"] as? [String: String] == ["a": "1"])
    }
}
