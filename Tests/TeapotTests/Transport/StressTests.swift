import LoopbackServer
import Teapot
import TeapotCurl
import TestSupport
import TestTraits
import Testing

/// Many calls at once, treated badly. In processes of their own, as they keep the queue busy that all sessions share.
@Suite(.firstInTurn, .exitTests)
struct StressTests {
    /// The record of one call.
    private final class Call: Sendable {
        private struct State {
            var completions = 0
            var isCancelled = false
            var completedAfterCancel = false
        }
        private let state = Locked(State())

        func complete() {
            state.withLock {
                $0.completions += 1
                $0.completedAfterCancel = $0.completedAfterCancel || $0.isCancelled
            }
        }

        /// Cancels on the delivery queue, so that "after" has a meaning.
        func cancel(_ task: URLSessionTask) {
            task.cancel()
            state.withLock { $0.isCancelled = true }
        }

        var completions: Int { state.withLock { $0.completions } }
        var isCancelled: Bool { state.withLock { $0.isCancelled } }
        var completedAfterCancel: Bool { state.withLock { $0.completedAfterCancel } }
    }

    /// Suspend, resume and cancel in random order, repeated, from several threads, at random moments.
    @Test func `tasks can be used in any way`() async {
        await #expect(processExitsWith: .success) {
            let count =
                ProcessInfo.processInfo.environment["TEAPOT_STRESS_CALLS"].flatMap(Int.init).map { max(100, $0) }
                ?? 1_000
            let seed = UInt64.random(in: 0 ... .max)
            let server = try LoopbackServer(recordsRequests: false)
            let teapot = Teapot(baseURL: server.baseURL)
            let queue = DispatchQueue(label: "delivery")
            let hands = (0..<4).map { DispatchQueue(label: "hand \($0)") }
            var generator = SeededGenerator(seed: seed)
            let calls = (0..<count).map { _ in Call() }
            let paths = ["get", "status/404", "redirect/1", "bytes/20000", "status/401"]

            // At most 64 at a time.
            let window = 64
            for start in stride(from: 0, to: count, by: window) {
                let group = DispatchGroup()
                for call in calls[start..<min(start + window, count)] {
                    group.enter()
                    let finish = Once { group.leave() }
                    let path = try #require(paths.randomElement(using: &generator))
                    let task = teapot.get(path, timeoutInterval: 60, deliveryQueue: queue) { (_: NetworkResult) in
                        call.complete()
                        finish()
                    }
                    guard let task else { continue }
                    for _ in 0..<Int.random(in: 0...6, using: &generator) {
                        let hand = try #require(hands.randomElement(using: &generator))
                        switch Int.random(in: 0..<7, using: &generator) {
                        case 0...2: hand.async { task.suspend() }
                        case 3...5: hand.async { task.resume() }
                        default:
                            // On the delivery queue a cancellation is before or after a completion, never beside it.
                            group.enter()
                            hand.async {
                                queue.async {
                                    call.cancel(task)
                                    finish()
                                    group.leave()
                                }
                            }
                        }
                    }
                    // Whatever was called before, each thread resumes the task at the end.
                    for hand in hands { hand.async { task.resume() } }
                    hands[0].async { hands[1].async { hands[2].async { hands[3].async { task.resume() } } } }
                }
                await withCheckedContinuation { continuation in
                    group.notify(queue: queue) { continuation.resume() }
                }
            }

            let completed = calls.filter { $0.completions == 1 }.count
            // A third or so is cancelled; both must have happened for the rest to mean anything.
            #expect(completed > count / 10, "seed \(seed)")
            #expect(completed < count, "seed \(seed)")
            #expect(calls.allSatisfy { $0.completions <= 1 }, "seed \(seed)")
            #expect(calls.allSatisfy { $0.completions == 1 || $0.isCancelled }, "seed \(seed)")
            let late = calls.filter(\.completedAfterCancel).count
            #expect(late == 0, "seed \(seed)")
        }
    }

    @TaskLocal private static var number = -1

    /// Counts what it sees of each call, by the value of the caller's task.
    private struct Ends: Teapot.Plugin {
        let counts = Locked<[Int: Int]>([:])

        private func add(_ change: Int) { counts.withLock { $0[StressTests.number, default: 0] += change } }

        func willSend(_ request: Teapot.SentRequest) { add(1) }
        func didReceive(_ result: Result<Teapot.Response, TeapotError>, for request: Teapot.SentRequest) { add(1_000) }
    }

    /// Cancelled by other threads at random moments, over either transport.
    @Test func `async calls end once, in their tasks`() async {
        await #expect(processExitsWith: .success) {
            let count =
                ProcessInfo.processInfo.environment["TEAPOT_STRESS_CALLS"].flatMap(Int.init).map { max(100, $0) }
                ?? 1_000
            var generator = SeededGenerator(seed: UInt64.random(in: 0 ... .max))
            let server = try LoopbackServer(recordsRequests: false)
            let transports: [any Transport] = [URLSessionTransport(), PortableTransport()]
            let paths = ["get", "status/404", "redirect/1", "bytes/20000", "status/503"]
            let hand = DispatchQueue(label: "hand")
            for transport in transports {
                let ends = Ends()
                let teapot = Teapot(baseURL: server.baseURL, transport: transport)
                teapot.timeoutInterval = 60
                teapot.plugins = [ends]
                teapot.retryPolicy = RetryPolicy(maximumAttempts: 2, baseDelay: .zero)
                let outcomes = Locked<[Int: [TeapotError?]]>([:])
                for start in stride(from: 0, to: count, by: 64) {
                    let calls = try (start..<min(start + 64, count)).map { number in
                        let path = Teapot.Path(try #require(paths.randomElement(using: &generator)))
                        let isRead = Bool.random(using: &generator)
                        let call = Self.$number.withValue(number) {
                            Task {
                                let error = await thrown { () throws(TeapotError) in
                                    guard isRead else { return _ = try await teapot.get(path) }
                                    for try await _ in try await teapot.bytes(Teapot.Request(path: path)) {}
                                }
                                outcomes.withLock { $0[number, default: []].append(error) }
                            }
                        }
                        if Int.random(in: 0..<3, using: &generator) == 0 {
                            let delay = DispatchTimeInterval.microseconds(Int.random(in: 0..<3_000, using: &generator))
                            hand.asyncAfter(deadline: .now() + delay) { call.cancel() }
                        }
                        return call
                    }
                    for call in calls { await call.value }
                }
                // The call of a stream that nobody reads any more ends in a task of its own.
                await eventually { ends.counts.withLock { $0.values.allSatisfy { $0 % 1_000 == $0 / 1_000 } } }
                #expect(ends.counts.withLock { $0.keys.allSatisfy { (0..<count).contains($0) } })
                #expect(ends.counts.withLock { $0.count } > count / 2)
                #expect(outcomes.withLock { $0.count == count && $0.values.allSatisfy { $0.count == 1 } })
                let errors = outcomes.withLock { $0.values.map { $0[0]?.type } }
                #expect(errors.contains(nil) && errors.contains(.cancelled))
                #expect(Set(errors).isSubset(of: [nil, .cancelled, .invalidResponseStatus]))
            }
        }
    }

    /// Something that happens the first time only.
    private final class Once: Sendable {
        private let action: Locked<(@Sendable () -> Void)?>

        init(_ action: @escaping @Sendable () -> Void) {
            self.action = Locked(action)
        }

        func callAsFunction() {
            let action = action.withLock { action in
                defer { action = nil }
                return action
            }
            action?()
        }
    }
}
