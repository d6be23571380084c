/// A credential that an authenticator gives later. It may come before the call waits for it.
final class LateCredential: Sendable {
    private struct State {
        var result: Result<Authenticator.Issued?, any Error>?
        var tell: (@Sendable () -> Void)?
    }

    private let state = Locked(State())

    var result: Result<Authenticator.Issued?, any Error>? { state.withLock { $0.result } }

    @Sendable func set(_ result: Result<Authenticator.Issued?, any Error>) {
        let tell = state.withLock { state in
            state.result = result
            return state.tell.take()
        }
        tell?()
    }

    /// Calls the closure once there is a result.
    func whenSet(_ tell: @escaping @Sendable () -> Void) {
        let isSet = state.withLock { state in
            if state.result == nil { state.tell = tell }
            return state.result != nil
        }
        if isSet { tell() }
    }

    /// The task of the wait for it.
    struct Task: TransportTask {
        let withdraw: @Sendable () -> Void

        func cancel() { withdraw() }
    }
}
