@testable import Teapot
import TestSupport
import TestTraits
import Testing

/// The rules of one call, held against a transport that a test controls event by event.
@Suite(.inTurn)
struct CallTests {
    let transport = ManualTransport()
    let queue = DispatchQueue(label: "delivery")
    let completions = Completions()
    let teapot: Teapot

    init() throws {
        let url = try #require(URL(string: "http://api.example/v1"))
        teapot = Teapot(baseURL: url, defaultDeliveryQueue: queue, transport: transport)
    }

    private func hop(_ index: Int = 0) throws -> ManualTransport.Hop {
        try #require(transport.hops.dropFirst(index).first)
    }

    // MARK: - Exactly once

    @Test func `a transport's own TeapotError reaches the caller as it is`() async throws {
        let own = TeapotError(type: .invalidMockFile, description: "own")
        teapot.get("users", timeoutInterval: .infinity, completion: completions.take)
        try hop().report(.finished(own))
        teapot.get("users", timeoutInterval: .infinity, completion: completions.take)
        try hop(1).respond(200)
        try hop(1).report(.finished(own))
        await queue.drain()
        #expect(completions.all.map(\.error) == [own, own])
        #expect(completions.all.last?.error?.response?.status == 200)
    }

    @Test func `large bodies are processed off the transport's queue`() async throws {
        let marked = MarkedQueue("transport")
        let places = Locked<[Bool]>([])
        teapot.logger = Logger(level: .incomingData) { _ in places.withLock { $0.append(marked.isCurrent) } }
        for (index, size) in [100, 100_000].enumerated() {
            let body = #"{"a": "\#(String(repeating: "b", count: size))"}"#
            let result = await result { completion in
                let task = teapot.get("users", timeoutInterval: .infinity, completion: completion)
                marked.queue.sync { transport.hops.dropFirst(index).first?.answer(200, body: body) }
                return task
            }
            #expect(result.text("a")?.count == size)
        }
        #expect(places.withLock { $0 } == [true, false])
    }

    @Test func `a large body that comes at once does not keep the caller`() async throws {
        let body = #"{"a": "\#(String(repeating: "b", count: 100_000))"}"#
        let transport = ManualTransport { $0.answer(200, body: body) }
        let teapot = Teapot(baseURL: teapot.baseURL, defaultDeliveryQueue: queue, transport: transport)
        let marked = MarkedQueue("caller")
        let places = Locked<[Bool]>([])
        teapot.logger = Logger(level: .incomingData) { _ in places.withLock { $0.append(marked.isCurrent) } }
        let result = await result { completion in marked.queue.sync { teapot.get("users", completion: completion) } }
        #expect(result.text("a")?.count == 100_000)
        #expect(places.withLock { $0 } == [false])
    }

    @Test(arguments: [true, false])
    func `thousands of attempts that are answered at once fit a small stack`(isBlocking: Bool) async throws {
        let transport = ManualTransport { $0.answer(503) }
        let teapot = Teapot(baseURL: teapot.baseURL, defaultDeliveryQueue: queue, transport: transport)
        teapot.retryPolicy = RetryPolicy(maximumAttempts: 3_000, baseDelay: .zero)
        let type = await onSmallStack { [completions, queue] () -> TeapotError.ErrorType? in
            guard !isBlocking else {
                let outcome = Result { () throws(TeapotError) in try teapot.sendAndWait(Teapot.Request(path: "a")) }
                return outcome.failure?.type
            }
            teapot.get("a", completion: completions.take)
            queue.sync {}
            return completions.all.first?.error?.type
        }
        #expect(type == .invalidResponseStatus)
        #expect(transport.hops.count == 3_000)
    }

    // MARK: - Delivery

