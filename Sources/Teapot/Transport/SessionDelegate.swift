internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Turns the callbacks of a `URLSession` into events, and its peculiarities into plain outcomes.
///
/// The methods have the exact signatures of the protocols: FoundationNetworking does not call any others.
final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private struct Reception {
        let receive: @Sendable (TransportEvent) -> Void
        var hasResponse = false
        var isChallenged = false
        var isCancelled = false
        /// From when on nothing seems to be read, if the body is a file.
        var quietTime: DispatchTime?
        /// When the task is cancelled all the same, once it is to be.
        var cancelTime: DispatchTime?
    }

    #if canImport(FoundationNetworking)
        /// Cancelling a task while curl waits for a piece of its file ends the process as soon as that is read. Reading takes
        /// microseconds: when nothing was sent for so many milliseconds, the task waits for the network. Before the first
        /// piece it may begin to read at any moment.
        static let quietMilliseconds = 100
        /// It is cancelled after so many milliseconds at the latest: then the network is slower than the file, or is not there.
        private static let patienceMilliseconds = 5_000
    #endif

    /// By task identifier, from before the task is resumed until it has completed.
    private let receptions = Locked<[Int: Reception]>([:])

    func add(_ task: URLSessionTask, sendsFile: Bool, receive: @escaping @Sendable (TransportEvent) -> Void) {
        var reception = Reception(receive: receive)
        #if canImport(FoundationNetworking)
            if sendsFile { reception.quietTime = .distantFuture }
        #endif
        receptions.withLock { $0[task.taskIdentifier] = reception }
    }

    /// Cancels a task that is under way. On the delegate's queue, like all callbacks, so that none comes in between:
    /// cancelling a task as it completes can end the process.
    ///
    /// - Returns: `false` when it cannot be cancelled yet.
    func cancel(_ task: URLSessionTask) -> Bool {
        let (isUnderWay, isQuiet) = receptions.withLock { receptions in
            guard let reception = receptions[task.taskIdentifier], !reception.isCancelled else { return (false, true) }
            #if canImport(FoundationNetworking)
                if let quietTime = reception.quietTime {
                    let cancelTime = reception.cancelTime ?? .now() + .milliseconds(Self.patienceMilliseconds)
                    receptions[task.taskIdentifier]?.cancelTime = cancelTime
                    guard min(quietTime, cancelTime) <= .now() else { return (true, false) }
                }
            #endif
            receptions[task.taskIdentifier]?.isCancelled = true
            return (true, true)
        }
        if isUnderWay, isQuiet { task.cancel() }
        return isQuiet
    }

    /// Whether a question about a task is still to be answered. FoundationNetworking may have queued one before the task was
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
    ) {
        #if canImport(FoundationNetworking)
            receptions.withLock { receptions in
                guard receptions[task.taskIdentifier]?.quietTime != nil else { return }
                receptions[task.taskIdentifier]?.quietTime = .now() + .milliseconds(Self.quietMilliseconds)
            }
        #endif
        report(.sent(Int(bytesSent)), of: task)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        #if canImport(FoundationNetworking)
            let queue = session.delegateQueue as? DelegateQueue
            queue?.beginBody()
            defer { queue?.endBody() }
        #endif
        var receive = receiverOfBody(of: dataTask)
        if receive == nil {
            reportRedirect(of: dataTask)
            receive = receiverOfBody(of: dataTask)
        }
        receive?(.data(data))
    }

    /// What takes pieces of a body. Before the response comes what follows a header that FoundationNetworking could not
    /// tell the end of, and nobody takes it.
    private func receiverOfBody(of task: URLSessionTask) -> (@Sendable (TransportEvent) -> Void)? {
        receptions.withLock { receptions in
            receptions[task.taskIdentifier].flatMap { $0.hasResponse ? $0.receive : nil }
        }
    }

    /// Teapot follows redirects itself: FoundationNetworking loses bodies, and takes credentials to other origins. Without
    /// this answer a task would wait for ever, past every timeout.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        if isAnswerable(task) { completionHandler(nil) }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(FoundationNetworking)
            // The 401 and its body have been delivered by now. Any other answer, or none, leaves the task hanging with three
            // descriptors; this one ends it with `cancelled`, which `didCompleteWithError` undoes.
            guard isAnswerable(task) else { return }
            receptions.withLock { $0[task.taskIdentifier]?.isChallenged = true }
            completionHandler(.cancelAuthenticationChallenge, nil)
        #else
            // Without stored credentials this delivers the 401, and leaves server trust to the system.
            completionHandler(.performDefaultHandling, nil)
        #endif
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        reportRedirect(of: task)
        guard let reception = receptions.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        reception.receive(.finished(error.flatMap { Self.plain($0, of: reception) }))
    }

    private func report(_ event: TransportEvent, of task: URLSessionTask) {
        receptions.withLock { $0[task.taskIdentifier]?.receive }?(event)
    }

    /// Reports a refused redirect, which has no callback of its own. No other response is taken from the task: of one whose
    /// header it could not read FoundationNetworking says that it was a success.
    private func reportRedirect(of task: URLSessionTask) {
        guard let response = task.response as? HTTPURLResponse, (300...399).contains(response.statusCode) else {
            return
        }
        report(response, of: task)
    }

    /// Reports the response once, whichever callback sees it first. FoundationNetworking also hands over the informational
    /// ones that come before it (RFC 9110, section 15.2); 101 is the last.
    private func report(_ response: URLResponse?, of task: URLSessionTask) {
        guard let response = response as? HTTPURLResponse, response.status == 101 || response.status >= 200 else {
            return
        }
        let receive: (@Sendable (TransportEvent) -> Void)? = receptions.withLock { receptions in
            guard receptions[task.taskIdentifier]?.hasResponse == false else { return nil }
            receptions[task.taskIdentifier]?.hasResponse = true
            return receptions[task.taskIdentifier]?.receive
        }
        receive?(.response(response))
    }

    /// An error with the code that fits, and without the URL, which may hold a secret.
    private static func plain(_ error: any Error, of reception: Reception) -> URLError? {
        let error = error as NSError
        let code = URLError.Code(rawValue: error.code) ?? .unknown
        if code == .cancelled, reception.isChallenged, reception.hasResponse { return nil }
        // FoundationNetworking has no code for a response that was cut off, nor for TLS.
        let fitting =
            reception.hasResponse ? .networkConnectionLost : URLError.Code(libcurlText: error.localizedDescription)
        let plainCode = code == .unknown ? fitting ?? code : code
        return URLError(plainCode, userInfo: [NSLocalizedDescriptionKey: error.localizedDescription])
    }
}
