@testable import Teapot
import TestSupport
import TestTraits
import Testing

@Suite(.inTurn)
struct RequestCounterTests {
    private let request: Teapot.SentRequest
    private let told = Locked<[Int]>([])
    private let queue = MarkedQueue("counter")
    /// In seconds: no test takes as long.
    private let endless: TimeInterval = 36_000

    init() throws {
        let urlRequest = URLRequest(url: try #require(URL(string: "http://h")))
        request = Teapot.SentRequest(urlRequest: urlRequest, bodyFile: nil, attempt: 1, secrets: .standard)
    }

    private func counter(pause: TimeInterval, zero: Signal = Signal()) -> RequestCounter {
        RequestCounter(queue: queue.queue, pause: pause) { [told, queue] count in
            #expect(queue.isCurrent)
            told.withLock { $0.append(count) }
            if count == 0 { zero.fire() }
        }
    }

    private func begin(_ counter: RequestCounter) { counter.willSend(request) }
    private func end(_ counter: RequestCounter) { counter.didReceive(.failure(.cancelled()), for: request) }

    private var allTold: [Int] { told.withLock { $0 } }

    @Test func `reports changes in order`() async {
        let zero = Signal()
        let counter = counter(pause: 0, zero: zero)
        var counts: [Int] = []
        for change in [begin, begin, end, begin, end] {
            change(counter)
            counts.append(counter.count)
            await queue.queue.drain()
        }
        #expect(counts == [1, 2, 1, 2, 1])
        #expect(allTold == counts)
        end(counter)
        #expect(counter.count == 0)
        await zero.wait()
        #expect(allTold == counts + [0])
    }

    /// Each hop of a redirect and each attempt is a request.
    @Test func `does not report zero if the next request follows at once`() async {
        let counter = counter(pause: endless)
        for _ in 0..<100 {
            begin(counter)
            await queue.queue.drain()
            end(counter)
            await queue.queue.drain()
        }
        #expect(counter.count == 0)
        #expect(allTold == [1])
    }

    @Test func `waits before it reports zero`() async {
        let zero = Signal()
        let counter = counter(pause: 0.05, zero: zero)
        begin(counter)
        await queue.queue.drain()
        let beforeEnd = ContinuousClock.now
        end(counter)
        await zero.wait()
        #expect(beforeEnd.duration(to: .now) >= .milliseconds(45))
        #expect(allTold == [1, 0])
    }

    @Test func `does not report a request that ended meanwhile`() async {
        let counter = counter(pause: endless)
        begin(counter)
        await queue.queue.drain()
        queue.queue.suspend()
        begin(counter)
        begin(counter)
        end(counter)
        end(counter)
        queue.queue.resume()
        await queue.queue.drain()
        #expect(allTold == [1])
        queue.queue.suspend()
        begin(counter)
        begin(counter)
        queue.queue.resume()
        await queue.queue.drain()
        #expect(allTold == [1, 3])
    }

    /// On a queue that could run two of them at once, too.
    @Test func `reports one change at a time, and the right number at last`() async {
        let zero = Signal()
        let isTelling = Locked(false)
        let requests = 2_000
        let counter = RequestCounter(queue: .global(), pause: 0.01) { [told] count in
            let isAlone = isTelling.withLock { isTelling in
                defer { isTelling = true }
                return !isTelling
            }
            #expect(isAlone)
            told.withLock { $0.append(count) }
            isTelling.withLock { $0 = false }
            if count == 0 { zero.fire() }
        }
        // One is under way all the time, so that there is a single last word.
        begin(counter)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<requests {
                group.addTask {
                    begin(counter)
                    end(counter)
                }
            }
        }
        #expect(counter.count == 1)
        end(counter)
        await zero.wait()
        #expect(counter.count == 0)
        let all = allTold
        #expect(all.first != 0)
        #expect(all.last == 0)
        #expect(all.count { $0 == 0 } == 1)
        #expect(zip(all, all.dropFirst()).allSatisfy { $0 != $1 })
    }

    @Test func `reports on the main queue by default`() async {
        let main = MarkedQueue("main", queue: .main)
        let isOnMain = await withCheckedContinuation { continuation in
            let counter = RequestCounter { count in
                if count == 1 { continuation.resume(returning: main.isCurrent) }
            }
            begin(counter)
        }
        #expect(isOnMain)
    }
}
