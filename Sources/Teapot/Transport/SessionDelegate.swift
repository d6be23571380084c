import TeapotFoundation

/// Turns the callbacks of a `URLSession` into events, and hides its peculiarities. The callbacks that differ between platforms are
/// in `SessionDelegate+Linux` and `SessionDelegate+Apple`.
///
/// The methods have the exact signatures of the protocols: FoundationNetworking does not call others.
final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    struct Reception {
        let receive: @Sendable (TransportEvent) -> Void
        /// The details that the platform needs.
        var details: Details
        var hasResponse = false
        /// Set before the task is cancelled: its callbacks that are in the queue by then come all the same.
        var isCancelled = false
    }

    /// By task identifier, from before the task is resumed until its completion.
    let receptions = Locked<[Int: Reception]>([:])

    func add(_ task: URLSessionTask, _ details: Details, receive: @escaping @Sendable (TransportEvent) -> Void) {
        receptions.withLock { $0[task.taskIdentifier] = Reception(receive: receive, details: details) }
    }

    /// Cancels a running task, on the delegate's queue like all callbacks, so that none comes in between: cancelling a task
    /// while it completes can end the process.
    func cancel(_ task: URLSessionTask) {
        let isUnderWay = receptions.withLock { receptions in
            guard receptions[task.taskIdentifier]?.isCancelled == false else { return false }
            receptions[task.taskIdentifier]?.isCancelled = true
            return true
        }
        if isUnderWay { task.cancel() }
    }

    /// Whether a question about a task still needs an answer. FoundationNetworking may have queued one before the task was
    /// cancelled; an answer then ends the process, while the task ends without one.
    func isAnswerable(_ task: URLSessionTask) -> Bool {
        receptions.withLock { $0[task.taskIdentifier]?.isCancelled == false }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        report(response, of: dataTask)
        completionHandler(.allow)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) { report(.sent(Int(bytesSent)), of: task) }

    /// Reports a piece of the body.
    func report(_ data: Data, of task: URLSessionTask) {
        var receive = receiverOfBody(of: task)
        if receive == nil {
            reportRedirect(of: task)
            receive = receiverOfBody(of: task)
        }
        receive?(.data(data))
    }

    /// The receiver of a body's pieces. Data before the response follows a header whose end FoundationNetworking did not
    /// recognize, and is dropped.
    private func receiverOfBody(of task: URLSessionTask) -> (@Sendable (TransportEvent) -> Void)? {
        receptions.withLock { receptions in
            receptions[task.taskIdentifier].flatMap { $0.hasResponse ? $0.receive : nil }
        }
    }

    /// Teapot follows redirects itself: FoundationNetworking loses bodies, and sends credentials to other origins. Without this
    /// answer a task would wait forever, past every timeout.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) { if isAnswerable(task) { completionHandler(nil) } }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        reportRedirect(of: task)
        guard let reception = receptions.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        reception.receive(.finished(error.flatMap { Self.failure($0 as NSError, of: reception) }))
    }

    func report(_ event: TransportEvent, of task: URLSessionTask) {
        receptions.withLock { $0[task.taskIdentifier]?.receive }?(event)
    }

    /// Reports a refused redirect, which has no callback of its own. No other response is taken from the task:
    /// FoundationNetworking reports a success if it could not read the header.
    private func reportRedirect(of task: URLSessionTask) {
        guard let response = task.response as? HTTPURLResponse, (300...399).contains(response.statusCode) else {
            return
        }
        report(response, of: task)
    }

    /// Reports the response once, from whichever callback is first. FoundationNetworking also provides informational responses
    /// before it (RFC 9110, section 15.2), which are progress; 101 is the last.
    private func report(_ response: URLResponse?, of task: URLSessionTask) {
        guard let response = response as? HTTPURLResponse else { return }
        guard response.status == 101 || response.status >= 200 else { return report(.sent(0), of: task) }
        let receive: (@Sendable (TransportEvent) -> Void)? = receptions.withLock { receptions in
            guard receptions[task.taskIdentifier]?.hasResponse == false else { return nil }
            receptions[task.taskIdentifier]?.hasResponse = true
            return receptions[task.taskIdentifier]?.receive
        }
        receive?(.response(response))
    }
}
