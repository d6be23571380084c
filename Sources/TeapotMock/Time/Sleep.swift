internal import Teapot

/// One sleep on a clock, which its time or a cancellation ends, whichever comes first.
final class Sleep: Sendable {
    private enum State {
        case new
        case waiting(CheckedContinuation<Void, any Error>, ScheduledTimer?)
        case over(Result<Void, any Error>)
    }

    private let state = Locked(State.new)

    /// Begins to wait.
    ///
    /// - Parameters:
    ///   - continuation: Resumed once.
    ///   - setTimer: Sets the timer that ends the sleep.
    func begin(_ continuation: CheckedContinuation<Void, any Error>, _ setTimer: () -> ScheduledTimer) {
        let result: Result<Void, any Error>? = state.withLock { state in
            if case .over(let result) = state { return result }
            state = .waiting(continuation, nil)
            return nil
        }
        if let result { return continuation.resume(with: result) }
        let timer = setTimer()
        let isWaiting = state.withLock { state in
            guard case .waiting = state else { return false }
            state = .waiting(continuation, timer)
            return true
        }
        if !isWaiting { timer.cancel() }
    }

    func end(_ result: Result<Void, any Error>) {
        let (continuation, timer): (CheckedContinuation<Void, any Error>?, ScheduledTimer?) = state.withLock { state in
            switch state {
            case .over: return (nil, nil)
            case .new:
                state = .over(result)
                return (nil, nil)
            case .waiting(let continuation, let timer):
                state = .over(result)
                return (continuation, timer)
            }
        }
        timer?.cancel()
        continuation?.resume(with: result)
    }
}
