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

    /// A plugin makes it on a thread of the session, or on one of a transport of the user's: with the same client, or another.
    @Test(arguments: [true, false], [true, false])
    func `in a plugin of a closure call, on the thread of a transport, it fails at once and says why`(
        isSession: Bool,
        isSame: Bool
    ) async throws {
        let server = try LoopbackServer()
        let other = Teapot(baseURL: server.baseURL)
        let teapot =
            isSession
            ? Teapot(baseURL: server.baseURL)
            : Teapot(baseURL: server.baseURL, transport: AnsweringTransport { _ in (200, [:]) })
        let inner = Locked<[Outcome]>([])
        let plugin = WatchingPlugin(didReceive: { [weak teapot] _, _ in
            guard let client = isSame ? teapot : other else { return }
            let outcome = Self.wait(Teapot.Request(path: "get?inner"), client)
            inner.withLock { $0.append(outcome) }
        })
        teapot.plugins = [plugin]
        let outcome = await withCheckedContinuation { done in
            teapot.send(Teapot.Request(path: "get")) { done.resume(returning: $0) }
        }
        #expect(try outcome.get().status == 200)
        let outcomes = inner.withLock { $0 }
        #expect(outcomes.count == 1)
        for outcome in outcomes {
            let error = #expect(throws: TeapotError.self) { try outcome.get() }
            #expect(error?.type == .preparationFailed)
            #expect(error?.description.contains("sendAndWait would block the thread") == true)
        }
        #expect(server.requests.count == (isSession ? 1 : 0))
        // The mark is gone when the event is over, and no other thread has it.
        #expect(try await Self.outcome(from: other, on: .global()).get().status == 200)
    }

    @Test func `in a plugin that sees a timeout, it waits`() async throws {
        let server = try LoopbackServer()
        let other = Teapot(baseURL: server.baseURL)
        let teapot = Teapot(baseURL: server.baseURL, transport: ManualTransport())
        let inner = Locked<[Outcome]>([])
        teapot.plugins = [
            WatchingPlugin(didReceive: { _, _ in
                let outcome = Self.wait(Teapot.Request(path: "get?inner"), other)
                inner.withLock { $0.append(outcome) }
            })
        ]
        let result = await result { teapot.get("a", timeoutInterval: 0.001, completion: $0) }
        #expect(result.error?.code == .timedOut)
        #expect(try inner.withLock { try $0.map { try $0.get().status } } == [200])
    }

    @Test func `on the thread that starts a call, and in a completion, it waits`() async throws {
        let server = try LoopbackServer()
        let other = Teapot(baseURL: server.baseURL)
        let teapot = Teapot(baseURL: server.baseURL, transport: ManualTransport { $0.answer(200) })
        let statuses = Locked<[Int?]>([])
        let wait = { @Sendable in
            let outcome = Self.wait(Teapot.Request(path: "get?inner"), other)
            statuses.withLock { $0.append((try? outcome.get())?.status) }
        }
        let plugin = WatchingPlugin(willSend: { _ in wait() }, didReceive: { _, _ in wait() })
        teapot.plugins = [plugin]
        #expect(try await Self.outcome(from: teapot, on: DispatchQueue(label: "serial")).get().status == 200)
        #expect(statuses.withLock { $0 } == [200, 200])
        await withCheckedContinuation { continuation in
            other.get("get", deliveryQueue: DispatchQueue(label: "serial")) { (_: NetworkResult) in
                wait()
                continuation.resume()
            }
        }
        #expect(statuses.withLock { $0 } == [200, 200, 200])
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
                #expect(error.code == .timedOut)
            }
            // Afterwards all is as before.
            let outcome = await Self.outcome(from: teapot, on: .global())
            #expect(try outcome.get().status == 200)
        }
    }
}
