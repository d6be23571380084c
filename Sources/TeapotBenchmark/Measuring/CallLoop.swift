import Dispatch
import Teapot

/// Makes calls, each from the completion of one before, until there are enough or one has failed.
final class CallLoop: Sendable {
    private struct State {
        /// How many are not made yet.
        var left: Int
        var underWay = 0
        var failure: (any Error)?
    }

    private let call: Workload.Call
    private let state: Locked<State>
    private let finished = DispatchSemaphore(value: 0)

    init(_ call: @escaping Workload.Call, requests: Int) {
        self.call = call
        state = Locked(State(left: requests))
    }

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
        call { [self] failure in
            let (goesOn, isLast) = state.withLock { state in
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
}
