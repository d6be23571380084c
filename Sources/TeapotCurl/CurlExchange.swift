#if os(Linux)
    import Teapot

    /// One exchange of a ``CurlTransport``.
    ///
    /// `@unchecked Sendable` is sound: its variables are read and written on the thread of the engine only; `requested` holds what
    /// other threads ask for.
    final class CurlExchange: TransportTask, @unchecked Sendable {
        /// Whether more of the body can arrive.
        enum Readiness {
            case yes
            case paused
            case cancelled
        }

        /// How far an exchange has come.
        enum Phase {
            /// libcurl has not got it.
            case waiting
            /// libcurl has not begun it: it waits for a connection or a stream.
            case pending
            /// libcurl opens a connection for it.
            case connecting
            case sent
            case over
        }

        private(set) var request: URLRequest
        let url: URL
        let origin: Origin
        /// Whether the request can be sent again on another connection.
        let isRepeatable: Bool
        private let engine: CurlEngine
        /// The caller's latest `suspend`, `resume` or `cancel`. It is read where it matters, since the message in the inbox may come a
        /// turn later; a `suspend` or `resume` that comes after `cancel` changes nothing.
        private let requested = Locked(Readiness.yes)

        let hasBody: Bool
        /// In bytes; `nil` without a body, or if it is unknown.
        let bodySize: Int?
        /// The body, if it is sent while it is made.
        private var pieces: Teapot.Request.Body.Pieces?
        private var feed: BodyFeed?
        /// The body, if it is a file: opened when the exchange begins, since it may have to wait.
        private var bodyFile: BodyFile?
        private var file: RegularFile?
        /// `nil` once the exchange is over.
        private var receive: (@Sendable (TransportEvent) -> Void)?
        /// The handle of the running exchange.
        var handle: CurlHandle?
        /// The exchanges with its origin, from the time at which its engine got it.
        var originState: OriginState?
        /// Its place in line, until there is a connection.
        var place: Int?
        /// Since when it waits: in line, or in libcurl for a stream of a connection.
        private var queuedSince: Duration?
        private var timeInLine: Duration?
        /// The number of the exchange, of those that its engine has begun.
        var number = 0
        /// How far it has come, for its engine.
        var phase = Phase.waiting
        /// The time at which libcurl got it, or the last piece of its body.
        private var lastProgress: Duration?
        /// Whether libcurl got it again because no descriptor was left.
        var hasBegunAgain = false
        /// The number of times that libcurl got it again because a server had not handled it, or was lost.
        var repeatCount = 0
        /// The error for which libcurl had to end the exchange.
        private(set) var failure: (any Error)?
        private(set) var hasResponse = false
        private var header: ResponseHeader
        /// The content codings of the response, until its body begins.
        private var codings: String?
        private var decoder: BodyDecoder?
        /// The chunked coding of the response, if an end before that of the request is possible.
        private var chunks: ChunkDecoder?
        /// The number of bytes of the body that are still to come, if an end before that of the request is possible: in HTTP/2, and
        /// while the request's body is made.
        private var bytesLeft: Int?
        /// The number of bytes of the body that libcurl has taken this time, and the maximum so far.
        private var (position, sent) = (0, 0)
        /// `nil` if the body need not wait.
        private var expectation: Expectation?

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
            pieces = sent.bodyPieces
            self.engine = engine
            self.receive = receive
            isRepeatable = sent.isIdempotent && sent.bodyPieces == nil
            header = ResponseHeader(canBeHTTP2: engine.canBeHTTP2(origin))
            bodyFile = sent.file
            bodySize =
                sent.bodyPieces?.length ?? sent.file?.size ?? request.httpBody.flatMap { $0.isEmpty ? nil : $0.count }
            hasBody = bodySize != nil || sent.bodyPieces != nil
            // Without a body, there is nothing to wait for.
            let isAsked = request.value(forHTTPHeaderField: "Expect")?.lowercased() == "100-continue"
            expectation = isAsked && hasBody && bodySize != 0 ? Expectation() : nil
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

        /// Begins the wait for a connection, or for a stream of one. The timeout does not run meanwhile.
        func waitInLine() {
            guard queuedSince == nil else { return }
            queuedSince = Self.now
            let connections = engine.maximumConnectionsPerHost
            receive?(TransportEvent(.queued(origin, connections: connections, movement: originState?.movement)))
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

        // What libcurl does with it.

        func didOpen(_ descriptor: Int32) { engine.didOpen(descriptor, for: self) }
        func didSend() { engine.move(self, to: .sent) }
        /// The connection is over, and libcurl looks for another one.
        func didLeaveConnection() { engine.move(self, to: .pending) }

        /// The connection with these ends, and whether the request can be sent on it.
        func connection(_ ends: CurlConnection.Ends) -> (connection: CurlConnection, isFit: Bool)? {
            engine.connection(ends, for: self)
        }

        /// - Returns: Whether the exchange continues.
        func takeHeaderLine(_ line: UnsafeRawBufferPointer, _ version: () -> String) -> Bool {
            originState?.movement.move()
            do throws(URLError) {
                switch try header.take(line, of: url, version) {
                case .more: break
                case .informational(let status):
                    if status == 100, expectation != nil {
                        expectation = nil
                        engine.continueLater(self)
                    }
                    receive?(.sent(0))
                case .response(let head, let connection):
                    hasResponse = true
                    codings = head.field("Content-Encoding")
                    let mayBePaused = feed != nil || expectation != nil
                    var mayAnswerEarly = mayBePaused
                    handle?.didRespond(isShared: connection == .shared)
                    switch connection {
                    case .single: break
                    case .shared:
                        engine.shareConnections(with: origin)
                        mayAnswerEarly = hasBody
                    case .closed: handle?.closeConnection()
                    }
                    if mayAnswerEarly {
                        let hasNoBody = [204, 304].contains(head.status)
                        bytesLeft = hasNoBody ? 0 : head.field("Content-Length").flatMap { Int($0) }
                        if bytesLeft != 0, head.field("Transfer-Encoding")?.lowercased().contains("chunked") == true {
                            bytesLeft = nil
                            chunks = ChunkDecoder()
                            handle?.keepChunks()
                        }
                    }
                    if mayBePaused, bytesLeft == nil, chunks == nil { engine.watch(self) }
                    // While it waits for a piece, libcurl would not notice that no more are wanted.
                    if hasWholeResponse || mayBePaused { engine.continueLater(self) }
                    receive?(TransportEvent(.response(head)))
                }
                return true
            } catch {
                failure = error
                return false
            }
        }

        /// - Returns: Whether the exchange continues.
        func takeBody(_ data: Data) -> Bool {
            guard hasResponse else {
                failure = URLError.curl(.badServerResponse, "a body was received with a status that cannot have one")
                return false
            }
            originState?.movement.move()
            let data = chunks?.decode(data) ?? data
            if chunks?.isComplete == true { bytesLeft = 0 }
            bytesLeft? -= data.count
            if hasWholeResponse { engine.continueLater(self) }
            do throws(URLError) {
                if let codings {
                    self.codings = nil
                    let own = request.value(forHTTPHeaderField: "Accept-Encoding")
                    decoder = try BodyDecoder(codings, canInflate: engine.library.canDecode, acceptedByCaller: own)
                    // There is a body, although it may be of no bytes when it is decoded.
                    if !data.isEmpty { receive?(.data(Data())) }
                }
            } catch {
                failure = error
                return false
            }
            guard !data.isEmpty else { return true }
            guard let decoder else {
                receive?(.data(data))
                return true
            }
            let isWaiting = isUndecoded
            decoder.add(data)
            return isWaiting || decode()
        }

        /// Whether all of the response has arrived, perhaps before the server has taken all of the request (RFC 9113, section 8.1).
        var hasWholeResponse: Bool { bytesLeft.map { $0 <= 0 } ?? false }

        /// Whether the body waits for its reader.
        var isHeldBack = false {
            didSet { if isHeldBack != oldValue { originState?.movement.hold(isHeldBack) } }
        }

        /// Whether some of the body that was received is not decoded yet.
        var isUndecoded: Bool { failure == nil && decoder?.hasInput == true }

        /// Whether more of the body should wait in libcurl.
        var mustPause: Bool {
            readiness == .paused || failure == nil && (decoder?.inputLength ?? 0) > Self.maximumInput
        }

        /// The number of bytes that may wait to be decoded. libcurl 8.14 loses those that it holds when the connection closes.
        private static let maximumInput = 1 << 16

        /// Decodes and reports some of the body that was received. The rest waits for the next turn.
        ///
        /// - Returns: Whether the exchange continues.
        func decode() -> Bool {
            guard let decoder else { return true }
            var work = 0
            do throws(URLError) {
                while decoder.hasInput, work < Self.maximumWork, readiness == .yes {
                    let next = try decoder.next()
                    work += next.work
                    if !next.piece.isEmpty { receive?(.data(next.piece)) }
                }
            } catch {
                failure = error
                return false
            }
            if isUndecoded, readiness == .yes { engine.continueLater(self) }
            return true
        }

        /// The number of decoded bytes in one turn of the engine.
        private static let maximumWork = 1 << 18

        /// The body has ended.
        func endBody() {
            guard failure == nil else { return }
            if let bytesLeft, bytesLeft > 0 {
                failure = URLError.curl(.networkConnectionLost, "\(bytesLeft) bytes of the body are missing")
            } else if decoder?.isComplete == false {
                failure = URLError.curl(.cannotDecodeContentData, "the compressed body is cut off")
            }
        }

        /// Whether there was no response for so long that the connection may be stuck: the server allows no more streams.
        var isStuck: Bool {
            guard let lastProgress, !hasResponse, queuedSince == nil else { return false }
            return Self.now - lastProgress >= .milliseconds(500)
        }

        /// Opens the file of the body.
        func begin() throws(TeapotError) {
            lastProgress = Self.now
            file = try bodyFile?.open()
            feed = pieces.map { BodyFeed($0) { [weak self] in if let self { engine.resume(self) } } }
        }

        /// The next bytes of the body.
        func nextPieceOfBody(upTo length: Int) -> BodyFeed.Next {
            guard hasBody, readiness != .cancelled else { return .failure(URLError(.cancelled)) }
            let next = readBody(upTo: length)
            switch next {
            case .bytes(let piece):
                originState?.movement.move()
                position += piece.count
                lastProgress = Self.now
                // Bytes sent again are not new progress for the caller, but show activity.
                receive?(.sent(max(position - sent, 0)))
                sent = max(sent, position)
            case .failure(let error): failure = error
            case .wait, .end: break
            }
            return next
        }

        /// Whether the body waits for the server's answer. If that is final, the body is not sent.
        private func mustWait() -> Bool {
            guard let isMet = expectation?.isMet(at: Self.now, hasResponse: hasResponse) else { return false }
            if isMet {
                expectation = nil
            } else if expectation?.isNew == true {
                expectation?.begin(at: Self.now)
                let end = Self.now + Expectation.patience
                _ = DispatchTimer().timer(at: end) { [weak self] in if let self { engine.resume(self) } }
            }
            return !isMet
        }

        private func readBody(upTo length: Int) -> BodyFeed.Next {
            if mustWait() { return .wait }
            if let feed { return feed.next(upTo: length) }
            let count = min(length, (bodySize ?? 0) - position)
            guard count > 0 else { return .end }
            guard let file else { return .bytes((request.httpBody ?? Data()).dropFirst(position).prefix(count)) }
            do throws(TeapotError) { return .bytes(Data(try file.bytes(position..<position + count))) } catch {
                return .failure(error)
            }
        }

        /// - Returns: Whether the body has such a position.
        func moveBody(to position: Int) -> Bool {
            guard position != self.position else { return true }
            guard feed == nil, let bodySize, (0...bodySize).contains(position) else { return false }
            self.position = position
            return true
        }

        /// The connection was closed before a response arrived, and libcurl would send the request again.
        func refuseToRepeat(after count: Int) {
            let rule = isRepeatable ? "sent \(count) times" : "not sent again, as it is not idempotent"
            let reason = "the connection was closed before a response arrived, and the request was \(rule)"
            failure = URLError.curl(.networkConnectionLost, reason)
        }

        /// The exchange is over: releases what the next one may need, such as the descriptor of a file.
        func release() {
            isHeldBack = false
            handle = nil
            bodyFile = nil
            file = nil
            decoder = nil
            pieces = nil
            feed.take()?.stop()
            // The caller may keep the task.
            if request.httpBody != nil { request.httpBody = nil }
        }

        /// Reports the end, once.
        func finish(_ error: (any Error)?, _ timings: Teapot.Timings?) {
            guard let receive else { return }
            self.receive = nil
            if var timings {
                timings.queued = timeInLine
                receive(.measured(timings))
            }
            receive(.finished(error))
        }
    }
#endif
