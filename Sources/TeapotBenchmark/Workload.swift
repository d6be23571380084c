import Dispatch
import Foundation
import Teapot

/// One of the two ways of a case, with the client that it keeps for all requests.
struct Workload: Sendable {
    /// Makes this many requests, and returns when all have come to what they should.
    let run: @Sendable (_ requests: Int) throws -> Sample
    /// Lets go of the client.
    var end: @Sendable () -> Void = {}

    /// Lets go of a session with the workload.
    func ending(_ session: URLSession) -> Workload {
        var workload = self
        workload.end = { session.finishTasksAndInvalidate() }
        return workload
    }
}

extension Workload {
    /// Starts one call. Its completion takes why it did not come to what it should; `nil` if it did.
    typealias Call = @Sendable (_ completion: @escaping @Sendable ((any Error)?) -> Void) -> Void

    /// Calls with a completion handler, each made from the completion of one before.
    ///
    /// - Parameters:
    ///   - inFlight: How many are under way at once.
    ///   - call: Starts one. Its completion must not be called before it returns.
    /// - Returns: The workload.
    static func calls(inFlight: Int = 1, _ call: @escaping Call) -> Workload {
        Workload { requests in
            let loop = CallLoop(call, requests: requests)
            var sample = try Sample.measure { try loop.run(inFlight: inFlight) }
            sample.calls = CallTimes(loop.seconds)
            return sample
        }
    }

    /// Async calls, one after the other.
    static func tasks(_ call: @escaping @Sendable () async throws -> Void) -> Workload {
        Workload { requests in
            var seconds: [Double] = []
            var sample = try Sample.measure {
                seconds = try TaskResult.wait {
                    var seconds: [Double] = []
                    guard CallTimes.areMeasured else {
                        for _ in 0..<requests { try await call() }
                        return seconds
                    }
                    for _ in 0..<requests {
                        let start = ContinuousClock.now
                        try await call()
                        seconds.append((ContinuousClock.now - start) / .seconds(1))
                    }
                    return seconds
                }
            }
            sample.calls = CallTimes(seconds)
            return sample
        }
    }

    /// Makes a workload from a step that is complete when it returns.
    static func steps(_ step: @escaping @Sendable () throws -> Void) -> Workload {
        Workload { requests in
            try Sample.measure {
                for _ in 0..<requests { try step() }
            }
        }
    }
}

/// Makes calls, each from the completion of one before, until there are enough or one has failed.
final class CallLoop: Sendable {
    private struct State {
        /// How many are not made yet.
        var left: Int
        var underWay = 0
        var failure: (any Error)?
        /// The time of each call.
        var seconds: [Double] = []
    }

    private let call: Workload.Call
    private let state: Locked<State>
    private let finished = DispatchSemaphore(value: 0)

    init(_ call: @escaping Workload.Call, requests: Int) {
        self.call = call
        state = Locked(State(left: requests))
    }

    /// The time of each call, in seconds.
    var seconds: [Double] { state.withLock { $0.seconds } }

    /// Blocks until no call is under way any more.
    ///
    /// - Throws: The first failure.
    func run(inFlight: Int) throws {
        let first = state.withLock { state in
            let count = min(inFlight, state.left)
            state.left -= count
            state.underWay = count
            return count
        }
        guard first > 0 else { return }
        for _ in 0..<first { makeCall() }
        finished.wait()
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    private func makeCall() {
        guard CallTimes.areMeasured else { return call { [self] in didEnd($0, after: nil) } }
        let start = ContinuousClock.now
        call { [self] in didEnd($0, after: (ContinuousClock.now - start) / .seconds(1)) }
    }

    private func didEnd(_ failure: (any Error)?, after seconds: Double?) {
        let (goesOn, isLast) = state.withLock { state in
            if let seconds { state.seconds.append(seconds) }
            if let failure {
                state.failure = state.failure ?? failure
                state.left = 0
            }
            guard state.left > 0 else {
                state.underWay -= 1
                return (false, state.underWay == 0)
            }
            state.left -= 1
            return (true, false)
        }
        if goesOn { makeCall() }
        if isLast { finished.signal() }
    }
}

/// The way from a thread that may block to async code.
enum TaskResult {
    /// Runs `body` in a task, and blocks until it has ended.
    ///
    /// - Returns: What it returns.
    /// - Throws: What it throws.
    static func wait<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let outcome = Locked<Result<Value, any Error>>(.failure(CaseFailure("the task has not ended")))
        let finished = DispatchSemaphore(value: 0)
        let task = Task.detached(operation: body)
        Task.detached {
            let result = await task.result
            outcome.withLock { $0 = result }
            finished.signal()
        }
        finished.wait()
        return try outcome.withLock { $0 }.get()
    }
}
