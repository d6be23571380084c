internal import TeapotFoundation

/// A task of `URLSession`, never suspended, and cancelled in the one way that is safe on Linux.
struct SessionTask: TransportTask {
    let task: URLSessionTask
    let delegate: SessionDelegate
    let session: URLSession

    func cancel() {
        // Not as a block, which may have to wait for room.
        session.delegateQueue.addOperation(BlockOperation { delegate.cancel(task) })
    }

    #if !canImport(FoundationNetworking)
        // On Linux a task that is suspended and resumed ends the process.
        func suspend() { task.suspend() }
        func resume() { task.resume() }
    #endif

    var urlSessionTask: URLSessionTask? { task }
}
