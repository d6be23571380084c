#if !canImport(FoundationNetworking)
    import TeapotFoundation

    extension SessionDelegate {
        struct Details {
            /// Kept, since it may be a temporary one.
            let file: BodyFile?
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
            // Without stored credentials this delivers the 401, and leaves server trust to the system.
            completionHandler(.performDefaultHandling, nil)
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics)
        {
            guard let last = metrics.transactionMetrics.last else { return }
            report(.measured(Teapot.Timings(last)), of: task)
        }

        /// An error without the URL, which may contain a secret.
        static func failure(_ error: NSError, of reception: Reception) -> (any Error)? {
            let code = URLError.Code(rawValue: error.code) ?? .unknown
            let plainCode = code == .unknown && reception.hasResponse ? .networkConnectionLost : code
            return URLError(plainCode, userInfo: [NSLocalizedDescriptionKey: error.localizedDescription])
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
