import LoopbackServer
import Teapot
import TestSupport
import TestTraits
import Testing

/// A caller's own `URLSessionConfiguration`.
@Suite(.inTurn)
struct ConfigurationTests {
    @Test func `its header fields are sent, and the call's own win`() async throws {
        let server = try LoopbackServer()
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-Tea": "green", "X-Cups": 2, "User-Agent": "Kettle/1"]
        let teapot = Teapot(baseURL: server.baseURL, configuration: configuration)
        let fields = ["x-tea": "black"]
        _ = await result {
            teapot.get("get", headerFields: fields, deliveryQueue: .global(), completion: $0)
        }
        let request = try #require(server.requests.first)
        #expect(request.header("X-Tea") == "black")
        #expect(request.header("X-Cups") == "2")
        #expect(request.header("User-Agent") == "Kettle/1")
    }

    @Test func `its bad header fields are errors, not crashes`() async throws {
        let server = try LoopbackServer()
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-Tea": "green\r\nX-Injected: 1"]
        let teapot = Teapot(baseURL: server.baseURL, configuration: configuration)
        let result = await result { teapot.get("get", deliveryQueue: .global(), completion: $0) }
        #expect(result.error?.type == .invalidHeaderField)
        #expect(server.requests.isEmpty)
    }

    @Test func `its cookie storage is used`() async throws {
        let server = try LoopbackServer()
        let configuration = URLSessionConfiguration.ephemeral
        let storage = try #require(configuration.httpCookieStorage)
        let first = Teapot(baseURL: server.baseURL, configuration: configuration)
        _ = await result { first.get("cookies/set?a=1", deliveryQueue: .global(), completion: $0) }
        #expect(storage.cookies?.map(\.name) == ["a"])
        let second = Teapot(baseURL: server.baseURL, configuration: configuration)
        let shared = await result { second.get("cookies", deliveryQueue: .global(), completion: $0) }
        #expect(shared.text("cookies", "a") == "1")
    }

    @Test func `it can turn cookies off`() async throws {
        let server = try LoopbackServer()
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpShouldSetCookies = false
        let teapot = Teapot(baseURL: server.baseURL, configuration: configuration)
        let result = await result {
            teapot.get("cookies/set?a=1", deliveryQueue: .global(), completion: $0)
        }
        #expect((result.dictionary["cookies"] as? [String: String])?.isEmpty == true)
    }

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
