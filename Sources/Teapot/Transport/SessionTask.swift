import TeapotFoundation

struct DelegatedSession: Sendable {
    let session: URLSession
    let delegate: SessionDelegate

    init(_ configuration: URLSessionConfiguration, on queue: OperationQueue, _ delegate: SessionDelegate) {
        self.delegate = delegate
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
    }
}

/// A task of `URLSession`, cancelled in the only way that is safe on Linux, and never suspended there.
struct SessionTask: TransportTask {
    let task: URLSessionTask
    let session: DelegatedSession
    /// Called first when it is cancelled.
    var willCancel: (@Sendable () -> Void)?

    func cancel() {
        willCancel?()
        // Not as a block, which may have to wait for room.
        session.session.delegateQueue.addOperation(BlockOperation { session.delegate.cancel(task) })
    }

    var urlSessionTask: URLSessionTask? { task }
}
