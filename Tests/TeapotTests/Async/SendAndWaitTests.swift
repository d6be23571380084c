import LoopbackServer
import Teapot
import TestSupport
import Testing
import TestTraits

/// The blocking call. An async test may not make it, so all of them make it in a function or on a queue.
@Suite(.inTurn, .exitTests)
struct SendAndWaitTests {
    typealias Outcome = Result<Teapot.Response, TeapotError>

    /// Blocks the calling thread.
    static func wait(_ request: Teapot.Request, _ teapot: Teapot) -> Outcome {
        Result { () throws(TeapotError) in try teapot.sendAndWait(request) }
    }

    /// Makes the call on a queue, which it blocks meanwhile.
    static func outcome(
        of request: Teapot.Request = Teapot.Request(path: "get"),
        from teapot: Teapot,
        on queue: DispatchQueue
    ) async -> Outcome {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: wait(request, teapot)) }
        }
    }

    // MARK: - Where it is called

    /// Each entry makes a call, whose entry makes a call, of the same Teapot or of one another: three deep.
    @Test(arguments: [1, 2])
    func `where events come while another call waits for them`(teapots count: Int) async throws {
        let server = try LoopbackServer()
        let teapots = (0..<count).map { _ in Teapot(baseURL: server.baseURL) }
        let inner = Locked<[Outcome]>([])
        let depth = Locked(0)
        let logger = Logger(level: .incomingData) { [weak first = teapots.first, weak last = teapots.last] _ in
            let level = depth.withLock { depth in
                depth += 1
                return depth
            }
            guard level <= 3, let teapot = level.isMultiple(of: 2) ? first : last else { return }
            let outcome = Self.wait(Teapot.Request(path: "get?inner"), teapot)
            inner.withLock { $0.append(outcome) }
        }
        for teapot in teapots { teapot.logger = logger }
        let outcome = await Self.outcome(from: try #require(teapots.first), on: DispatchQueue(label: "serial"))
        #expect(try outcome.get().status == 200)
        #expect(inner.withLock { $0 }.map { (try? $0.get())?.status } == [200, 200, 200])
        #expect(server.requests.count == 4)
    }

    // MARK: - Time

    /// A block before the timer in Dispatch's queue would delay it for minutes. The test has a process of its own.
    @Test func `the timeout needs no queue`() async {
        await #expect(processExitsWith: .success) {
            let url = try #require(URL(string: "http://api.example"))
            let teapot = Teapot(baseURL: url, transport: ManualTransport())
            teapot.timeoutInterval = 0.2
            let (outcome, time) = await withCheckedContinuation { continuation in
                let thread = Thread {
                    let gate = DispatchSemaphore(value: 0)
                    let workers = 2_000
                    for _ in 0..<workers { DispatchQueue.global().async { gate.wait() } }
                    let begin = ContinuousClock.now
                    let outcome = Self.wait("", teapot)
                    let time = ContinuousClock.now - begin
                    for _ in 0..<workers { gate.signal() }
                    continuation.resume(returning: (outcome, time))
                }
                thread.start()
            }
            let error = #expect(throws: TeapotError.self) { try outcome.get() }
            #expect(error?.type == .noResponse)
            #expect(time >= .milliseconds(200))
            #expect(time < .seconds(20))
        }
    }

    /// Dispatch has no worker left for the transport while they all wait: some may well time out. A process of its own, since
    /// nothing else gets on there meanwhile.
    @Test func `two hundred at once all end`() async {
        await #expect(processExitsWith: .success) {
            let server = try LoopbackServer(recordsRequests: false)
            let teapot = Teapot(baseURL: server.baseURL)
            let outcomes = await withTaskGroup(of: Outcome.self) { group in
                for number in 0..<200 {
                    let request = Teapot.Request(path: "get?n=\(number)").with { $0.timeoutInterval = 0.2 }
                    group.addTask { await Self.outcome(of: request, from: teapot, on: .global()) }
                }
                return await group.reduce(into: [Outcome]()) { $0.append($1) }
            }
            #expect(outcomes.count == 200)
            for case .failure(let error) in outcomes {
                #expect((error.underlyingError as? URLError)?.code == .timedOut)
            }
            // Afterwards all is as before.
            let outcome = await Self.outcome(from: teapot, on: .global())
            #expect(try outcome.get().status == 200)
        }
    }
}
