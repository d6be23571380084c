import LoopbackServer
import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// The samples of plugins do what the page says of them.
@Suite(.inTurn)
struct SamplesRunPluginsTests {
    private let texts = Locked<[String]>([])

    @Sendable private func show(_ text: String) {
        texts.withLock { $0.append(text) }
    }

    @Test func `custom plugins see requests`() async throws {
        let server = try LoopbackServer()
        let teapot = Teapot(baseURL: server.baseURL)
        teapot.plugins = [PluginSamples.RequestName(), PluginSamples.StatusReport(report: show)]
        teapot.timeoutInterval = 60
        try await teapot.get("redirect/1")
        let names = server.requests.map { $0.header("X-Request-ID").flatMap(UUID.init) }
        #expect(names.count == 2)
        #expect(names[0] != nil && names[0] == names[1])
        let reports = texts.withLock { $0 }
        #expect(reports.count == 2)
        #expect(reports.last == "GET \(server.baseURL)/get: 200")
    }

    @Test func `metrics get each request`() async throws {
        let mock = MockTeapot()
        try mock.overrideEndPoint("tea", with: .status(.ok))
        mock.plugins = [
            PluginSamples.Metrics { host, status, timings in
                show("\(host) \(status ?? 0) \(timings.total >= .zero)")
            }
        ]
        try await mock.get("tea")
        #expect(texts.withLock { $0 } == ["mock.base.url.com 200 true"])
    }

    /// Counts the requests that are under way.
    private actor Busy: RequestPerforming {
        private var count = 0
        private(set) var most = 0
        private(set) var sent = 0

        func send(_ request: Teapot.Request) async throws(TeapotError) -> Teapot.Response {
            count += 1
            sent += 1
            most = max(most, count)
            // Until three are under way, and then long enough for a fourth to begin.
            while most < 3, !Task.isCancelled { await Task.yield() }
            for _ in 0..<100 { await Task.yield() }
            count -= 1
            throw TeapotError(type: .noResponse, description: "No tea")
        }
    }

    @Test func `a limit sends a few requests at a time, and all of them`() async {
        let busy = Busy()
        let limit = PluginSamples.Limit(of: 3, on: busy)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { _ = try? await limit.send("tea") } }
        }
        #expect(await busy.most == 3)
        #expect(await busy.sent == 20)
    }

    @Test func `a call that is cancelled while it waits in a limit sends nothing`() async throws {
        // Its time does not pass.
        let mock = MockTeapot(clock: TestClock())
        try mock.overrideEndPoint("tea", with: .status(.ok).delayed(by: .seconds(10)))
        let limit = PluginSamples.Limit(of: 1, on: mock)
        let first = Task { try await limit.send("tea") }
        await eventually { mock.requests.count == 1 }
        let second = Task { try await limit.send("tea") }
        second.cancel()
        first.cancel()
        for call in [first, second] {
            let error = await #expect(throws: TeapotError.self) { try await call.value }
            #expect(error?.type == .cancelled)
        }
        #expect(mock.requests.count == 1)
    }

    @MainActor
    @Test func `a counter counts running requests of several Teapots`() async throws {
        let mocks = [MockTeapot(), MockTeapot()]
        let (shown, continuation) = AsyncStream.makeStream(of: String.self)
        PluginSamples.counter(mocks[0], mocks[1]) { continuation.yield($0) }
        for mock in mocks { try mock.overrideEndPoint("tea", with: .status(.ok)) }
        async let first = mocks[0].get("tea")
        async let second = mocks[1].get("tea")
        _ = try await (first, second)
        var texts: [String] = []
        for await text in shown.prefix(4) { texts.append(text) }
        #expect(texts.first == "loading")
        #expect(texts.last?.isEmpty == true)
    }
}
