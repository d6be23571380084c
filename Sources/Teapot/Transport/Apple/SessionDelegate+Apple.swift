#if !canImport(FoundationNetworking)
    import TeapotFoundation

    extension SessionDelegate {
        struct Details {
            /// Kept, since it may be temporary.
            let file: BodyFile?
            /// The code of the error if the system cancels the task, as it does after the user's code cancelled a challenge of the task, or
            /// of another task for whose connection it waited. `nil` if no challenge was cancelled while the task had no response.
            var refusal: URLError.Code?
            /// No answer of a proxy is reported.
            var tunnelOrigin: Origin? { nil }
            static var isTunnelCertain: Bool { false }
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            report(data, of: dataTask)
        }

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            let method = challenge.protectionSpace.authenticationMethod
            let isTrust = method == NSURLAuthenticationMethodServerTrust
            guard isTrust || method == NSURLAuthenticationMethodClientCertificate, let answer = self.challenge else {
                // Without stored credentials this delivers the 401, and leaves server trust to the system.
                return completionHandler(.performDefaultHandling, nil)
            }
            let refusal: URLError.Code = isTrust ? .serverCertificateUntrusted : .clientCertificateRejected
            Task {
                let (disposition, credential) = await answer(challenge)
                if disposition == .cancelAuthenticationChallenge { refuse(task, with: refusal) }
                completionHandler(disposition, credential)
            }
        }

        /// Notes why the system will cancel a task, and others that may wait for its connection.
        private func refuse(_ task: URLSessionTask, with code: URLError.Code) {
            receptions.withLock { receptions in
                for (identifier, reception) in receptions where !reception.hasResponse {
                    let known = reception.details.refusal ?? .secureConnectionFailed
                    receptions[identifier]?.details.refusal = identifier == task.taskIdentifier ? code : known
                }
            }
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics)
        {
            guard let last = metrics.transactionMetrics.last else { return }
            report(.measured(Teapot.Timings(last)), of: task)
        }

        /// An error without the URL, which may contain a secret.
        static func failure(_ error: NSError, of reception: Reception) -> (any Error)? {
            if error.code == NSURLErrorCancelled, !reception.isCancelled, !reception.hasResponse,
                let code = reception.details.refusal
            {
                let text = "the challenge of TLS was cancelled by the code that was given to URLSessionTransport"
                return URLError(code, text)
            }
            let code = URLError.Code(rawValue: error.code) ?? .unknown
            let plainCode = code == .unknown && reception.hasResponse ? .networkConnectionLost : code
            return URLError(plainCode, error.localizedDescription)
        }
    }

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
