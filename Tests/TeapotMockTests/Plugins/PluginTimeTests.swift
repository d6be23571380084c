import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// Time that passes while plugins look at a request.
@Suite(.inTurn)
struct PluginTimeTests {
    @Test func `a call's time is that of the clock, and a request's its own`() async throws {
        let clock = TestClock()
        let mock = MockTeapot(clock: clock)
        mock.retryPolicy = RetryPolicy(maximumAttempts: 2, baseDelay: .zero)
        try mock.overrideEndPoint(
            "tea",
            withSequence: [
                .status(.serviceUnavailable, headerFields: ["Retry-After": "60"]).delayed(by: .seconds(2)),
                .status(.ok).delayed(by: .seconds(3)),
            ]
        )
        let (sent, ended) = (Locked<[Int]>([]), Locked<[Teapot.SentRequest]>([]))
        let plugin = WatchingPlugin(
            willSend: { request in
                #expect(request.timings == nil)
                sent.withLock { $0.append(request.id) }
            },
            didReceive: { _, request in ended.withLock { $0.append(request) } }
        )
        mock.plugins = [plugin]
        async let response = mock.send(Teapot.Request(path: "tea").with { $0.timeoutInterval = .infinity })
        for _ in 0..<3 { await clock.advanceToNext() }
        #expect(try await response.timings.total == .seconds(65))
        let requests = ended.withLock { $0 }
        #expect(requests.map { $0.timings?.total } == [.seconds(2), .seconds(3)])
        #expect(requests.map(\.id) == sent.withLock { $0 })
        #expect(Set(requests.map(\.id)).count == 2)
    }

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
