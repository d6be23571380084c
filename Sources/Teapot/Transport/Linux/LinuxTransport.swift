#if canImport(FoundationNetworking)
    import TeapotFoundation

    typealias PlatformTransport = LinuxTransport

    /// The part of a ``URLSessionTransport`` that works around FoundationNetworking.
    final class LinuxTransport: Sendable {
        /// In seconds. FoundationNetworking traps from 1e16 on; from some 300 years on, Dispatch treats a time as never, and does
        /// not wake a thread to arm the timers that FoundationNetworking makes for each piece of a response.
        static let outOfTheWay: TimeInterval = 1e13
        /// A request that is cancelled while it uses a cache can end the process.
        static let hasUsableCache = false
        /// The queue that makes and resumes tasks, which waits for the queue that all sessions of the process share.
        static let startQueue = DispatchQueue(label: "Teapot.Start")
        /// The number for all transports, since a task of each of them may occupy the queue that all sessions share.
        private static let exchangesUnderWay = Locked(0)

        private let configuration: URLSessionConfiguration
        private let started = Locked<(session: DelegatedSession, mayHaveTLSConnection: Bool)?>(nil)
        private let lines = Locked<[Origin: Line]>([:])

        /// The exchanges with an origin. It is used only under the lock of `lines`.
        private final class Line {
            var queue = ConnectionQueue<PendingTask>()
            /// When the silence began: nothing received over https while calls, given up or not, await a response.
            var silentSince: DispatchTime?
        }

        init(_ configuration: URLSessionConfiguration) { self.configuration = configuration }

        deinit {
            guard let (session, mayHaveTLSConnection) = started.withLock({ $0 }) else { return }
            // Any other session is released by itself, with its descriptors, as its delegate does not retain it.
            guard mayHaveTLSConnection || ProxyAddress(environmentFor: "http")?.isSecure == true else { return }
            SessionPool.add(session)
        }

        /// The session for an exchange, which is made with the first.
        private func session(isSecure: Bool) -> DelegatedSession {
            var kept: DelegatedSession?
            if started.withLock({ $0 == nil }) {
                OpenSSL.outlivesExit
                kept = SessionPool.take(for: configuration)
            }
            let session = started.withLock { started in
                let known = started ?? kept.map { ($0, true) }
                var used = known ?? (DelegatedSession(configuration, on: DelegateQueue(), SessionDelegate()), false)
                if isSecure { used.mayHaveTLSConnection = true }
                started = used
                return used.session
            }
            // A session cannot be taken under the lock: of two first exchanges, the later one puts its session back.
            if let kept, kept !== session { SessionPool.add(kept) }
            return session
        }

        /// Starts an exchange whose body is not in pieces. If nothing is under way, the queue that all sessions share is free: then a
        /// task is made on the caller's thread, which takes less time than waking another. A response can keep the queue busy for a minute.
        func start(_ request: TransportRequest, receive: @escaping @Sendable (TransportEvent) -> Void) -> (
            any TransportTask
        )? {
            guard let origin = request.urlRequest.url.flatMap(Origin.init) else {
                receive(.finished(URLError(.unsupportedURL)))
                return nil
            }
            let body: OutgoingBody?
            do throws(TeapotError) { body = try OutgoingBody(of: request) } catch {
                receive(.finished(error))
                return nil
            }
            let hasConnection = lines.withLock {
                Self.line(of: origin, in: &$0).queue.enter(limit: maximumConnectionsPerHost)
            }
            if hasConnection, request.file == nil, Self.exchangesUnderWay.withLock({ $0 == 0 }) {
                return startNow(request.urlRequest, origin, body, receive)
            }
            let pending = PendingTask(request.urlRequest, origin, body, self, receive: receive)
            if hasConnection {
                pending.begin(afterWaiting: false)
            } else {
                receive(TransportEvent(.queued(origin, connections: maximumConnectionsPerHost)))
                pending.queue(at: lines.withLock { Self.line(of: origin, in: &$0).queue.append(pending) })
                beginNext(of: origin)
            }
            return pending
        }

        private static func line(of origin: Origin, in lines: inout [Origin: Line]) -> Line {
            if let line = lines[origin] { return line }
            let line = Line()
            lines[origin] = line
            return line
        }

        func startNow(
            _ request: URLRequest,
            _ origin: Origin,
            _ body: OutgoingBody?,
            _ receive: @escaping @Sendable (TransportEvent) -> Void
        ) -> SessionTask {
            var request = request
            // Half of the timeout, which may have begun earlier.
            let patience = request.timeoutInterval > 0 ? min(request.timeoutInterval / 2, 1) : 1
            request.timeoutInterval = Self.outOfTheWay
            var fields: [String: String] = [:]
            for (name, value) in SentFields.fields(of: request) { fields[name] = value }
            if let body {
                fields[field: "Content-Length"] = "\(body.size)"
                // Without this, libcurl would send chunks.
                fields[field: "Transfer-Encoding"] = SentFields.removal
                request.httpBodyStream = body.stream()
            } else if !["POST", "PUT", "PATCH"].contains(request.httpMethod ?? "GET") {
                // FoundationNetworking would send 0, though these methods expect no body (RFC 9110, section 8.6).
                fields[field: "Content-Length"] = SentFields.removal
            }
            request.allHTTPHeaderFields = fields
            let isSecure = origin.scheme == "https"
            let started = session(isSecure: isSecure)
            let task = started.session.dataTask(with: request)
            Self.exchangesUnderWay.withLock { $0 += 1 }
            let proxy = isSecure ? ProxyAddress(environmentFor: origin.scheme) : nil
            let tunnelOrigin = proxy?.mayMakeTunnel(to: origin.host) == true ? origin : nil
            let details = SessionDelegate.Details(body: body, scheme: origin.scheme, tunnelOrigin: tunnelOrigin)
            started.delegate.add(task, details) { event in
                switch event.kind {
                case .finished(let error):
                    // First, since the receiver may send the next request on this thread.
                    Self.exchangesUnderWay.withLock { $0 -= 1 }
                    self.end(origin, isSilent: isSecure && error?.isCancellation == true)
                case .response, .data: if isSecure { self.lines.withLock { $0[origin]?.silentSince = .now() } }
                default: break
                }
                receive(event)
            }
            if isSecure {
                lines.withLock { if let line = $0[origin], line.silentSince == nil { line.silentSince = .now() } }
            }
            task.resume()
            guard isSecure else { return SessionTask(task, of: started) }
            return SessionTask(task, of: started) {
                let since = self.lines.withLock { $0[origin]?.silentSince } ?? .now()
                guard since + patience <= .now() else { return }
                self.lines.withLock { $0[origin]?.silentSince = nil }
                self.leave(started)
            }
        }

        /// Uses another session from now on, since a connection of this one may have gone silent. Over HTTP/2, a timeout ends only a
        /// stream, and later requests would use the connection again.
        private func leave(_ session: DelegatedSession) {
            let left = started.withLock { started in started?.session === session ? started.take() : nil }
            guard left != nil, let next = SessionPool.replacement(for: session) else { return }
            let isLate = started.withLock { started in
                defer { started = started ?? (next, true) }
                return started != nil
            }
            if isLate { SessionPool.add(next) }
        }

        /// The maximum number of exchanges with one origin at the same time. FoundationNetworking would keep more in a line of its own,
        /// in which nothing tells waiting from a server that does not answer.
        var maximumConnectionsPerHost: Int {
            let limit = configuration.httpMaximumConnectionsPerHost
            return limit > 0 ? limit : .max
        }

        /// An exchange with a connection is over. A server that was silent until a cancellation is still silent.
        @inline(never) func end(_ origin: Origin, isSilent: Bool = false) {
            lines.withLock { lines in
                guard let line = lines[origin] else { return }
                line.queue.end()
                if !isSilent || lines.count > 1_000 { line.silentSince = line.queue.count > 0 ? .now() : nil }
            }
            beginNext(of: origin)
        }

        @inline(never) private func beginNext(of origin: Origin) {
            while let next = lines.withLock({ lines -> PendingTask? in
                guard let line = lines[origin] else { return nil }
                let next = line.queue.next(limit: maximumConnectionsPerHost)
                if line.queue.isEmpty, line.silentSince == nil { lines[origin] = nil }
                return next
            }) { next.begin(afterWaiting: true) }
        }

        /// A task that waited was cancelled.
        func leaveLine(_ place: Int, of task: PendingTask) {
            lines.withLock { $0[task.origin]?.queue.remove(task, at: place) }
        }
    }
#endif
