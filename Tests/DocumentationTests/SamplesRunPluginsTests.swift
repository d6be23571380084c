import LoopbackServer
import Teapot
import TeapotMock
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

    @Test func `metrics and traces get each request`() async throws {
        let mock = MockTeapot()
        try mock.overrideEndPoint("tea", with: .status(.ok))
        let lines = Locked<[String]>([])
        let note = { @Sendable (line: String) in lines.withLock { $0.append(line) } }
        mock.plugins = [
            PluginSamples.Metrics { host, status, timings in
                note("\(host) \(status ?? 0) \(timings.total >= .zero)")
            },
            PluginSamples.Tracing { id, name in
                note("begin \(name)")
            } end: { _, error in
                note("end \(error == nil)")
            },
        ]
        try await mock.get("tea")
        #expect(lines.withLock { $0 } == ["begin GET", "mock.base.url.com 200 true", "end true"])
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
