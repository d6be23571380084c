#if os(Linux)
    import Teapot

    /// One exchange of a ``CurlTransport``.
    ///
    /// `@unchecked Sendable` is sound: its variables are read and written on the thread of the engine only; `requested` holds what
    /// other threads ask for.
    final class CurlExchange: TransportTask, @unchecked Sendable {
        /// Whether the caller takes more of the body.
        enum Readiness {
            case yes
            case paused
            case cancelled
        }

        /// How far an exchange has come.
        enum Phase {
            /// libcurl does not have the exchange.
            case waiting
            /// libcurl has the exchange, which waits for a connection or a stream.
            case pending
            /// libcurl opens a connection for the exchange.
            case connecting
            case sent
            case over
        }

        private(set) var request: URLRequest
        let url: URL
        let origin: Origin
        /// Whether the request can be sent again on another connection.
        let isRepeatable: Bool
        let engine: CurlEngine
        /// The caller's latest `suspend`, `resume` or `cancel`. Code that depends on it reads it here, since the message in the inbox may
        /// come a turn later. A `suspend` or `resume` after `cancel` changes nothing.
        private let requested = Locked(Readiness.yes)

        var body: RequestBody
        /// `nil` once the exchange is over.
        var receive: (@Sendable (TransportEvent) -> Void)?
        /// The handle of the running exchange.
        var handle: CurlHandle?
        /// The state of its origin, once the engine has taken the exchange from the inbox.
        var originState: OriginState?
        /// Its place in the line of its origin, while it waits there for a connection.
        var place: Int?
        /// The time since which the exchange waits in line, or in libcurl for a connection or a stream.
        private var queuedSince: Duration?
        private var timeInLine: Duration?
        /// The number of the exchange, of those that its engine has begun.
        var number = 0
        var phase = Phase.waiting
        /// Whether the engine continues the exchange in its next turn.
        var isContinued = false
        /// The time at which the exchange was asked for, left the line, or gave libcurl the last piece of its body.
        private var lastProgress = now
        /// The last connection that was opened for it.
        var opened: CurlConnection?
        /// Whether libcurl got the exchange again because no descriptor was left.
        var hasBegunAgain = false
        /// The number of times that libcurl got the exchange again because a server had not handled it, or the connection was lost.
        var repeatCount = 0
        /// Whether the body of the response waits for its reader.
        var isHeldBack = false {
            didSet {
                guard isHeldBack != oldValue else { return }
                originState?.movement.hold(isHeldBack)
                engine.heldCount += isHeldBack ? 1 : -1
            }
        }
        /// The error for which libcurl had to end the exchange; once the exchange is over, its error.
        var failure: (any Error)?
        private var timings: Teapot.Timings?
        private var hasEnded = false
        var hasResponse = false
        var header: ResponseHeader
        /// The content codings of the response, until its body begins.
        var codings: String?
        var decoder: BodyDecoder?
        /// The chunked coding of the response, if an end before that of the request is possible.
        var chunks: ChunkDecoder?
        /// The number of bytes of the body that are still to come, if an end before that of the request is possible: in HTTP/2, and
        /// while the request's body is made.
        var bytesLeft: Int?

        init(
            _ sent: TransportRequest,
            _ engine: CurlEngine,
            receive: @escaping @Sendable (TransportEvent) -> Void
        ) throws(URLError) {
            let request = sent.urlRequest
            guard let url = request.url, let origin = Origin(url) else {
                throw .curl(.unsupportedURL, "the URL is not an http or https URL with a host")
            }
            self.request = request
            self.url = url
            self.origin = origin
            self.engine = engine
            self.receive = receive
            isRepeatable = sent.isIdempotent && sent.bodyPieces == nil
            header = ResponseHeader(canBeHTTP2: engine.canBeHTTP2(origin))
            body = RequestBody(of: sent)
        }

        // MARK: - The task, on any thread

        func cancel() {
            let before = requested.withLock { requested in
                defer { requested = .cancelled }
                return requested
            }
            if before != .cancelled { engine.cancel(self) }
        }

        func suspend() { requested.withLock { if $0 == .yes { $0 = .paused } } }

        func resume() {
            requested.withLock { if $0 == .paused { $0 = .yes } }
            engine.resume(self)
        }

        // MARK: - On the engine's thread

        private static var now: Duration { DispatchTimer().elapsed }

        var readiness: Readiness { requested.withLock { $0 } }

        /// Begins the wait for a connection to the origin, or for a stream of one. The timeout does not run meanwhile.
        func waitInLine() {
            let connections = engine.maximumConnectionsPerHost
            wait(TransportEvent(.queued(origin, connections: connections, movement: originState?.movement)))
        }

        /// Begins the wait for any of the connections of the transport.
        func wait(forOneOf connections: Int) { wait(TransportEvent(.queued(nil, connections: connections))) }

        private func wait(_ event: @autoclosure () -> TransportEvent) {
            guard queuedSince == nil else { return }
            queuedSince = Self.now
            receive?(event())
        }

        /// Ends the wait: the timeout begins.
        func leaveLine() {
            guard let since = queuedSince else { return }
            queuedSince = nil
            let now = Self.now
            lastProgress = now
            timeInLine = (timeInLine ?? .zero) + now - since
            receive?(.sent(0))
        }

        func didOpen(_ descriptor: Int32) { engine.didOpen(descriptor, for: self) }
        func didSend() { engine.move(self, to: .sent) }
        /// The connection is over, and libcurl looks for another one.
        func didLeaveConnection() { engine.move(self, to: .pending) }

        /// The server wants HTTP/1.1 for the request, and libcurl sends the request again, even if a response has begun.
        /// - Returns: Whether the request can be sent again; otherwise the exchange fails.
        func canBeDowngraded() -> Bool {
            let reason = "the server wants HTTP/1.1 for the request"
            if hasResponse {
                failure = URLError.curl(.badServerResponse, "\(reason), to which it has begun to answer")
            } else if !body.move(to: 0) {
                failure = URLError.curl(.networkConnectionLost, "\(reason), whose body cannot be sent a second time")
            }
            return failure == nil
        }

        /// The server wants HTTP/1.1, as for some kinds of authentication, on another connection: it gets that for a while.
        func didDowngrade() {
            originState?.downgrade(at: Self.now)
            didLeaveConnection()
        }

        /// The connection with these ends, and whether the request can be sent on that connection.
        func connection(_ ends: CurlConnection.Ends) -> (connection: CurlConnection, isFit: Bool)? {
            engine.connection(ends, for: self)
        }

        /// Whether no response came for so long that the connection may be stuck, as when the server allows no more streams.
        func isStuck(at now: Duration) -> Bool {
            !hasResponse && queuedSince == nil && now - lastProgress >= CurlConnection.patience
        }

        /// Opens the file of the body.
        func begin() throws(TeapotError) {
            try body.open({ [weak self] in if let self { engine.resume(self) } })
        }

        /// The next bytes of the body.
        func nextPieceOfBody(upTo length: Int) -> BodyFeed.Next {
            if let failure { return .failure(failure) }
            guard !body.isEmpty, readiness != .cancelled else { return .failure(URLError(.cancelled)) }
            let now = Self.now
            let next = body.next(upTo: length, at: now, hasResponse: hasResponse)
            switch next {
            case .bytes:
                originState?.movement.move()
                lastProgress = now
                // Bytes that are sent again show activity, too.
                receive?(.sent(body.takeProgress()))
            case .failure(let error): failure = error
            case .wait, .end: break
            }
            return next
        }

        /// The connection was closed before a response arrived, and libcurl would send the request again.
        func refuseToRepeat(after count: Int) {
            let rule = isRepeatable ? "sent \(count) times" : "not sent again, as it is not idempotent"
            let reason = "the connection was closed before a response arrived, and the request was \(rule)"
            failure = URLError.curl(.networkConnectionLost, reason)
        }

        /// Keeps the outcome, and releases what the next exchange may need, such as the descriptor of a file. Only the first outcome counts:
        /// a caller may cancel an exchange that is over and not reported yet.
        func end(_ error: (any Error)?, _ timings: Teapot.Timings?) {
            guard !hasEnded else { return }
            hasEnded = true
            failure = error
            self.timings = timings
            isHeldBack = false
            handle = nil
            opened = nil
            decoder = nil
            body.release()
            // The caller may keep the task.
            if request.httpBody != nil { request.httpBody = nil }
        }

        /// Reports the end, once.
        func finish() {
            guard let receive else { return }
            self.receive = nil
            if var timings = timings.take() {
                timings.queued = timeInLine
                receive(.measured(timings))
            }
            receive(.finished(failure.take()))
        }
    }
#endif
