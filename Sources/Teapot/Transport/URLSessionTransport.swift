public import TeapotFoundation

/// A transport to servers, over one `URLSession` of its own.
///
/// The session is made with the first exchange, since that takes more time than making the client, and three descriptors. Its
/// delegate runs on a serial private queue that waits only for files to be written. The session ends with the transport, which
/// lives at least as long as its last exchange. On Linux a session that has used https is kept instead, and a later transport
/// with the same settings uses it, because releasing it can end the process.
public final class URLSessionTransport: Transport {
    private let configuration: URLSessionConfiguration
    private let session = Locked<DelegatedSession?>(nil)
    #if canImport(FoundationNetworking)
        private let lines = Locked<[Origin: Line<PendingTask>]>([:])
        /// The queue that makes and resumes tasks, which waits for the queue that all sessions of the process share.
        static let startQueue = DispatchQueue(label: "Teapot.Start")
        /// The number for all transports.
        private static let exchangesUnderWay = Locked(0)
    #endif

    /// Makes a transport.
    ///
    /// - Parameter configuration: The session's configuration, copied; `nil` for one that keeps nothing on disk. Its cookies,
    ///   credentials and header fields are handled by ``Teapot/Teapot``, not by the session. On Linux a `urlCache` is ignored,
    ///   since a cancelled request can then end the process.
    public init(configuration: URLSessionConfiguration? = nil) { self.configuration = .checked(configuration) }

    deinit {
        guard let session = session.withLock({ $0 }) else { return }
        #if canImport(FoundationNetworking)
            // Any other is released by itself, with its descriptors, as its delegate does not retain it.
            if session.mayHaveTLSConnection || KeptSessions.isProxySecure { KeptSessions.add(session) }
        #else
            session.session.finishTasksAndInvalidate()
        #endif
    }

    /// The session for an exchange, which is made with the first.
    private func startedSession(isSecure: Bool) -> DelegatedSession {
        #if canImport(FoundationNetworking)
            let kept = session.withLock { $0 == nil } ? KeptSessions.take(for: configuration) : nil
            let (started, isOther) = session.withLock { session in
                let isOther = session != nil
                var started = session ?? kept ?? newSession(on: DelegateQueue())
                if isSecure { started.mayHaveTLSConnection = true }
                session = started
                return (started, isOther)
            }
            // Another thread was first.
            if isOther, let kept { KeptSessions.add(kept) }
            return started
        #else
            return session.withLock { session in
                if let session { return session }
                let queue = OperationQueue()
                queue.maxConcurrentOperationCount = 1
                queue.name = "Teapot.URLSessionTransport"
                let started = newSession(on: queue)
                session = started
                return started
            }
        #endif
    }

    private func newSession(on queue: OperationQueue) -> DelegatedSession {
        let delegate = SessionDelegate()
        let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
        return DelegatedSession(session: session, delegate: delegate)
    }

    #if canImport(FoundationNetworking)
        /// Starts one exchange. Events come on the session's private queue.
        public func start(_ request: TransportRequest, receive: @escaping @Sendable (TransportEvent) -> Void) -> (
            any TransportTask
        )? {
            if let pieces = request.bodyPieces { return startLater(pieces, of: request, receive) }
            guard let origin = request.urlRequest.url.flatMap(Origin.init) else {
                receive(.finished(URLError(.unsupportedURL)))
                return nil
            }
            do throws(TeapotError) {
                let isRepeatable = request.isIdempotent
                let body =
                    if let file = request.file { try OutgoingBody(file, isRepeatable: isRepeatable) } else {
                        OutgoingBody(request.urlRequest.httpBody, isRepeatable: isRepeatable)
                    }
                return start(request.urlRequest, origin, body, isFile: request.file != nil, receive)
            } catch {
                receive(.finished(error))
                return nil
            }
        }

        /// A response can keep the queue that all sessions share busy for a minute. If nothing is under way, that queue is
        /// free, and a task is made on the caller's thread, which takes less time than waking another.
        private func start(
            _ request: URLRequest,
            _ origin: Origin,
            _ body: OutgoingBody?,
            isFile: Bool,
            _ receive: @escaping @Sendable (TransportEvent) -> Void
        ) -> any TransportTask {
            let hasConnection = lines.withLock { $0[origin, default: Line()].enter(limit: maximumConnectionsPerHost) }
            if hasConnection, !isFile, Self.exchangesUnderWay.withLock({ $0 == 0 }) {
                return startNow(request, origin, body, receive)
            }
            let pending = PendingTask(request, origin, body, self, receive: receive)
            if hasConnection {
                pending.begin(afterWaiting: false)
            } else {
                receive(TransportEvent(.queued(origin, connections: maximumConnectionsPerHost)))
                pending.queue(at: lines.withLock { $0[origin, default: Line()].append(pending) })
                beginNext(of: origin)
            }
            return pending
        }

