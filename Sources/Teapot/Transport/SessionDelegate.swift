import TeapotFoundation

/// Turns the callbacks of a `URLSession` into events, and hides its peculiarities.
///
/// The methods have the exact signatures of the protocols: FoundationNetworking does not call others.
final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    #if !canImport(FoundationNetworking)
        /// Apple's sessions need no stream of Teapot's own.
        typealias OutgoingBody = Never
    #endif

    private struct Reception {
        let receive: @Sendable (TransportEvent) -> Void
        let body: OutgoingBody?
        var hasResponse = false
        var isChallenged = false
        var isCancelled = false
    }

    /// By task identifier, from before the task is resumed until its completion.
    private let receptions = Locked<[Int: Reception]>([:])

    func add(_ task: URLSessionTask, _ body: OutgoingBody?, receive: @escaping @Sendable (TransportEvent) -> Void) {
        receptions.withLock { $0[task.taskIdentifier] = Reception(receive: receive, body: body) }
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
    private func isAnswerable(_ task: URLSessionTask) -> Bool {
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

    #if canImport(FoundationNetworking)
        /// Provides a request's body again when libcurl resends it because the server closed the connection. Called on
        /// FoundationNetworking's queue, and also for requests without a body as they start.
        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            needNewBodyStream completionHandler: @Sendable @escaping (InputStream?) -> Void
        ) { completionHandler(receptions.withLock { $0[task.taskIdentifier]?.body }?.again()) }
    #endif

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        #if canImport(FoundationNetworking)
            (session.delegateQueue as? DelegateQueue)?.beginBody()
        #endif
        var receive = receiverOfBody(of: dataTask)
        if receive == nil {
            reportRedirect(of: dataTask)
            receive = receiverOfBody(of: dataTask)
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

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(FoundationNetworking)
            // The 401 and its body have been delivered by now. Any other answer, or none, leaves the task hanging with three
            // descriptors; this one ends it with `cancelled`, which `didCompleteWithError` reverts.
            guard isAnswerable(task) else { return }
            receptions.withLock { $0[task.taskIdentifier]?.isChallenged = true }
            completionHandler(.cancelAuthenticationChallenge, nil)
        #else
            // Without stored credentials this delivers the 401, and leaves server trust to the system.
            completionHandler(.performDefaultHandling, nil)
        #endif
    }

    #if !canImport(FoundationNetworking)
        func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics)
        {
            guard let last = metrics.transactionMetrics.last else { return }
            report(.measured(Teapot.Timings(last)), of: task)
        }
    #endif

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        reportRedirect(of: task)
        guard let reception = receptions.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        reception.receive(.finished(error.flatMap { Self.plain($0, of: reception) }))
    }

    private func report(_ event: TransportEvent, of task: URLSessionTask) {
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

    /// An error with the right code, and without the URL, which may contain a secret.
    private static func plain(_ error: any Error, of reception: Reception) -> (any Error)? {
        let error = error as NSError
        let code = URLError.Code(rawValue: error.code) ?? .unknown
        if code == .cancelled, reception.isChallenged, reception.hasResponse { return nil }
        #if canImport(FoundationNetworking)
            // FoundationNetworking has no code for a body that could not be sent.
            if let failure = reception.body?.failure { return failure }
        #endif
        let text = error.localizedDescription
        let plainCode = URLError.Code(code, text: text, hasResponse: reception.hasResponse)
        return URLError(plainCode, userInfo: [NSLocalizedDescriptionKey: text])
    }
}

#if !canImport(FoundationNetworking)
    extension Teapot.Timings {
        fileprivate init(_ metrics: URLSessionTaskTransactionMetrics) {
            self.init()
            let start = metrics.fetchStartDate
            func duration(until end: Date?) -> Duration? {
                guard let start, let end else { return nil }
                return .seconds(end.timeIntervalSince(start))
            }
            nameLookup = duration(until: metrics.domainLookupEndDate)
            connect = duration(until: metrics.connectEndDate)
            tls = duration(until: metrics.secureConnectionEndDate)
            firstByte = duration(until: metrics.responseStartDate)
            bytesSent = Int(metrics.countOfRequestHeaderBytesSent + metrics.countOfRequestBodyBytesSent)
            bytesReceived = Int(metrics.countOfResponseHeaderBytesReceived + metrics.countOfResponseBodyBytesReceived)
            if let address = metrics.remoteAddress {
                let host = address.contains(":") ? "[\(address)]" : address
                remoteAddress = metrics.remotePort.map { "\(host):\($0)" } ?? host
            }
            networkProtocol = metrics.networkProtocolName
            isConnectionReused = metrics.isReusedConnection
        }
    }
#endif
