#if !canImport(FoundationNetworking)
    import TeapotFoundation

    typealias PlatformTransport = AppleTransport

    /// The part of a ``URLSessionTransport`` that is for Apple's platforms.
    final class AppleTransport: Sendable {
        /// In seconds.
        static let outOfTheWay: TimeInterval = 1e9
        static let hasUsableCache = true

        private let configuration: URLSessionConfiguration
        private let challenge: URLSessionTransport.Challenge?
        private let session = Locked<DelegatedSession?>(nil)

        init(_ configuration: URLSessionConfiguration, _ challenge: URLSessionTransport.Challenge? = nil) {
            self.configuration = configuration
            self.challenge = challenge
        }

        // A session and its delegate retain each other until the session is invalidated.
        deinit { session.withLock { $0 }?.session.finishTasksAndInvalidate() }

        private func startedSession() -> DelegatedSession {
            session.withLock { session in
                if let session { return session }
                let queue = OperationQueue()
                queue.maxConcurrentOperationCount = 1
                queue.name = "Teapot.URLSessionTransport"
                let started = DelegatedSession(configuration, on: queue, SessionDelegate(challenge))
                session = started
                return started
            }
        }

        /// Starts an exchange whose body is not in pieces.
        func start(_ request: TransportRequest, receive: @escaping @Sendable (TransportEvent) -> Void) -> SessionTask {
            var urlRequest = request.urlRequest
            urlRequest.timeoutInterval = Self.outOfTheWay
            let started = startedSession()
            let task =
                request.bodyFile.map { started.session.uploadTask(with: urlRequest, fromFile: $0) }
                ?? started.session.dataTask(with: urlRequest)
            started.delegate.add(task, SessionDelegate.Details(file: request.file), receive: receive)
            task.resume()
            return SessionTask(task, of: started)
        }
    }

    extension SessionTask {
        func suspend() { task.suspend() }
        func resume() { task.resume() }
    }
#endif
