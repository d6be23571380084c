#if os(Linux)
    import Teapot

    /// The body of a request, as libcurl takes it: bytes, a file, or pieces that are made while it is sent.
    struct RequestBody {
        /// In bytes; `nil` without a body, or if it is unknown.
        let size: Int?
        /// Whether there is no body.
        let isEmpty: Bool
        /// Asks libcurl to take more of the body, on any thread; `nil` if the body need not wait.
        private var wake: (@Sendable () -> Void)?
        private var data: Data
        private var pieces: Teapot.Request.Body.Pieces?
        private var feed: BodyFeed?
        /// The file to open when the exchange begins: it is not opened before, since exchanges in line need no descriptor.
        private var source: BodyFile?
        private var file: RegularFile?
        /// `nil` if the body need not wait for an answer.
        private var expectation: Expectation?
        /// The number of bytes that libcurl has taken this time.
        private var position = 0
        /// The maximum of `position` so far.
        private var sent = 0

        init(of request: TransportRequest) {
            data = request.urlRequest.httpBody ?? Data()
            pieces = request.bodyPieces
            source = request.file
            size = pieces?.length ?? source?.size ?? (data.isEmpty ? nil : data.count)
            isEmpty = size == nil && pieces == nil
            // Without a body, there is nothing to wait for.
            let field = request.urlRequest.value(forHTTPHeaderField: "Expect")
            if !isEmpty, size != 0, field?.lowercased() == "100-continue" { expectation = Expectation() }
        }

        /// Whether the body can stop in the middle, and wait.
        var mayWait: Bool { feed != nil || expectation != nil }

        /// Opens the file, or begins to read the pieces. `wake` asks libcurl to take more of the body, on any thread.
        mutating func open(_ wake: @autoclosure () -> @Sendable () -> Void) throws(TeapotError) {
            file = try source?.open()
            // The closure takes an allocation, so it is made only if the body can wait.
            guard pieces != nil || expectation != nil else { return }
            let wake = wake()
            self.wake = wake
            feed = pieces.map { BodyFeed($0, wake: wake) }
        }

        /// The server asks for the body (RFC 9110, section 15.2.1).
        /// - Returns: Whether the body has waited for that.
        mutating func proceed() -> Bool { expectation.take() != nil }

        /// The next bytes. If the server has answered while the body waits, the body is not sent.
        mutating func next(upTo length: Int, at now: Duration, hasResponse: Bool) -> BodyFeed.Next {
            guard !mustWait(at: now, hasResponse: hasResponse) else { return .wait }
            let next = feed?.next(upTo: length) ?? read(upTo: length)
            if case .bytes(let piece) = next { position += piece.count }
            return next
        }

        /// The number of bytes that libcurl has taken for the first time since this was last asked: those sent again are no progress.
        mutating func takeProgress() -> Int {
            defer { sent = max(sent, position) }
            return max(position - sent, 0)
        }

        private mutating func mustWait(at now: Duration, hasResponse: Bool) -> Bool {
            guard let isMet = expectation?.isMet(at: now, hasResponse: hasResponse) else { return false }
            if isMet {
                expectation = nil
            } else if expectation?.isNew == true {
                expectation?.begin(at: now)
                if let wake { _ = DispatchTimer().timer(at: now + Expectation.patience, fire: wake) }
            }
            return !isMet
        }

        private func read(upTo length: Int) -> BodyFeed.Next {
            let count = min(length, (size ?? 0) - position)
            guard count > 0 else { return .end }
            guard let file else { return .bytes(data.dropFirst(position).prefix(count)) }
            do throws(TeapotError) { return .bytes(Data(try file.bytes(position..<position + count))) } catch {
                return .failure(error)
            }
        }

        /// - Returns: Whether there is such a position.
        mutating func move(to position: Int) -> Bool {
            guard position != self.position else { return true }
            guard feed == nil, let size, (0...size).contains(position) else { return false }
            self.position = position
            return true
        }

        /// Releases what the next exchange may need, such as the descriptor of a file.
        mutating func release() {
            data = Data()
            pieces = nil
            source = nil
            file = nil
            feed.take()?.stop()
        }
    }
#endif
