/// A credential that an authenticator gives later, perhaps before the call waits for it, and the task of that wait.
final class LateCredential: TransportTask {
    private struct State {
        var result: Result<Authenticator.Issued?, any Error>?
        var tell: (@Sendable () -> Void)?
    }

    private let state = Locked(State())
    /// Tells the authenticator that nobody waits any more.
    private let withdraw: @Sendable () -> Void

    init(withdraw: @escaping @Sendable () -> Void) { self.withdraw = withdraw }

    var result: Result<Authenticator.Issued?, any Error>? { state.withLock { $0.result } }

    @Sendable func set(_ result: Result<Authenticator.Issued?, any Error>) {
        let tell = state.withLock { state in
            state.result = result
            return state.tell.take()
        }
        tell?()
    }

    /// Calls `tell` once there is a result.
    func wait(_ tell: @escaping @Sendable () -> Void) {
        let isSet = state.withLock { state in
            if state.result == nil { state.tell = tell }
            return state.result != nil
        }
        if isSet { tell() }
    }

    func cancel() {
        withdraw()
        // It is released after the lock: it holds the call.
        _ = state.withLock { $0.tell.take() }
    }
}
