import Foundation
import LoopbackServer
@testable internal import Teapot
import TeapotMock
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

    /// A call, and its exchange, whose response is a redirect after some time.
    private func redirected(_ status: Int, after time: Duration = .zero, _ clock: TestClock = TestClock())
        async throws -> (ManualTransport, Task<TeapotError?, Never>, ManualTransport.Hop)
    {
        let isStarted = Signal()
        let transport = ManualTransport { _ in isStarted.fire() }
        let baseURL = try #require(URL(string: "http://api.example"))
        let teapot = Teapot(baseURL: baseURL, transport: transport, clock: clock)
        let request = Teapot.Request(path: "here").with { $0.deadline = .seconds(10) }
        let call = Task { await thrown { () throws(TeapotError) in try await teapot.send(request) } }
        await isStarted.wait()
        await clock.waits(1)
        clock.advance(by: time)
        let hop = try #require(transport.hops.first)
        hop.respond(status, headers: ["Location": "http://api.example/there"])
        return (transport, call, hop)
    }

    /// The body of a redirect does not matter, but these errors do.
    @Test func `a redirect is not followed if the exchange was cancelled, or the request's own body failed`()
        async throws
    {
        for error in [URLError(.cancelled), CancellationError(), BodyError("no more tea")] as [any Error] {
            let (transport, call, hop) = try await redirected(303)
            hop.report(.finished(error))
            #expect(await call.value?.type == (error is BodyError ? .dataTaskError : .cancelled))
            #expect(transport.hops.count == 1)
        }
    }

    @Test func `a redirect whose body does not end is followed after a second, and its exchange cancelled`()
        async throws
    {
        let clock = TestClock()
        let (transport, call, hop) = try await redirected(307, clock)
        hop.report(.data(Data("tea".utf8)))
        clock.advance(by: .milliseconds(999))
        hop.report(.data(Data("tea".utf8)))
        #expect(transport.hops.count == 1)
        clock.advance(by: .milliseconds(1))
        #expect(hop.isCancelled)
        await eventually { transport.hops.count == 2 }
        try #require(transport.hops.last).answer(200)
        #expect(await call.value == nil)
        #expect(transport.hops.map { $0.request.url?.path() } == ["/here", "/there"])
    }

    @Test func `a redirect whose body ends with the call's deadline is not followed`() async throws {
        let clock = TestClock()
        let (transport, call, hop) = try await redirected(307, after: .milliseconds(9_500), clock)
        clock.advance(by: .milliseconds(500))
        #expect(await call.value?.failureReason == "the call's deadline has passed")
        #expect(hop.isCancelled)
        #expect(transport.hops.count == 1)
    }
}
