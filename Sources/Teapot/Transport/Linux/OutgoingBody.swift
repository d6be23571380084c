#if canImport(FoundationNetworking)
    import TeapotFoundation

    /// The body of a request: a stream with an exact number of bytes, also for a file. FoundationNetworking on its own reads a file in
    /// advance, also bytes that were added since, and wakes libcurl after reading: if the request is over by then, the process ends. It
    /// cannot restart a body in memory, and waits for a response to half a request.
    final class OutgoingBody: Sendable {
        /// In bytes.
        let size: Int
        /// The whole body, unless it is a file.
        private let data: Data
        /// The file, which is opened once, however often it is sent.
        private let file: (opened: RegularFile, url: URL)?
        private let isRepeatable: Bool
        /// The source of a file's bytes for the current stream, the number of the stream, as earlier streams provide nothing any more,
        /// whether a connection took some of the body, and the first error that prevented sending.
        private let state = Locked<(reader: ReadAhead?, number: Int, wasRead: Bool, failure: (any Error)?)>(
            (nil, 0, false, nil)
        )

        /// The body of a request in memory or in a file; `nil` if it is empty.
        /// - Throws: `fileError` if the file cannot be opened, or has changed since the call began.
        init?(of request: TransportRequest) throws(TeapotError) {
            isRepeatable = request.isIdempotent
            data = request.urlRequest.httpBody ?? Data()
            file = if let body = request.file { (try body.open(), body.url) } else { nil }
            size = request.file?.size ?? data.count
            if size == 0 { return nil }
        }

        /// Reads the first pieces, if the body is a file. `isReady` is called on a thread that nothing waits for, or on this one.
        func readAhead(_ isReady: @escaping @Sendable () -> Void) {
            guard let reader = newReader() else { return isReady() }
            state.withLock { $0.reader = reader }
            reader.begin(isReady)
        }

        /// The body from its beginning, for the first time.
        func stream() -> InputStream { Stream(of: self, state.withLock { $0.reader }) }

        /// The body again from its beginning, after the connection was closed before a response.
        /// - Returns: `nil` if it must not be sent twice. The request then fails with the next byte that is read.
        func again() -> InputStream? {
            guard isRepeatable else {
                fail(URLError(.networkConnectionLost))
                return nil
            }
            let reader = newReader()
            state.withLock { state in
                defer { state.reader = reader }
                return state.reader
            }?.stop()
            reader?.begin()
            return Stream(of: self, reader)
        }

        var failure: (any Error)? { state.withLock { $0.failure } }
        var wasRead: Bool { state.withLock { $0.wasRead } }

        func stop() { fail(URLError(.cancelled)) }

        private func fail(_ error: any Error) {
            state.withLock { state in
                state.failure = state.failure ?? error
                return state.reader
            }?.stop()
        }

        private func newReader() -> ReadAhead? { file.map { ReadAhead($0.url, size: size, read: $0.opened.bytes) } }

        /// Its methods are called only on FoundationNetworking's queue.
        private final class Stream: InputStream {
            private let body: OutgoingBody
            private let reader: ReadAhead?
            private let number: Int
            private var position = 0
            /// The rest of a piece of a file.
            private var piece: ArraySlice<UInt8> = []
            private var status = Foundation.Stream.Status.notOpen

            init(of body: OutgoingBody, _ reader: ReadAhead?) {
                self.body = body
                self.reader = reader
                number = body.state.withLock { state in
                    state.number += 1
                    return state.number
                }
                super.init(data: Data())
            }

            override func open() { status = .open }
            override func close() { status = .closed }
            override var streamStatus: Foundation.Stream.Status { status }
            override var streamError: (any Error)? { nil }
            override var hasBytesAvailable: Bool { true }

            override func getBuffer(
                _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
                length: UnsafeMutablePointer<Int>
            ) -> Bool { false }

            /// - Returns: The number of bytes now available; zero at the end, and -1 to make the request fail.
            override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
                let isCurrent = body.state.withLock { state in
                    state.wasRead = true
                    return state.failure == nil && state.number == number
                }
                guard isCurrent else { return -1 }
                let wanted = min(length, body.size - position)
                guard wanted > 0 else { return 0 }
                do {
                    let count = try copy(to: UnsafeMutableRawBufferPointer(start: buffer, count: wanted))
                    position += count
                    return count > 0 ? count : -1
                } catch {
                    body.fail(error)
                    return -1
                }
            }

            private func copy(to target: UnsafeMutableRawBufferPointer) throws(TeapotError) -> Int {
                guard let reader else {
                    let start = body.data.startIndex + position
                    return body.data[start..<min(start + target.count, body.data.endIndex)].copyBytes(to: target)
                }
                if piece.isEmpty { piece = try reader.next()[...] }
                let part = piece.prefix(target.count)
                target.copyBytes(from: part)
                piece = piece.dropFirst(part.count)
                return part.count
            }
        }
    }
#endif
