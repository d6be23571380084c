internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// A task of `URLSession`, never suspended, and cancelled in the one way that is safe on Linux.
struct SessionTask: TransportTask {
    let task: URLSessionTask
    let delegate: SessionDelegate
    let session: URLSession

    /// On the delegate's queue, and only while the task is under way: cancelling a task as it completes can end the process.
    func cancel() {
        session.delegateQueue.addOperation { [task, delegate] in
            if delegate.isUnderWay(task) { task.cancel() }
        }
    }

    var urlSessionTask: URLSessionTask? { task }
}
