import LoopbackServer
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
        #expect(teapot.acceptsCookies)
        #expect(teapot.maximumResponseSize == nil)
        #expect(teapot.logger.currentLevel == .none)
        #expect(teapot.defaultDeliveryQueue.label == DispatchQueue.main.label)
        #expect(RedirectPolicy.limit == 10)
    }

    #if os(Linux)
        @Test func `six connections to one host`() async throws {
            #expect(CurlTransport.Configuration().maximumConnectionsPerHost == 6)
            let server = try LoopbackServer(scripts: (0..<8).map { _ in Script([.readRequest, .waitForRelease]) })
            let other = Teapot(baseURL: server.baseURL)
            let calls = (0..<8).map { _ in Task { try? await other.get("get", timeoutInterval: .infinity) } }
            #expect(await server.received(6).count == 6)
            for call in calls { call.cancel() }
            for call in calls { _ = await call.value }
            #expect(server.requests.count == 6)
        }

    #endif
}
