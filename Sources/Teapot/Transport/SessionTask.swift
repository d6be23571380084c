import TeapotFoundation

/// A session and its delegate, which does not refer to the session.
final class DelegatedSession: Sendable {
    let session: URLSession
    let delegate: SessionDelegate

    init(_ configuration: URLSessionConfiguration, on queue: OperationQueue, _ delegate: SessionDelegate) {
        self.delegate = delegate
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
    }
}

/// A task of `URLSession`, cancelled in the only way that is safe on Linux, and never suspended there.
final class SessionTask: TransportTask {
    let task: URLSessionTask
    private let session: DelegatedSession
    /// Called first when the task is cancelled.
    private let willCancel: (@Sendable () -> Void)?

    init(_ task: URLSessionTask, of session: DelegatedSession, willCancel: (@Sendable () -> Void)? = nil) {
        self.task = task
        self.session = session
        self.willCancel = willCancel
    }

    func cancel() {
        willCancel?()
        // A block might have to wait for room.
        session.session.delegateQueue.addOperation(BlockOperation { [self] in session.delegate.cancel(task) })
    }

    var urlSessionTask: URLSessionTask? { task }
}
