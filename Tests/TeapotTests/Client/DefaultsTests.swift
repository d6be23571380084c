import LoopbackServer
import TeapotMock
import TestSupport
import TestTraits
import Testing

@testable import Teapot
@testable import TeapotCurl

/// The table of defaults in the README. `LineContractTests` shows that waiting for a connection does not count.
@Suite(.inTurn)
struct DefaultsTests {
    private let teapot: Teapot

    init() throws {
        teapot = Teapot(baseURL: try #require(URL(string: "http://127.0.0.1:1")))
    }

    @Test func `settings`() {
        #expect(teapot.timeoutInterval == 15)
        #expect(teapot.retryPolicy == nil)
        #expect(teapot.deadline == nil)
        #expect(Teapot.Request().deadline == nil)
        #expect(teapot.acceptsCookies)
        #expect(teapot.maximumResponseSize == nil)
        #expect(teapot.logger.currentLevel == .none)
        #expect(teapot.defaultDeliveryQueue.label == DispatchQueue.main.label)
        #expect(RedirectPolicy.maximum == 10)
    }

    #if os(Linux)
        @Test func `six connections to one host`() async throws {
            #expect(CurlTransport.Configuration().maximumConnectionsPerHost == 6)
            let (server, clock) = (try LoopbackServer { _ in Script([.waitForRelease]) }, TestClock())
            let transport = URLSessionTransport()
            let other = Teapot(baseURL: server.baseURL, transport: transport, clock: clock)
            let calls = (0..<6).map { _ in
                Task { try? await other.send(Teapot.Request(path: "get").with { $0.timeoutInterval = .infinity }) }
            }
            _ = await server.received(6)
            let hurried = Teapot(baseURL: server.baseURL, transport: transport, clock: clock)
            hurried.deadline = .seconds(1)
            async let seventh = thrown { () throws(TeapotError) in try await hurried.get("get") }
            await clock.waits(1)
            clock.advance(by: .seconds(1))
            #expect(await seventh?.failureReason == "waited 1 s for one of 6 connections to 127.0.0.1")
            for call in calls { call.cancel() }
            for call in calls { _ = await call.value }
        }

    #endif
}
