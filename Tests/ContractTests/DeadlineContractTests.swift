import LoopbackServer
import Teapot
import TeapotCache
import TeapotCurl
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// The maximum duration of a call, whatever answers. `DeadlineTests` has more kinds of calls.
@Suite(.inTurn)
struct DeadlineContractTests {
    @Test(arguments: Backend.available)
    func `a call that is not over at its deadline fails`(backend: Backend) async throws {
        let teapot = try backend.teapot()
        if let mock = teapot as? MockTeapot {
            try mock.overrideEndPoint("delay/:seconds", with: .status(.ok).delayed(by: .seconds(10)))
        }
        var request = Teapot.Request(path: "delay/10")
        request.deadline = .milliseconds(300)
        let outcome = await outcome(of: request, from: teapot)
        let error = #expect(throws: TeapotError.self) { try outcome.get() }
        #expect(error?.type == .noResponse)
        #expect(error?.code == .timedOut)
        #expect(error?.failureReason == "the call's deadline has passed")
    }

    @Test(arguments: Backend.scriptable)
    func `a stream goes on after its deadline`(backend: Backend) async throws {
        let clock = TestClock()
        let server = try LoopbackServer { _ in
            Script([.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\na\n"), .waitForRelease, .send("b\n")])
        }
        let teapot: Teapot
        switch backend {
        case .mock:
            let mock = MockTeapot(bundle: .module, clock: clock)
            let answer = MockResponse.pieces(["a\n", "b\n"], every: .seconds(60), contentType: "text/plain")
            try mock.overrideEndPoint("lines", with: answer)
            teapot = mock
        default: teapot = Teapot(baseURL: server.baseURL, transport: backend.transport, clock: clock)
        }
        (teapot.deadline, teapot.timeoutInterval) = (.seconds(30), .infinity)
        teapot.retryPolicy = RetryPolicy(window: .seconds(30))
        var lines: [String] = []
        for try await line in try await teapot.bytes("lines").lines {
            lines.append(line)
            clock.advance(by: .seconds(60))
            server.release()
        }
        #expect(lines == ["a", "b"])
    }
}
