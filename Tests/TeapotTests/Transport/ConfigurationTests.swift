import LoopbackServer
import Teapot
import TestSupport
import TestTraits
import Testing

/// A caller's own `URLSessionConfiguration`.
@Suite(.inTurn)
struct ConfigurationTests {
    @Test func `a cache does no harm to calls that are cancelled`() async throws {
        let server = try LoopbackServer()
        let configuration = URLSessionConfiguration.default
        configuration.urlCache = URLCache(memoryCapacity: 1_000_000, diskCapacity: 0, diskPath: nil)
        let teapot = Teapot(baseURL: server.baseURL, configuration: configuration)
        for _ in 0..<200 {
            let task = teapot.get("etag/x", deliveryQueue: .global()) { (_: NetworkResult) in }
            task?.cancel()
        }
        let result = await result { teapot.get("get", deliveryQueue: .global(), completion: $0) }
        #expect(result.isSuccess)
    }

    @Test func `the caller's configuration is not changed`() throws {
        let configuration = URLSessionConfiguration.default
        configuration.httpAdditionalHeaders = ["X-Tea": "green"]
        configuration.timeoutIntervalForRequest = 7
        let url = try #require(URL(string: "http://127.0.0.1"))
        _ = Teapot(baseURL: url, configuration: configuration)
        #expect(configuration.timeoutIntervalForRequest == 7)
        #expect(configuration.httpAdditionalHeaders?.count == 1)
        #expect(configuration.httpCookieStorage != nil)
    }
}