        func startNow(
            _ request: URLRequest,
            _ origin: Origin,
            _ body: OutgoingBody?,
            _ receive: @escaping @Sendable (TransportEvent) -> Void
        ) -> SessionTask {
            var request = request
            request.timeoutInterval = Self.outOfTheWay
            request.allHTTPHeaderFields = Dictionary(SentFields.fields(of: request)) { $1 }
            if let body {
                body.attach(to: &request)
            } else if !["POST", "PUT", "PATCH"].contains(request.httpMethod ?? "GET") {
                // FoundationNetworking would send 0, though these methods expect no body (RFC 9110, section 8.6).
                request.setField("Content-Length", SentFields.removal)
            }
            let started = startedSession(isSecure: origin.scheme == "https")
            let task = started.session.dataTask(with: request)
            Self.exchangesUnderWay.withLock { $0 += 1 }
            started.delegate.add(task, body) { event in
                guard event.isFinished else { return receive(event) }
                Self.exchangesUnderWay.withLock { $0 -= 1 }
                self.end(origin)
                receive(event)
            }
            task.resume()
            return SessionTask(task: task, session: started)
        }

        // MARK: - The line for a connection

        /// The number of exchanges with one origin that are under way at the same time: FoundationNetworking would keep more of
        /// them in a line of its own, in which nothing tells waiting from a server that does not answer.
        var maximumConnectionsPerHost: Int {
            let limit = configuration.httpMaximumConnectionsPerHost
            return limit > 0 ? limit : .max
        }

        /// An exchange that had a connection is over.
        func end(_ origin: Origin) {
            lines.withLock { $0[origin]?.end() }
            beginNext(of: origin)
        }

        private func beginNext(of origin: Origin) {
            while let next = takeNext(of: origin) { next.begin(afterWaiting: true) }
        }

        private func takeNext(of origin: Origin) -> PendingTask? {
            lines.withLock { lines in
                let next = lines[origin]?.next(limit: maximumConnectionsPerHost)
                if lines[origin]?.isEmpty == true { lines[origin] = nil }
                return next
            }
        }

        /// A task that waited was cancelled.
        func leaveLine(_ place: Int, of task: PendingTask) {
            lines.withLock { $0[task.origin]?.remove(task, at: place) }
        }
    #else
        /// Starts one exchange. Events come on the session's private queue.
        public func start(_ request: TransportRequest, receive: @escaping @Sendable (TransportEvent) -> Void) -> (
            any TransportTask
        )? {
            if let pieces = request.bodyPieces { return startLater(pieces, of: request, receive) }
            var urlRequest = request.urlRequest
            urlRequest.timeoutInterval = Self.outOfTheWay
            let started = startedSession(isSecure: urlRequest.url?.scheme == "https")
            let task =
                request.bodyFile.map { started.session.uploadTask(with: urlRequest, fromFile: $0) }
                ?? started.session.dataTask(with: urlRequest)
            // The file may be a temporary one.
            started.delegate.add(task, nil) { [file = request.file] event in
                withExtendedLifetime(file) { receive(event) }
            }
            task.resume()
            return SessionTask(task: task, session: started)
        }
    #endif

    /// Starts an exchange once all pieces of its body are in a file. A stream that waits for them would block the queue that all
    /// sessions of FoundationNetworking share.
    private func startLater(
        _ pieces: Teapot.Request.Body.Pieces,
        of request: TransportRequest,
        _ receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> (any TransportTask)? {
        do throws(TeapotError) {
            let file = try TemporaryFile()
            let handle = try file.open()
            let write = { @Sendable (piece: Data) in
                try TeapotError.naming(file.url) { try handle.write(contentsOf: piece) }
            }
            return CollectingTask(pieces, of: request, receive, add: write) { request in
                request.file = try BodyFile(file.url, owner: file)
                return self.start(request, receive: receive)
            }
        } catch {
            receive(.finished(error))
            return nil
        }
    }

    /// In seconds. URLSession counts whole seconds, even while a task is suspended: the caller's clock is better.
    /// FoundationNetworking traps from 1e16 on; from some 300 years on, Dispatch treats a time as never, and does not wake a
    /// thread to arm the timers that FoundationNetworking makes for each piece of a response.
    #if canImport(FoundationNetworking)
        static let outOfTheWay: TimeInterval = 1e13
    #else
        static let outOfTheWay: TimeInterval = 1e9
    #endif
}

/// A session with its delegate.
struct DelegatedSession: Sendable {
    let session: URLSession
    let delegate: SessionDelegate
    /// Whether it has carried an exchange over https, whose connection may still be open.
    var mayHaveTLSConnection = false
}

/// A task of `URLSession`, never suspended, and cancelled in the only way that is safe on Linux.
struct SessionTask: TransportTask {
    let task: URLSessionTask
    let session: DelegatedSession

    func cancel() {
        // Not as a block, which may have to wait for room.
        session.session.delegateQueue.addOperation(BlockOperation { session.delegate.cancel(task) })
    }

    #if !canImport(FoundationNetworking)
        // On Linux a task that is suspended and resumed ends the process.
        func suspend() { task.suspend() }
        func resume() { task.resume() }
    #endif

    var urlSessionTask: URLSessionTask? { task }
}
