import Foundation
import Teapot
import TestSupport
import TestTraits
import Testing

/// Each request that plugins see go has one end, whatever becomes of it.
@Suite(.inTurn)
struct PluginPairTests {
    private let plugin = WatchingPlugin()
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    // MARK: - One end each

    typealias Answer = @Sendable (ManualTransport.Hop) -> Void
    typealias Call = @Sendable (Teapot, TemporaryFolder) async throws -> Void

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var call: Call = { teapot, _ in
            try await teapot.send(Teapot.Request(path: "a").with { $0.timeoutInterval = 60 })
        }
        let answer: Answer
        /// Of what the plugin sees at the end of each request.
        let ends: [String]
        /// Whether the last end comes when the caller has gone, in the task of the call.
        var endsLater = false
    }

    static let rows = [
        Row(testDescription: "a success", answer: { $0.answer(200, body: "{}") }, ends: ["200 GET /v1/a"]),
        Row(testDescription: "another status", answer: { $0.answer(404, body: "{}") }, ends: ["404 GET /v1/a"]),
        Row(
            testDescription: "too many redirects",
            answer: { $0.answer(302, headers: ["Location": "a"]) },
            ends: Array(repeating: "302 GET /v1/a", count: 11)
        ),
        Row(
            testDescription: "no response",
            answer: { $0.report(.finished(URLError(.cannotConnectToHost))) },
            ends: ["noResponse GET /v1/a"]
        ),
        Row(
            testDescription: "a timeout",
            call: { teapot, _ in try await teapot.send(Teapot.Request(path: "a").with { $0.timeoutInterval = 0.001 }) },
            answer: { _ in },
            ends: ["noResponse GET /v1/a"]
        ),
        Row(
            testDescription: "a body that grows too large",
            answer: { $0.answer(200, body: String(repeating: "a", count: 1_001)) },
            ends: ["responseTooLarge GET /v1/a"]
        ),
        Row(
            testDescription: "a download whose file is there in the end",
            call: { teapot, folder in
                teapot.plugins.append(WatchingPlugin(willSend: { _ in try? folder.write("old", to: "file") }))
                try await teapot.download("a", to: folder.file("file"))
            },
            answer: { $0.answer(200, body: "new") },
            ends: ["fileError GET /v1/a"]
        ),
        Row(
            testDescription: "bytes that are not read",
            call: { teapot, _ in
                _ = try await teapot.bytes(Teapot.Request(path: "a").with { $0.timeoutInterval = 60 })
            },
            answer: { $0.respond(200) },
            ends: ["cancelled GET /v1/a"],
            endsLater: true
        ),
    ]

    @Test(arguments: rows)
    func `each request has one outcome, which plugins see before the caller`(row: Row) async throws {
        let transport = ManualTransport(atOnce: row.answer)
        let url = try #require(URL(string: "http://api.example/v1"))
        let teapot = Teapot(baseURL: url, defaultDeliveryQueue: DispatchQueue(label: "delivery"), transport: transport)
        teapot.plugins = [plugin]
        teapot.maximumResponseSize = 1_000
        try? await row.call(teapot, folder)
        if row.endsLater { await eventually { plugin.all.count == row.ends.count + 2 } }
        let ends = plugin.all.filter { $0.hasPrefix("didReceive") }
        #expect(ends == row.ends.map { "didReceive \($0)" })
        #expect(plugin.count == row.ends.count)
        #expect(plugin.problems.isEmpty)
        #expect(transport.hops.count == row.ends.count)
    }

    // MARK: - Cancelled and suspended

    @Test(arguments: [true, false])
    func `plugins see a call that is cancelled while suspended`(hasAnswer: Bool) async throws {
        let (transport, queue, completions) = (ManualTransport(), DispatchQueue(label: "delivery"), Completions())
        let url = try #require(URL(string: "http://api.example/v1"))
        let teapot = Teapot(baseURL: url, defaultDeliveryQueue: queue, transport: transport)
        teapot.plugins = [plugin]
        let task = try #require(teapot.get("a", timeoutInterval: .infinity, completion: completions.take))
        task.suspend()
        if hasAnswer { transport.hops.first?.answer(302, headers: ["Location": "b"]) }
        #expect(plugin.all.count == 2)
        task.cancel()
        #expect(plugin.all.last == "didReceive cancelled GET /v1/a")
        task.resume()
        await queue.drain()
        #expect(completions.count == 0)
        #expect(plugin.all.count == 3)
        #expect(transport.hops.count == 1)
    }
}
