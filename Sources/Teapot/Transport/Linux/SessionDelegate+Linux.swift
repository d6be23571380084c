#if canImport(FoundationNetworking)
    import TeapotFoundation

    extension SessionDelegate {
        final class Details {
            let body: OutgoingBody?
            /// Of the origin.
            let scheme: String
            /// The origin, if a proxy may be asked to `CONNECT` to it.
            let tunnelOrigin: Origin?
            /// Whether a tunnel is made to any such origin, as `no_proxy` names none.
            static var isTunnelCertain: Bool { ProxyAddress.exceptions == nil }
            var isChallenged = false

            init(body: OutgoingBody?, scheme: String, tunnelOrigin: Origin?) {
                self.body = body
                self.scheme = scheme
                self.tunnelOrigin = tunnelOrigin
            }
        }

        /// Provides a body again when libcurl resends a request because the server closed the connection. FoundationNetworking's queue
        /// calls this, also for requests without a body as they start.
        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            needNewBodyStream completionHandler: @Sendable @escaping (InputStream?) -> Void
        ) { completionHandler(receptions.withLock { $0[task.taskIdentifier]?.details.body }?.again()) }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            (session.delegateQueue as? DelegateQueue)?.beginBody()
            report(data, of: dataTask)
        }

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            // The 401 and its body have been delivered by now. Any other answer, or none, leaves the task hanging with three
            // descriptors; this answer ends the task with `cancelled`, which `failure` reverts.
            guard isAnswerable(task) else { return }
            reportLastResponse(of: task, before: .end)
            receptions.withLock { $0[task.taskIdentifier]?.details.isChallenged = true }
            completionHandler(.cancelAuthenticationChallenge, nil)
        }

        /// An error with the right code, and without the URL, which may contain a secret; `nil` if the response is complete.
        static func failure(_ error: NSError, of reception: Reception) -> (any Error)? {
            let code = URLError.Code(rawValue: error.code) ?? .unknown
            if code == .cancelled, reception.details.isChallenged, reception.hasResponse { return nil }
            // FoundationNetworking has no code for a body that could not be sent.
            if let failure = reception.details.body?.failure { return failure }
            let text = error.localizedDescription
            let proxy = ProxyAddress(environmentFor: reception.details.scheme)
            if let status = proxyStatus(in: text) { return URLError(proxyStatus: status, of: proxy) }
            let plainCode = URLError.Code(code, text: text, hasResponse: reception.hasResponse)
            let plain = URLError(plainCode, ProxyAddress.redacted(text, of: proxy))
            let wasSent = reception.details.body?.wasRead == true
            return wasSent && connectionErrors.contains(plainCode) ? plain.afterSending : plain
        }
    }

    /// The errors before a request is sent. If libcurl reconnects for a request that was sent, the new error counts.
    private let connectionErrors: Set<URLError.Code> = [
        .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .secureConnectionFailed, .serverCertificateUntrusted,
        .serverCertificateHasBadDate, .serverCertificateNotYetValid,
    ]

    /// The status with which a proxy refused a tunnel; the first text is that of libcurl 7.86 and before.
    private func proxyStatus(in text: String) -> Int? {
        guard text.begins(withOneOf: ["Received HTTP code ", "CONNECT tunnel failed, response "]) else { return nil }
        return text.components(separatedBy: " ").compactMap { Int($0) }.first
    }
#endif
