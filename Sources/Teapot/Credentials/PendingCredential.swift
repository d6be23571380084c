/// A credential that an authenticator gives later, perhaps before the call waits for it.
final class PendingCredential: Sendable {
    /// A struct: the optimizer of Swift 6.0.3 crashes on a tuple with a closure.
    private struct State {
        var result: Result<Authenticator.Issued?, any Error>?
        var tell: (@Sendable (Result<Authenticator.Issued?, any Error>) -> Void)?
    }

    private let state = Locked(State())
    /// Tells the authenticator that nobody waits any more.
    private let withdraw: @Sendable (PendingCredential) -> Void

    init(withdraw: @escaping @Sendable (PendingCredential) -> Void) { self.withdraw = withdraw }

    func set(_ result: Result<Authenticator.Issued?, any Error>) {
        // Of this method and `wait`, the one that is called second tells.
        let tell = state.withLock { state in
            state.result = result
            return state.tell.take()
        }
        tell?(result)
    }

    /// Calls `tell` once there is a result.
    func wait(_ tell: @escaping @Sendable (Result<Authenticator.Issued?, any Error>) -> Void) {
        let result = state.withLock { state in
            if state.result == nil { state.tell = tell }
            return state.result
        }
        if let result { tell(result) }
    }

    func cancel() {
        withdraw(self)
        // The closure is released after the lock, as it holds the call.
        _ = state.withLock { $0.tell.take() }
    }
}
