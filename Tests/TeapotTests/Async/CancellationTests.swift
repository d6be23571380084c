import LoopbackServer
import Teapot
import TestSupport
import TestTraits
import Testing

/// What becomes of an async call whose task is cancelled.
@Suite(.timeLimit(.minutes(10)), .inTurn)
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

    struct Call: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let call: @Sendable (Teapot) async throws -> Void

        init(_ testDescription: String, _ call: @escaping @Sendable (Teapot) async throws -> Void) {
            (self.testDescription, self.call) = (testDescription, call)
        }

        /// What it throws.
        func error(from teapot: Teapot) async -> TeapotError? {
            do {
                try await call(teapot)
                return nil
            } catch {
                return error as? TeapotError
            }
        }
    }

    static let calls: [Call] = [
        Call("get") { try await $0.get("a", timeoutInterval: .infinity) },
        Call("get as") { _ = try await $0.get("a", as: [Int].self, timeoutInterval: .infinity) },
        Call("head") { try await $0.head("a", timeoutInterval: .infinity) },
        Call("post") { try await $0.post("a", timeoutInterval: .infinity) },
        Call("post a value") { try await $0.post("a", body: [1], timeoutInterval: .infinity) },
        Call("put as") { _ = try await $0.put("a", body: [1], as: [Int].self, timeoutInterval: .infinity) },
        Call("patch") { try await $0.patch("a", timeoutInterval: .infinity) },
        Call("delete") { try await $0.delete("a", timeoutInterval: .infinity) },
        Call("send") { try await $0.send(Teapot.Request(timeoutInterval: .infinity)) },
        Call("upload") { try await $0.upload(Teapot.Request(.post, timeoutInterval: .infinity)) },
        Call("upload with progress") {
            try await $0.upload(Teapot.Request(.post, timeoutInterval: .infinity)) { _ in }
        },
        Call("download") {
            let file = FileManager.default.temporaryDirectory.appending(path: "teapot-cancelled-\(UUID())")
            try await $0.download("a", to: file, timeoutInterval: .infinity)
        },
        Call("bytes") { _ = try await $0.bytes("a", timeoutInterval: .infinity) },
    ]

    private func expectCancelled(_ error: TeapotError?, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(error?.type == .cancelled, sourceLocation: sourceLocation)
        #expect((error?.underlyingError as? URLError)?.code == .cancelled, sourceLocation: sourceLocation)
        #expect(error?.response == nil, sourceLocation: sourceLocation)
    }

    // MARK: - Before

    @Test(arguments: calls)
    func `before, nothing is sent`(call: Call) async throws {
        let server = try LoopbackServer()
        let client = Teapot(baseURL: server.baseURL)
        let errors = await Task { [teapot] in
            withUnsafeCurrentTask { $0?.cancel() }
            return (await call.error(from: teapot), await call.error(from: client))
        }.value
        expectCancelled(errors.0)
        expectCancelled(errors.1)
        #expect(exchanges.transport.hops.isEmpty)
        #expect(server.requests.isEmpty)
        // Whatever had been sent would have come before this.
        try await client.get("get")
        #expect(server.requests.map(\.target) == ["/get"])
    }

    @Test func `before, a bad path is not looked at`() async {
        let error = await Task { [teapot] in
            withUnsafeCurrentTask { $0?.cancel() }
            return await #expect(throws: TeapotError.self) { try await teapot.get("//a") }
        }.value
        expectCancelled(error)
    }

    // MARK: - While waiting

    @Test(arguments: calls)
    func `while waiting, the exchange ends at once`(call: Call) async throws {
        var exchanges = exchanges
        let task = Task { [teapot] in await call.error(from: teapot) }
        let hop = try await exchanges.next()
        #expect(!hop.isCancelled)
        task.cancel()
        // The transport says nothing more: only the cancellation can end the call.
        expectCancelled(await task.value)
        #expect(hop.isCancelled)
        hop.answer(200, body: "[1]")
        #expect(exchanges.transport.hops.count == 1)
    }

    @Test func `in the midst of the body, too`() async throws {
        var exchanges = exchanges
        let task = Task { [teapot] in await Self.calls[0].error(from: teapot) }
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
        let task = Task { await Self.calls[0].error(from: client) }
        #expect(await server.received(1).count == 1)
        task.cancel()
        expectCancelled(await task.value)
        // The script ends when the client hangs up.
        await server.scriptsFinished(1)
        try await client.get("get")
    }

    @Test func `a task group takes its calls along`() async throws {
        var exchanges = exchanges
        let group = Task { [teapot] in
            await withTaskGroup(of: TeapotError?.self) { group in
                for call in Self.calls.prefix(10) { group.addTask { await call.error(from: teapot) } }
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
        let call = Task { await Self.calls[0].error(from: teapot) }
        task.withLock { $0 = call }
        let hop = try #require(await first.first { _ in true })
        hop.answer(302, headers: ["Location": "/there"])
        expectCancelled(await call.value)
        #expect(transport.hops.count == 2)
        #expect(transport.hops.last?.isCancelled == true)
    }

    @Test func `between two hops, there is no second one, or one that is cancelled`() async throws {
        var exchanges = exchanges
        let task = Locked<Task<TeapotError?, Never>?>(nil)
        // Written after the end of the first hop, and before the second begins.
        teapot.logger = Logger(level: .incomingData) { _ in task.withLock { $0 }?.cancel() }
        let call = Task { [teapot] in await Self.calls[0].error(from: teapot) }
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
        let task = Task { await Self.calls[4].error(from: client) }
        #expect(await server.received(2).map(\.target) == ["/a", "/there"])
        task.cancel()
        expectCancelled(await task.value)
        await server.scriptsFinished(2)
    }

    // MARK: - After

    @Test func `after completion it has no effect`() async throws {
        var exchanges = exchanges
        let task = Task { [teapot] in try await teapot.get("a", as: [Int].self, timeoutInterval: .infinity) }
        let hop = try await exchanges.next()
        hop.answer(200, body: "[1]")
        #expect(try await task.value == [1])
        task.cancel()
        #expect(try await task.value == [1])
        #expect(!hop.isCancelled)
    }

    @Test func `after completion, within the task, it concerns the next call only`() async throws {
        let transport = ManualTransport { $0.answer(200, body: "[1]") }
        let teapot = Teapot(baseURL: teapot.baseURL, transport: transport)
        let (numbers, error) = try await Task {
            let response = try await teapot.get("a")
            withUnsafeCurrentTask { $0?.cancel() }
            let numbers: [Int] = try response.decode()
            return (numbers, await Self.calls[0].error(from: teapot))
        }.value
        #expect(numbers == [1])
        expectCancelled(error)
        #expect(transport.hops.count == 1)
    }

    // MARK: - What is let go of

    @Test func `the Teapot may go while a call waits, and after it was cancelled`() async throws {
        var exchanges = exchanges
        weak var client: Teapot?
        do {
            let teapot = Teapot(baseURL: teapot.baseURL, transport: exchanges.transport)
            client = teapot
            let task = Task { await Self.calls[4].error(from: teapot) }
            _ = try await exchanges.next()
            task.cancel()
            expectCancelled(await task.value)
        }
        #expect(client == nil)
    }
}