    @Test func `errors found before sending come on the queue, not inline`() async throws {
        let gate = DispatchSemaphore(value: 0)
        queue.async { gate.wait() }
        #expect(teapot.get("a\nb", completion: completions.take) == nil)
        #expect(
            teapot.get("users", headerFields: ["a b": ""], timeoutInterval: .infinity, completion: completions.take)
                != nil
        )
        #expect(completions.count == 0)
        gate.signal()
        await queue.drain()
        #expect(completions.all.map(\.error?.type) == [.invalidRequestPath, .invalidHeaderField])
        #expect(transport.hops.isEmpty)
    }

    // MARK: - Cancelling

    @Test func `a cancelled call does not complete`() async throws {
        let task = try #require(teapot.get("users", timeoutInterval: .infinity, completion: completions.take))
        task.cancel()
        task.cancel()
        #expect(try hop().isCancelled)
        #expect(task.state == .completed)
        #expect((task.error as? URLError)?.code == .cancelled)
        try hop().answer(200)
        task.resume()
        await queue.drain()
        #expect(completions.count == 0)
    }

    @Test func `a call that waits for its delivery queue can still be cancelled`() async throws {
        let gate = DispatchSemaphore(value: 0)
        queue.async { gate.wait() }
        let task = try #require(teapot.get("users", timeoutInterval: .infinity, completion: completions.take))
        try hop().answer(200)
        task.cancel()
        gate.signal()
        await queue.drain()
        #expect(completions.count == 0)
    }

    @Test func `a call cancelled while its transport starts cancels the transport's task`() throws {
        let tasks = Locked<[URLSessionTask]>([])
        let inner = Locked<(@Sendable () -> Void)?>(nil)
        let transport = ManualTransport { hop in
            if hop.request.url?.path().hasSuffix("second") == true { inner.withLock { $0 }?() }
        }
        let teapot = Teapot(baseURL: teapot.baseURL, defaultDeliveryQueue: queue, transport: transport)
        let task = try #require(teapot.get("first", timeoutInterval: .infinity, completion: completions.take))
        tasks.withLock { $0.append(task) }
        inner.withLock { $0 = { tasks.withLock { $0 }.forEach { $0.cancel() } } }
        // The redirect starts the second hop, in the middle of which the call is cancelled.
        try #require(transport.hops.first).answer(302, headers: ["Location": "second"])
        #expect(transport.hops.count == 2)
        #expect(transport.hops.last?.isCancelled == true)
    }

    // MARK: - Suspending

    @Test func `a result that is already queued is held back, too`() async throws {
        let gate = DispatchSemaphore(value: 0)
        queue.async { gate.wait() }
        let task = try #require(teapot.get("users", timeoutInterval: .infinity, completion: completions.take))
        try hop().answer(200)
        task.suspend()
        gate.signal()
        await queue.drain()
        #expect(completions.count == 0)
        task.resume()
        task.resume()
        await queue.drain()
        #expect(completions.count == 1)
    }

    // MARK: - What the task shows

    @Test func `the task shows the exchange`() async throws {
        let task = try #require(
            teapot.get("users", headerFields: ["X-A": "1"], timeoutInterval: .infinity, completion: completions.take)
        )
        #expect(task.state == .running)
        #expect(task.originalRequest?.url?.path() == "/v1/users")
        try hop().answer(302, headers: ["Location": "/there"])
        #expect(task.originalRequest?.url?.path() == "/v1/users")
        #expect(task.currentRequest?.url?.path() == "/there")
        #expect(task.currentRequest?.value(forHTTPHeaderField: "X-A") == "1")
        try hop(1).respond(200, headers: ["Content-Length": "10"])
        try hop(1).report(.data(Data("0123".utf8)))
        #expect(task.countOfBytesReceived == 4)
        #expect(task.countOfBytesExpectedToReceive == 10)
        #expect((task.response as? HTTPURLResponse)?.status == 200)
        #expect(task.error == nil)
        let other = try #require(teapot.get("users", timeoutInterval: .infinity, completion: completions.take))
        #expect(other.taskIdentifier != task.taskIdentifier)
    }

    @Test func `the count of sent bytes cannot overflow`() throws {
        let task = try #require(teapot.get("users", timeoutInterval: .infinity, completion: completions.take))
        try hop().report(.sent(.max))
        try hop().report(.sent(1))
        try hop().report(.sent(-1))
        #expect(task.countOfBytesSent == Int64.max)
    }

    // MARK: - Limits

    @Test func `a body past the limit stops the call`() async throws {
        teapot.maximumResponseSize = 5
        teapot.get("users", timeoutInterval: .infinity, completion: completions.take)
        try hop().respond(200)
        try hop().report(.data(Data("01234".utf8)))
        #expect(try !hop().isCancelled)
        try hop().report(.data(Data("5".utf8)))
        #expect(try hop().isCancelled)
        try hop().report(.data(Data("678".utf8)))
        await queue.drain()
        let error = try #require(completions.all.first?.error)
        #expect(completions.count == 1)
        #expect(error.type == .responseTooLarge)
        #expect(error.responseStatus == 200)
        #expect(error.data == Data("01234".utf8))
        #expect(error.description.contains("5"))
    }

    // MARK: - Lifetime

    /// A screen, which cancels its call when it disappears.
    private final class Screen: Sendable {
        let task = Locked<URLSessionTask?>(nil)
        deinit { task.withLock { $0 }?.cancel() }
    }

    /// The task of a call whose completion alone holds a screen.
    private func taskOfScreen() -> URLSessionTask? {
        let screen = Screen()
        let task = teapot.get("users", timeoutInterval: .infinity) { (_: NetworkResult) in
            _ = screen.task
        }
        screen.task.withLock { $0 = task }
        return task
    }

    @Test func `cancelling may release an object that cancels`() throws {
        let task = taskOfScreen()
        // The completion holds the screen, and goes with this.
        task?.cancel()
        #expect(try hop().isCancelled)
    }

    @Test(arguments: [true, false])
    func `cancelling a call that waits for its queue may release an object that cancels`(isSuspended: Bool) async throws
    {
        let gate = DispatchSemaphore(value: 0)
        queue.async { gate.wait() }
        let task = taskOfScreen()
        try hop().answer(200)
        if isSuspended { task?.suspend() }
        // The outcome holds the completion, which holds the screen.
        task?.cancel()
        gate.signal()
        await queue.drain()
        #expect(task?.state == .completed)
    }

    @Test func `a task retains neither the transport nor the completion`() async throws {
        final class Token: Sendable {}
        weak var weakTransport: ManualTransport?
        weak var weakToken: Token?
        let task: URLSessionTask?
        do {
            let transport = ManualTransport { $0.answer(200) }
            let token = Token()
            (weakTransport, weakToken) = (transport, token)
            let teapot = Teapot(baseURL: self.teapot.baseURL, defaultDeliveryQueue: queue, transport: transport)
            task = teapot.get("users", timeoutInterval: .infinity) { (_: NetworkResult) in _ = token }
        }
        await queue.drain()
        #expect(weakTransport == nil)
        #expect(weakToken == nil)
        #expect(task?.state == .completed)
    }

    @Test func `a call outlives its Teapot`() async throws {
        let transport = ManualTransport()
        var teapot: Teapot? = Teapot(baseURL: self.teapot.baseURL, defaultDeliveryQueue: queue, transport: transport)
        teapot?.get("users", timeoutInterval: .infinity, completion: completions.take)
        teapot = nil
        try #require(transport.hops.first).answer(200)
        await queue.drain()
        #expect(completions.count == 1)
    }

    @Test func `of a transport's responses the first counts, and nothing after the end`() async throws {
        let task = teapot.get("users", timeoutInterval: .infinity, completion: completions.take)
        let hop = try hop()
        hop.respond(200)
        hop.respond(500)
        hop.report(.data(Data("{}".utf8)))
        hop.report(.finished(nil))
        hop.report(.data(Data("more".utf8)))
        hop.report(.finished(URLError(.networkConnectionLost)))
        await queue.drain()
        #expect(completions.count == 1)
        #expect(completions.all.first?.isSuccess == true)
        #expect(task?.countOfBytesReceived == 2)
    }

    @Test func `the end may release a transport's task that cancels the call`() async throws {
        final class CancellingTask: TransportTask {
            let task: Locked<URLSessionTask?>
            init(_ task: Locked<URLSessionTask?>) { self.task = task }
            deinit { task.withLock { $0 }?.cancel() }
            func cancel() {}
        }
        struct ReportingTransport: Transport {
            let task = Locked<URLSessionTask?>(nil)
            let receive = Locked<(@Sendable (TransportEvent) -> Void)?>(nil)
            func start(
                _ request: TransportRequest,
                receive: @escaping @Sendable (TransportEvent) -> Void
            ) -> (any TransportTask)? {
                self.receive.withLock { $0 = receive }
                return CancellingTask(task)
            }
        }
        let transport = ReportingTransport()
        let teapot = Teapot(baseURL: teapot.baseURL, defaultDeliveryQueue: queue, transport: transport)
        let task = teapot.get("users", timeoutInterval: .infinity, completion: completions.take)
        transport.task.withLock { $0 = task }
        // Only the exchange has the transport's task, and lets it go with this.
        transport.receive.withLock { $0 }?(.finished(nil))
        await queue.drain()
        #expect(task?.state == .completed)
        #expect(completions.count <= 1)
    }

    @Test func `a transport may cancel its calls in its deinit`() async throws {
        final class CancellingTransport: Transport {
            let task = Locked<URLSessionTask?>(nil)
            let inner = ManualTransport()
            deinit { task.withLock { $0 }?.cancel() }
            func start(
                _ request: TransportRequest,
                receive: @escaping @Sendable (TransportEvent) -> Void
            ) -> (any TransportTask)? { inner.start(request, receive: receive) }
        }
        for isCancelled in [true, false] {
            let task: URLSessionTask?
            let hop: ManualTransport.Hop?
            do {
                let transport = CancellingTransport()
                let teapot = Teapot(baseURL: teapot.baseURL, defaultDeliveryQueue: queue, transport: transport)
                task = teapot.get("users", timeoutInterval: .infinity, completion: completions.take)
                transport.task.withLock { $0 = task }
                hop = transport.inner.hops.first
            }
            if isCancelled { task?.cancel() } else { hop?.answer(200) }
            await queue.drain()
        }
        #expect(completions.count <= 1)
    }
}

extension Result {
    fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
