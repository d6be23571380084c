import Teapot
import TeapotCache
import TestTraits
import Testing

/// The samples of caching do what the page says of them.
@Suite(.inTurn)
struct SamplesRunCachingTests {
    @Test func `directives and removing do what they say`() async throws {
        let server = TaggedServer()
        let cache = CachingTransport(wrapping: server)
        let baseURL = try #require(URL(string: "http://api.example"))
        let teapot = Teapot(baseURL: baseURL, transport: cache)
        for _ in 0..<2 {
            #expect(try await CachingSamples.directives(teapot).map(\.isFromCache) == [false, true, true])
            CachingSamples.signOut(cache)
        }
        #expect(server.statuses.withLock { $0 } == [200, 200])
    }

    @Test func `an hour later the server is asked`() async throws {
        let server = TaggedServer()
        let baseURL = try #require(URL(string: "http://api.example"))
        let responses = try await CachingSamples.later(baseURL, server)
        #expect(responses.map(\.isFromCache) == [false, true])
        #expect(responses.map(\.status) == [200, 200])
        #expect(server.statuses.withLock { $0 } == [200, 304])
    }
}

/// Lets each response be stored for a minute, and confirms it afterwards.
private final class TaggedServer: Transport {
    let statuses = Locked<[Int]>([])

    func start(
        _ request: TransportRequest,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> (any TransportTask)? {
        let status = request.urlRequest.value(forHTTPHeaderField: "If-None-Match") == "\"1\"" ? 304 : 200
        statuses.withLock { $0.append(status) }
        let fields = ["Cache-Control": "max-age=60", "ETag": "\"1\"", "Content-Length": "0"]
        if let url = request.urlRequest.url,
            let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: fields)
        {
            receive(.response(response))
        }
        receive(.finished(nil))
        return nil
    }
}
