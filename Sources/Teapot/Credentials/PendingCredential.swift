/// A credential that an authenticator gives later, perhaps before the call waits for it.
final class PendingCredential: Sendable {
    private struct State {
        var result: Result<Authenticator.Issued?, any Error>?
        var tell: (@Sendable (Result<Authenticator.Issued?, any Error>) -> Void)?
    }

    private let state = Locked(State())
    /// Tells the authenticator that nobody waits any more.
    private let withdraw: @Sendable () -> Void

    init(withdraw: @escaping @Sendable () -> Void) { self.withdraw = withdraw }

    @Sendable func set(_ result: Result<Authenticator.Issued?, any Error>) {
        // Either this or `wait` comes first; the one that comes second tells.
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
        withdraw()
        // It is released after the lock: it holds the call.
        _ = state.withLock { $0.tell.take() }
    }
}
