import TeapotFoundation

/// Turns the callbacks of a `URLSession` into events. The callbacks that differ between platforms are in `SessionDelegate+Linux` and
/// `SessionDelegate+Apple`. All have the exact signatures of the protocols: FoundationNetworking does not call others.
final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    /// The state of one task.
    /// `@unchecked Sendable` is sound: only the lock of `receptions`, and then the last callback, gives access to it.
    final class Reception: @unchecked Sendable {
        let receive: @Sendable (TransportEvent) -> Void
        /// Takes the pieces of the body; `nil` before the response.
        var receiverOfBody: (@Sendable (TransportEvent) -> Void)? { hasResponse ? receive : nil }
        var details: Details
        /// Whether the response was reported.
        private(set) var hasResponse = false
        /// The last response, if it may be a proxy's answer to `CONNECT` (RFC 9110, section 9.3.6).
        private var held: HTTPURLResponse?
        /// Whether the response that is held is surely a proxy's.
        private var opensTunnel = false
        /// Set before the task is cancelled: callbacks that are in the queue by then still come.
        var isCancelled = false

        init(receive: @escaping @Sendable (TransportEvent) -> Void, details: Details) {
            self.receive = receive
            self.details = details
        }

        /// Takes the response of a callback, of which the first is reported. Informational responses before it (RFC 9110, section 15.2) are
        /// progress, except 101. Through a proxy, FoundationNetworking also provides the answer to each `CONNECT`, and nothing tells the two
        /// apart until the body begins, or the task ends.
        func take(_ response: URLResponse, isFirst: (Origin) -> Bool) -> TransportEvent? {
            guard let response = response as? HTTPURLResponse else { return nil }
            guard response.status == 101 || response.status >= 200 else { return .sent(0) }
            // No proxy makes a tunnel by a 101.
            guard let origin = details.tunnelOrigin, response.status != 101 else { return report(response) }
            opensTunnel = isFirst(origin)
            held = response
            return .sent(0)
        }

        enum Next { case body, end, failure }

        /// Takes the response of the task before the first piece of the body, or the end. The response counts if it was held, or is a
        /// refused redirect, which has no callback of its own. No other response counts, as FoundationNetworking reports a success if it
        /// could not read the header. After a failure, the response may be the proxy's. Before a body, the only response of a first
        /// tunnel is the proxy's: FoundationNetworking could not read the header of the server's.
        func takeLast(_ response: URLResponse?, before next: Next) -> TransportEvent? {
            guard let response = response as? HTTPURLResponse, next != .failure || details.tunnelOrigin == nil else {
                return nil
            }
            let isRedirect = (300...399).contains(response.statusCode)
            return isRedirect || response === held && (next == .end || !opensTunnel) ? report(response) : nil
        }

        /// Whether the end shows that the response which was reported is the proxy's: the task has another one.
        func isRefuted(by response: URLResponse?) -> Bool {
            guard hasResponse, let held, let response = response as? HTTPURLResponse else { return false }
            return response !== held && response.statusCode == 200 && response.allHeaderFields.isEmpty
        }

        private func report(_ response: HTTPURLResponse) -> TransportEvent? {
            guard !hasResponse else { return nil }
            hasResponse = true
            return .response(response)
        }
    }

    #if !canImport(FoundationNetworking)
        /// Asked about each server, and for certificates of the client. All tasks of the session share it, as they share connections.
        let challenge: URLSessionTransport.Challenge?

        init(_ challenge: URLSessionTransport.Challenge?) { self.challenge = challenge }
    #endif

    /// By task identifier, from before the task is resumed until its completion.
    let receptions = Locked<[Int: Reception]>([:])

    func add(_ task: URLSessionTask, _ details: Details, receive: @escaping @Sendable (TransportEvent) -> Void) {
        let reception = Reception(receive: receive, details: details)
        receptions.withLock { $0[task.taskIdentifier] = reception }
    }

    /// The hosts and ports to which tunnels were made.
    private let tunneled = Locked<Set<String>>([])

    /// Whether a response of the origin is the session's first, and so that of a proxy, which answers `CONNECT` before.
    private func isFirst(of origin: Origin) -> Bool {
        Details.isTunnelCertain && tunneled.withLock { $0.insert("\(origin.host):\(origin.port)").inserted }
    }

    /// Cancels a running task, on the delegate's queue: cancelling a task while it completes can end the process.
    func cancel(_ task: URLSessionTask) {
        guard isAnswerable(task) else { return }
        receptions.withLock { $0[task.taskIdentifier]?.isCancelled = true }
        task.cancel()
    }

    /// Whether a question about a task still needs an answer: one to a cancelled task ends the process, while the task ends without it.
    func isAnswerable(_ task: URLSessionTask) -> Bool {
        receptions.withLock { $0[task.taskIdentifier]?.isCancelled == false }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if let event = receptions.withLock({ $0[dataTask.taskIdentifier]?.take(response, isFirst: isFirst(of:)) }) {
            report(event, of: dataTask)
        }
        completionHandler(.allow)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) { report(.sent(Int(bytesSent)), of: task) }

    /// Without a response, FoundationNetworking did not recognize the end of the header: data is dropped.
    func report(_ data: Data, of task: URLSessionTask) {
        if let receive = receptions.withLock({ $0[task.taskIdentifier]?.receiverOfBody }) {
            return receive(.data(data))
        }
        reportLastResponse(of: task, before: .body)
        receptions.withLock { $0[task.taskIdentifier]?.receiverOfBody }?(.data(data))
    }

    /// Refuses a redirect, as Teapot follows it: FoundationNetworking loses bodies, and sends credentials to other origins. Without an
    /// answer a task would wait forever, past every timeout.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) { if isAnswerable(task) { completionHandler(nil) } }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        reportLastResponse(of: task, before: error == nil ? .end : .failure)
        guard let reception = receptions.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        let refutation = reception.isRefuted(by: task.response) ? URLError(.badServerResponse) : nil
        let failure: (any Error)? = if let error { Self.failure(error as NSError, of: reception) } else { refutation }
        reception.receive(.finished(failure))
    }

    func report(_ event: TransportEvent, of task: URLSessionTask) {
        receptions.withLock { $0[task.taskIdentifier]?.receive }?(event)
    }

    func reportLastResponse(of task: URLSessionTask, before next: Reception.Next) {
        let response = task.response
        let event = receptions.withLock { $0[task.taskIdentifier]?.takeLast(response, before: next) }
        if let event { report(event, of: task) }
    }
}
