import Foundation
import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// An answer without a delay has been delivered when the verb returns, whatever the queue.
@Suite(.inTurn)
struct DeliveryTests {
    private let mock = MockTeapot(bundle: .module, mockFilename: "mock-object")

    /// A queue by its kind.
    enum Kind: CaseIterable {
        case serial, concurrent, targeting

        var queue: DispatchQueue {
            switch self {
            case .serial: DispatchQueue(label: "serial")
            case .concurrent: DispatchQueue(label: "concurrent", attributes: .concurrent)
            case .targeting: DispatchQueue(label: "serial", target: DispatchQueue(label: "target"))
            }
        }
    }

    @Test(arguments: Kind.allCases)
    func `an answer is delivered before the verb returns, on the named queue`(_ kind: Kind) async {
        let queue = kind.queue
        let names = await onThread {
            let completions = Completions()
            for _ in 0..<20 {
                mock.get("teapots/1", deliveryQueue: queue) { result in
                    dispatchPrecondition(condition: .onQueue(queue))
                    completions.take(result)
                }
            }
            return completions.all.map { $0.text("name") }
        }
        #expect(names == Array(repeating: "teapot", count: 20))
    }

    @Test func `large answers that are due are in the queue when the clock has moved`() async throws {
        let clock = TestClock()
        let mock = MockTeapot(bundle: .module, clock: clock)
        try mock.overrideEndPoint("slow") { request in
            let text = request.url.path() + String(repeating: " ", count: 40_000)
            return .data(Data(text.utf8), contentType: "text/plain").delayed(by: .seconds(1))
        }
        let (queue, completions) = (DispatchQueue(label: "delivery"), Completions())
        for number in 0..<20 { mock.get("slow?\(number)", deliveryQueue: queue, completion: completions.take) }
        await onThread { clock.advance(by: .seconds(1)) }
        await queue.drain()
        #expect(completions.all.map { $0.response.url?.query() } == (0..<20).map { "\($0)" })
    }

    /// A mock has no thread of its own: not even a delayed answer comes on one.
    @Test func `a blocking call is possible wherever a mock answers`() async throws {
        let clock = TestClock()
        let mock = MockTeapot(bundle: .module, clock: clock)
        try mock.overrideEndPoint("slow", with: .status(.ok).delayed(by: .seconds(1)))
        let inner = MockTeapot(bundle: .module)
        let statuses = Locked<[Int]>([])
        let wait = { @Sendable in
            let status = try? inner.sendAndWait(Teapot.Request(path: "inner")).status
            statuses.withLock { $0.append(status ?? 0) }
        }
        let plugin = WatchingPlugin(didReceive: { _, _ in wait() })
        mock.plugins = [plugin]
        _ = mock.get("fast") { (_: NetworkResult) in wait() }
        #expect(statuses.withLock { $0 } == [200, 200])
        _ = mock.get("slow") { (_: NetworkResult) in }
        await onThread { clock.advance(by: .seconds(1)) }
        #expect(statuses.withLock { $0 } == [200, 200, 200])
    }

    // MARK: - The current queue

    @Test(arguments: Kind.allCases)
    func `on the named queue itself, an answer is delivered at once`(_ kind: Kind) async {
        let (queue, completions) = (kind.queue, Completions())
        let counts = await withCheckedContinuation { continuation in
            queue.async {
                let counts = (1...3).map { _ in
                    mock.get("teapots/1", deliveryQueue: queue, completion: completions.take)
                    return completions.count
                }
                continuation.resume(returning: counts)
            }
        }
        #expect(counts == [1, 2, 3])
    }

    @Test func `on a queue with the named one as target, an answer is delivered at once, on the calling thread`() async
    {
        let target = DispatchQueue(label: "target")
        let isOnThread = await withCheckedContinuation { continuation in
            DispatchQueue(label: "upper", target: target)
                .async {
                    let (caller, deliverer) = (Thread.current, Locked<Thread?>(nil))
                    mock.get("teapots/1", deliveryQueue: target) { (_: NetworkResult) in
                        deliverer.withLock { $0 = Thread.current }
                    }
                    continuation.resume(returning: deliverer.withLock { $0 } === caller)
                }
        }
        #expect(isOnThread)
    }

    @Test func `a completion may make another call for its own queue`() async {
        let queue = DispatchQueue(label: "delivery")
        let steps = await onThread {
            let steps = Locked<[String]>([])
            mock.get("outer", deliveryQueue: queue) { (_: NetworkResult) in
                steps.withLock { $0.append("outer") }
                mock.get("inner", deliveryQueue: queue) { (_: NetworkResult) in steps.withLock { $0.append("inner") } }
                steps.withLock { $0.append("outer again") }
            }
            return steps.withLock { $0 }
        }
        #expect(steps == ["outer", "inner", "outer again"])
    }

    // MARK: - Queues that do not get to it

    @Test(
        arguments: [("teapots/1", nil), ("//example.com", .invalidRequestPath)] as [(String, TeapotError.ErrorType?)]
    )
    func `a suspended queue gets the answer later, once`(path: String, error: TeapotError.ErrorType?) async {
        let queue = DispatchQueue(label: "suspended")
        queue.suspend()
        let completions = Completions()
        let state = await onThread { mock.get(path, deliveryQueue: queue, completion: completions.take)?.state }
        #expect(state != .completed)
        #expect(completions.count == 0)
        queue.resume()
        await queue.drain()
        #expect(completions.all.map(\.error?.type) == [error])
    }

    @Test func `a queue that waits for the caller gets the answer later, once`() async {
        let queue = DispatchQueue(label: "waiting")
        let completions = Completions()
        let caller = DispatchSemaphore(value: 0)
        queue.async { caller.wait() }
        let count = await onThread {
            mock.get("teapots/1", deliveryQueue: queue, completion: completions.take)
            defer { caller.signal() }
            return completions.count
        }
        #expect(count == 0)
        await queue.drain()
        #expect(completions.count == 1)
    }

    @Test func `a task can be cancelled, suspended and resumed before its queue gets to the answer`() async {
        let queue = DispatchQueue(label: "suspended")
        queue.suspend()
        let (cancelled, resumed) = (Completions(), Completions())
        await onThread {
            mock.get("teapots/1", deliveryQueue: queue, completion: cancelled.take)?.cancel()
            let task = mock.get("teapots/1", deliveryQueue: queue, completion: resumed.take)
            task?.suspend()
            task?.resume()
        }
        queue.resume()
        await queue.drain()
        await queue.drain()
        #expect(cancelled.count == 0)
        #expect(resumed.count == 1)
    }
}
