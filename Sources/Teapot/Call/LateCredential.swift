/// A credential that an authenticator gives later, perhaps before the call waits for it, and the task of that wait.
final class LateCredential: TransportTask {
    private struct State {
        var result: Result<Authenticator.Issued?, any Error>?
        var tell: (@Sendable () -> Void)?
        var withdraw: (@Sendable () -> Void)?
    }

    private let state = Locked(State())

    var result: Result<Authenticator.Issued?, any Error>? { state.withLock { $0.result } }

    @Sendable func set(_ result: Result<Authenticator.Issued?, any Error>) {
        let tell = state.withLock { state in
            state.result = result
            state.withdraw = nil
            return state.tell.take()
        }
        tell?()
    }

    /// Calls `tell` once there is a result. `withdraw` tells the authenticator that nobody waits any more.
    func wait(_ withdraw: @escaping @Sendable () -> Void, _ tell: @escaping @Sendable () -> Void) {
        let isSet = state.withLock { state in
            if state.result == nil { (state.tell, state.withdraw) = (tell, withdraw) }
            return state.result != nil
        }
        if isSet { tell() }
    }

    func cancel() {
        // Both are released after the lock: they hold the call.
        let (withdraw, _) = state.withLock { state in (state.withdraw.take(), state.tell.take()) }
        withdraw?()
    }
}
