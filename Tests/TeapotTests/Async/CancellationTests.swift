import LoopbackServer
import Teapot
import TestSupport
import TestTraits
import Testing

/// The outcome of an async call whose task is cancelled.
@Suite(.inTurn)
struct CancellationTests {
    /// A transport whose exchanges a test can wait for.
    private struct Exchanges {
        let transport: ManualTransport
        private var iterator: AsyncStream<ManualTransport.Hop>.Iterator

        init() {
            let (stream, continuation) = AsyncStream.makeStream(of: ManualTransport.Hop.self)
            transport = ManualTransport { continuation.yield($0) }
            iterator = stream.makeAsyncIterator()
        }

        mutating func next() async throws -> ManualTransport.Hop {
            try #require(await iterator.next())
        }
    }

    private var exchanges = Exchanges()
    private let teapot: Teapot

    init() throws {
        let url = try #require(URL(string: "http://api.example/v1"))
        teapot = Teapot(baseURL: url, transport: exchanges.transport)
    }

    private static let shapes = CallShape.all.filter { $0.kind == .async }

    /// Makes a call, and returns the error that it throws.
    private static func error(of shape: CallShape = .get, from teapot: Teapot) async -> TeapotError? {
        guard let folder = try? TemporaryFolder() else { return nil }
        return await shape.outcome(of: "a", from: teapot, in: folder).error
    }

    private func expectCancelled(_ error: TeapotError?, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(error?.type == .cancelled, sourceLocation: sourceLocation)
        #expect((error?.underlyingError as? URLError)?.code == .cancelled, sourceLocation: sourceLocation)
        #expect(error?.response == nil, sourceLocation: sourceLocation)
    }

    // MARK: - Before

    @Test(arguments: shapes)
    func `cancelled before, a call sends nothing`(shape: CallShape) async throws {
        let server = try LoopbackServer()
        let client = Teapot(baseURL: server.baseURL)
        let errors = await Task { [teapot] in
            withUnsafeCurrentTask { $0?.cancel() }
            return (await Self.error(of: shape, from: teapot), await Self.error(of: shape, from: client))
        }.value
        expectCancelled(errors.0)
        expectCancelled(errors.1)
        #expect(exchanges.transport.hops.isEmpty)
        #expect(server.requests.isEmpty)
        // Whatever had been sent would have come before this.
        try await client.get("get")
        #expect(server.requests.map(\.target) == ["/get"])
    }

    @Test func `cancelled before, a call does not check its path`() async {
        let error = await Task { [teapot] in
            withUnsafeCurrentTask { $0?.cancel() }
            return await #expect(throws: TeapotError.self) { try await teapot.get("//a") }
        }.value
        expectCancelled(error)
    }

    // MARK: - While waiting

    @Test(arguments: shapes)
    func `cancelled while waiting, the exchange ends at once`(shape: CallShape) async throws {
        var exchanges = exchanges
        let task = Task { [teapot] in await Self.error(of: shape, from: teapot) }
        let hop = try await exchanges.next()
        #expect(!hop.isCancelled)
        task.cancel()
        // The transport says nothing more: only the cancellation can end the call.
        expectCancelled(await task.value)
        #expect(hop.isCancelled)
        hop.answer(200, body: "[1]")
        #expect(exchanges.transport.hops.count == 1)
    }

    @Test func `cancelling during the body ends the exchange, too`() async throws {
        var exchanges = exchanges
        let task = Task { [teapot] in await Self.error(from: teapot) }
        let hop = try await exchanges.next()
        hop.respond(200)
        hop.report(.data(Data("[".utf8)))
        task.cancel()
        expectCancelled(await task.value)
        #expect(hop.isCancelled)
    }

    @Test func `a server sees the connection go`() async throws {
        let server = try LoopbackServer(scripts: [Script([.readRequest, .stall])])
        let client = Teapot(baseURL: server.baseURL)
        let task = Task { await Self.error(from: client) }
        #expect(await server.received(1).count == 1)
        task.cancel()
        expectCancelled(await task.value)
        // The script ends when the client hangs up.
        await server.scriptsFinished(1)
        try await client.get("get")
    }

