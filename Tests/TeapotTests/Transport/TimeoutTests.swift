import LoopbackServer
import Teapot
import TestSupport
import TestTraits
import Testing

/// The idle clock in real time. `VirtualTimeTests` has its rules, on a clock that tests move on.
@Suite(.inTurn, .exitTests)
struct TimeoutTests {
    /// In a process of its own, since other tests hold up Dispatch's threads.
    @Test func `a timeout is kept to a tenth of a second, unless a server says that it is at work`() async {
        await #expect(processExitsWith: .success) {
            async let processing: Void = TimeoutTests.expectProgress()
            for timeout in [0.3, 1.2] { try await TimeoutTests.expectTimeout(timeout) }
            try await processing
        }
    }

    private static let answer = Script.Step.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
    /// A first answer on a connection: until then FoundationNetworking keeps a core busy.
    private static let first = [.readRequest, answer]

    /// The best of several attempts counts, since all tests share two cores.
    private static func expectTimeout(_ timeout: Double) async throws {
        let silent = Script(first + [.readRequest, .stall])
        let server = try LoopbackServer(scripts: Array(repeating: silent, count: 5))
        let teapot = Teapot(baseURL: server.baseURL)
        var best = Double.infinity
        for _ in 0..<5 where best > timeout + 0.1 {
            try await teapot.send(Teapot.Request(path: "first").with { $0.timeoutInterval = 60 })
            let begin = ContinuousClock.now
            let result = await result {
                teapot.get("get", timeoutInterval: timeout, deliveryQueue: .global(), completion: $0)
            }
            let elapsed = (ContinuousClock.now - begin) / .seconds(1)
            #expect(result.error?.type == .noResponse)
            #expect(result.error?.code == .timedOut)
            #expect(elapsed >= timeout)
            best = min(best, elapsed)
        }
        #expect(best < timeout + 0.1)
    }

    /// The pace is a third of the timeout.
    private static func expectProgress() async throws {
        let steps: [Script.Step] = (0..<3).flatMap { _ in [.pause(0.5), .send("HTTP/1.1 102 Processing\r\n\r\n")] }
        let server = try LoopbackServer(scripts: [Script(first + [.readRequest] + steps + [.pause(0.5), answer])])
        let teapot = Teapot(baseURL: server.baseURL)
        try await teapot.send(Teapot.Request(path: "first").with { $0.timeoutInterval = 60 })
        try await teapot.send(Teapot.Request(path: "get").with { $0.timeoutInterval = 1.5 })
    }

    @Test func `an invalid timeout means the default`() async throws {
        let intervals = [0, -1, .nan, -.infinity, .infinity, 1e300, 0.3]
        // Infinity would trap in FoundationNetworking.
        let expected = [15, 15, 15, 15, 1e9, 1e9, 0.3]
        let transport = ManualTransport { $0.answer(200) }
        let url = try #require(URL(string: "http://127.0.0.1:1"))
        let teapot = Teapot(baseURL: url, transport: transport, clock: StoppedClock())
        for interval in intervals {
            try await teapot.send(Teapot.Request(path: "").with { $0.timeoutInterval = interval })
        }
        #expect(transport.hops.map(\.request.timeoutInterval) == expected)
        for interval in intervals {
            teapot.timeoutInterval = interval
            try await teapot.get("")
        }
        #expect(transport.hops.suffix(7).map(\.request.timeoutInterval) == expected)
        teapot.timeoutInterval = 7
        try await teapot.send(Teapot.Request(path: "").with { $0.timeoutInterval = -1 })
        #expect(transport.hops.last?.request.timeoutInterval == 7)
    }

    @Test(arguments: [0, -1, .nan, .infinity, 1e300])
    func `an invalid timeout in a configuration does no harm`(timeout: Double) async throws {
        let server = try LoopbackServer()
        let configuration = URLSessionConfiguration.default
        configuration.timeoutIntervalForRequest = timeout
        configuration.timeoutIntervalForResource = timeout
        let teapot = Teapot(baseURL: server.baseURL, configuration: configuration)
        let result = await result { teapot.get("get", deliveryQueue: .global(), completion: $0) }
        #expect(result.isSuccess)
    }
}
