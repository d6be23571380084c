import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// Time that passes while plugins look at a request.
@Suite(.timeLimit(.minutes(10)), .inTurn)
struct PluginTimeTests {
    /// The time that a plugin takes is not that of the server, whatever the caller's task does meanwhile.
    @Test func `a timeout does not end a request before plugins have seen it`() async throws {
        let (clock, transport, queue) = (TestClock(), ManualTransport(), DispatchQueue(label: "delivery"))
        let url = try #require(URL(string: "http://api.example"))
        let teapot = Teapot(baseURL: url, defaultDeliveryQueue: queue, transport: transport, clock: clock)
        let own = Locked<URLSessionTask?>(nil)
        let plugin = WatchingPlugin(willSend: { request in
            guard request.urlRequest.url?.lastPathComponent == "b" else { return }
            let task = own.withLock { $0 }
            task?.suspend()
            task?.resume()
            clock.advance(by: .seconds(60))
        })
        teapot.plugins = [plugin]
        let completions = Completions()
        let task = teapot.get("a", timeoutInterval: 15, completion: completions.take)
        own.withLock { $0 = task }
        transport.hops.first?.answer(302, headers: ["Location": "b"])
        await queue.drain()
        #expect(completions.all.map(\.error?.type) == [.noResponse])
        #expect(plugin.all.suffix(2) == ["willSend GET /b", "didReceive noResponse GET /b"])
        #expect(plugin.problems.isEmpty)
        #expect(clock.waitCount == 0)
    }
}
