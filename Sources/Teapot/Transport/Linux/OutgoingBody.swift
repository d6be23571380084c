#if canImport(FoundationNetworking)
    import TeapotFoundation

    /// The body of a request for FoundationNetworking: a stream with an exact number of bytes.
    ///
    /// FoundationNetworking reads a piece from a stream when libcurl has room for one. It reads a file in advance, and wakes
    /// libcurl after reading: if the request is over by then, that ends the process. It also sends bytes that were added to the
    /// file since. It cannot restart a body in memory, and waits for a response to half a request.
    final class OutgoingBody: Sendable {
        fileprivate enum Content: Sendable {
            case data(Data)
            case file(RegularFile, URL)
        }

        private struct State {
            /// The source of a file's bytes, this time.
            var reader: ReadAhead?
            /// The number of the current stream: earlier streams provide nothing any more.
            var number = 0
            /// Whether some of it was taken, which needs a connection.
            var wasRead = false
            var failure: (any Error)?
        }

        /// In bytes.
        let size: Int
        private let content: Content
        private let isRepeatable: Bool
        private let state = Locked(State())

        /// A body in memory; `nil` if it is empty.
        init?(_ data: Data?, isRepeatable: Bool) {
            guard let data, !data.isEmpty else { return nil }
            content = .data(data)
            size = data.count
            self.isRepeatable = isRepeatable
        }

        /// A body in a file, which is opened once, however often it is sent; `nil` if it is empty.
        /// - Throws: `fileError` if it cannot be opened, or has changed since the call began.
        init?(_ file: BodyFile, isRepeatable: Bool) throws(TeapotError) {
            let opened = try file.open()
            guard file.size > 0 else { return nil }
            content = .file(opened, file.url)
            size = file.size
            self.isRepeatable = isRepeatable
        }

        /// Reads the first pieces, if the body is a file. `isReady` is called on a thread that nothing waits for, or on this one.
        func readAhead(_ isReady: @escaping @Sendable () -> Void) {
            guard let reader = newReader() else { return isReady() }
            state.withLock { $0.reader = reader }
            reader.begin(isReady)
        }

        func attach(to request: inout URLRequest) {
            var fields = request.allHTTPHeaderFields ?? [:]
            fields[field: "Content-Length"] = "\(size)"
            // Without this, libcurl would send chunks.
            fields[field: "Transfer-Encoding"] = SentFields.removal
            request.allHTTPHeaderFields = fields
            request.httpBodyStream = stream(state.withLock { $0.reader })
        }

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
            return stream(reader)
        }

        /// The error that prevented sending; `nil` if there was none.
        var failure: (any Error)? { state.withLock { $0.failure } }

        /// Whether a connection took some of it.
        var wasRead: Bool { state.withLock { $0.wasRead } }

        func stop() { fail(URLError(.cancelled)) }

        private func fail(_ error: any Error) {
            state.withLock { state in
                state.failure = state.failure ?? error
                return state.reader
            }?.stop()
        }

        private func newReader() -> ReadAhead? {
            guard case .file(let file, let url) = content else { return nil }
            return ReadAhead(url, size: size) { range throws(TeapotError) in try file.bytes(range) }
        }

        private func stream(_ reader: ReadAhead?) -> InputStream {
            let number = state.withLock { state in
                state.number += 1
                return state.number
            }
            return Stream(of: self, reader, number: number)
        }
    }

    extension OutgoingBody {
        /// Its methods are called only on FoundationNetworking's queue.
        private final class Stream: InputStream {
            private let body: OutgoingBody
            private let reader: ReadAhead?
            private let number: Int
            private var position = 0
            /// The rest of a piece of a file.
            private var piece: ArraySlice<UInt8> = []
            private var status = Foundation.Stream.Status.notOpen

            init(of body: OutgoingBody, _ reader: ReadAhead?, number: Int) {
                self.body = body
                self.reader = reader
                self.number = number
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
                    let count = try copy(wanted, to: UnsafeMutableRawPointer(buffer))
                    position += count
                    return count > 0 ? count : -1
                } catch {
                    body.fail(error)
                    return -1
                }
            }

            private func copy(_ wanted: Int, to buffer: UnsafeMutableRawPointer) throws(TeapotError) -> Int {
                if case .data(let data) = body.content {
                    let start = data.startIndex + position
                    let target = UnsafeMutableRawBufferPointer(start: buffer, count: wanted)
                    return data[start..<start + wanted].copyBytes(to: target)
                }
                if piece.isEmpty, let reader { piece = try reader.next()[...] }
                let count = min(wanted, piece.count)
                piece.withUnsafeBytes { bytes in
                    guard count > 0, let start = bytes.baseAddress else { return }
                    buffer.copyMemory(from: start, byteCount: count)
                }
                piece = piece.dropFirst(count)
                return count
            }
        }
    }
#endif