    @Test func `a cancelled task group cancels its calls`() async throws {
        var exchanges = exchanges
        let group = Task { [teapot] in
            await withTaskGroup(of: TeapotError?.self) { group in
                for shape in Self.shapes.prefix(10) { group.addTask { await Self.error(of: shape, from: teapot) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
        for _ in 0..<10 { _ = try await exchanges.next() }
        group.cancel()
        let errors = await group.value
        #expect(errors.count == 10)
        for error in errors { expectCancelled(error) }
        #expect(exchanges.transport.hops.allSatisfy { $0.isCancelled })
    }

    // MARK: - In the midst of a redirect

    @Test func `as the second hop starts, it is cancelled`() async throws {
        let task = Locked<Task<TeapotError?, Never>?>(nil)
        let (first, firstHop) = AsyncStream.makeStream(of: ManualTransport.Hop.self)
        let transport = ManualTransport { hop in
            guard hop.request.url?.lastPathComponent == "there" else { return _ = firstHop.yield(hop) }
            task.withLock { $0 }?.cancel()
        }
        let teapot = Teapot(baseURL: teapot.baseURL, transport: transport)
        let call = Task { await Self.error(from: teapot) }
        task.withLock { $0 = call }
        let hop = try #require(await first.first { _ in true })
        hop.answer(302, headers: ["Location": "/there"])
        expectCancelled(await call.value)
        #expect(transport.hops.count == 2)
        #expect(transport.hops.last?.isCancelled == true)
    }

    @Test func `cancelling between two hops prevents or cancels the second`() async throws {
        var exchanges = exchanges
        let task = Locked<Task<TeapotError?, Never>?>(nil)
        // Written after the end of the first hop, and before the second begins.
        teapot.logger = Logger(level: .incomingData) { _ in task.withLock { $0 }?.cancel() }
        let call = Task { [teapot] in await Self.error(from: teapot) }
        task.withLock { $0 = call }
        try await exchanges.next().answer(302, headers: ["Location": "/there"])
        expectCancelled(await call.value)
        #expect(exchanges.transport.hops.dropFirst().allSatisfy { $0.isCancelled })
    }

    @Test func `on the second hop, with a server`() async throws {
        let redirect =
            "HTTP/1.1 307 Temporary Redirect\r\nLocation: /there\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        let server = try LoopbackServer(scripts: [
            Script([.readRequest, .send(redirect), .close]), Script([.readRequest, .stall]),
        ])
        let client = Teapot(baseURL: server.baseURL)
        let task = Task { await Self.error(of: .post, from: client) }
        #expect(await server.received(2).map(\.target) == ["/a", "/there"])
        task.cancel()
        expectCancelled(await task.value)
        await server.scriptsFinished(2)
    }

    // MARK: - After

    @Test func `cancelling after completion has no effect`() async throws {
        var exchanges = exchanges
        let task = Task { [teapot] in try await teapot.get("a", as: [Int].self, timeoutInterval: .infinity) }
        let hop = try await exchanges.next()
        hop.answer(200, body: "[1]")
        #expect(try await task.value == [1])
        task.cancel()
        #expect(try await task.value == [1])
        #expect(!hop.isCancelled)
    }

    @Test func `cancelling after completion affects the next call only`() async throws {
        let transport = ManualTransport { $0.answer(200, body: "[1]") }
        let teapot = Teapot(baseURL: teapot.baseURL, transport: transport)
        let (numbers, error) = try await Task {
            let response = try await teapot.get("a")
            withUnsafeCurrentTask { $0?.cancel() }
            let numbers: [Int] = try response.decode()
            return (numbers, await Self.error(from: teapot))
        }.value
        #expect(numbers == [1])
        expectCancelled(error)
        #expect(transport.hops.count == 1)
    }

    // MARK: - Releasing

    @Test func `the Teapot may be released while a call waits, and after it was cancelled`() async throws {
        var exchanges = exchanges
        weak var client: Teapot?
        do {
            let teapot = Teapot(baseURL: teapot.baseURL, transport: exchanges.transport)
            client = teapot
            let task = Task { await Self.error(of: .post, from: teapot) }
            _ = try await exchanges.next()
            task.cancel()
            expectCancelled(await task.value)
        }
        #expect(client == nil)
    }
}
