public import TeapotFoundation

extension Teapot {
    /// A response with a status from 200 to 299 whose body is read as it comes: byte by byte, line by line, or in the pieces in
    /// which it came.
    ///
    /// The body is there once: what one of the sequences has read no other reads again. To stop early, let go of it, or
    /// cancel the task: the exchange then ends at once.
    ///
    /// Memory is bounded, whatever the server sends and however slowly it is read: up to a megabyte waits in memory. More
    /// than that the server is asked to hold back, where the transport can; what comes all the same waits in a temporary
    /// file without a name. That is so on Linux, where a task of `URLSession` cannot be stopped and go on.
    public struct ResponseBytes: AsyncSequence, CustomStringConvertible, Sendable {
        /// The status and header fields as Foundation has them.
        public let http: HTTPURLResponse
        /// The body in the pieces in which it came.
        public let chunks: Chunks

        /// What the description does not show.
        private let secrets: SecretPolicy

        init(http: HTTPURLResponse, reader: BodyReader, secrets: SecretPolicy) {
            self.http = http
            self.secrets = secrets
            chunks = Chunks(reader: reader)
        }

        /// Status, and URL with secrets redacted; header fields are not shown.
        public var description: String { http.shortDescription(secrets) }

        /// The status code.
        public var status: Int { http.statusCode }

        /// The header fields, looked up without regard to case.
        public var headers: HeaderFields { HeaderFields(http, secrets) }

        /// The body line by line, as UTF-8 with what is no such text replaced, without the LF, CR LF or CR at their ends.
        ///
        /// Empty lines count. A last line needs no line break. A line is in memory as a whole:
        /// ``Teapot/Teapot/maximumResponseSize`` bounds it, too.
        public var lines: Lines { Lines(reader: chunks.reader) }

        /// Iterates over the bytes of the body.
        public func makeAsyncIterator() -> Iterator {
            Iterator(reader: chunks.reader)
        }

        /// Iterates over the bytes of a body.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let reader: BodyReader
            private var chunk = Data()
            private var position = 0

            fileprivate init(reader: BodyReader) {
                self.reader = reader
            }

            /// The next byte; `nil` at the end of the body.
            ///
            /// - Returns: The byte.
            /// - Throws: What went wrong since the response came; `cancelled` when the task was cancelled.
            public mutating func next() async throws(TeapotError) -> UInt8? {
                try await read(isolation: nil)
            }

            /// The next byte, without leaving the actor while there are more bytes at hand; `nil` at the end of the body.
            ///
            /// - Parameter actor: The actor of the caller.
            /// - Returns: The byte.
            /// - Throws: What went wrong since the response came; `cancelled` when the task was cancelled.
            @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
            public mutating func next(isolation actor: isolated (any Actor)?) async throws(TeapotError) -> UInt8? {
                try await read(isolation: actor)
            }

            private mutating func read(isolation: isolated (any Actor)?) async throws(TeapotError) -> UInt8? {
                while position == chunk.endIndex {
                    guard let next = try await reader.stream.next() else { return nil }
                    (chunk, position) = (next, next.startIndex)
                }
                defer { position += 1 }
                return chunk[position]
            }
        }

        /// A body in the pieces in which it came.
        public struct Chunks: AsyncSequence, Sendable {
            fileprivate let reader: BodyReader

            /// Iterates over the pieces of the body.
            public func makeAsyncIterator() -> Iterator { Iterator(reader: reader) }

            /// Iterates over the pieces of a body.
            public struct Iterator: AsyncIteratorProtocol {
                fileprivate let reader: BodyReader

                /// The next piece, not empty; `nil` at the end of the body.
                ///
                /// - Returns: The bytes.
                /// - Throws: What went wrong since the response came; `cancelled` when the task was cancelled.
                public mutating func next() async throws(TeapotError) -> Data? {
                    try await reader.stream.next()
                }

                /// The next piece, not empty; `nil` at the end of the body.
                ///
                /// - Parameter actor: The actor of the caller.
                /// - Returns: The bytes.
                /// - Throws: What went wrong since the response came; `cancelled` when the task was cancelled.
                @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
                public mutating func next(isolation actor: isolated (any Actor)?) async throws(TeapotError) -> Data? {
                    try await reader.stream.next()
                }
            }
        }

        /// A body line by line.
        public struct Lines: AsyncSequence, Sendable {
            fileprivate let reader: BodyReader

            /// Iterates over the lines of the body.
            public func makeAsyncIterator() -> Iterator { Iterator(reader: reader) }

            /// Iterates over the lines of a body.
            public struct Iterator: AsyncIteratorProtocol {
                fileprivate let reader: BodyReader
                private var splitter = LineSplitter()

                fileprivate init(reader: BodyReader) {
                    self.reader = reader
                }

                /// The next line, without its line break; `nil` at the end of the body.
                ///
                /// - Returns: The line.
                /// - Throws: What went wrong since the response came; `cancelled` when the task was cancelled.
                public mutating func next() async throws(TeapotError) -> String? {
                    try await read(isolation: nil)
                }

                /// The next line, without leaving the actor while there are more lines at hand; `nil` at the end of the body.
                ///
                /// - Parameter actor: The actor of the caller.
                /// - Returns: The line, without its line break.
                /// - Throws: What went wrong since the response came; `cancelled` when the task was cancelled.
                @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
                public mutating func next(
                    isolation actor: isolated (any Actor)?
                ) async throws(TeapotError) -> String? {
                    try await read(isolation: actor)
                }

                private mutating func read(isolation: isolated (any Actor)?) async throws(TeapotError) -> String? {
                    while true {
                        if let line = splitter.next() { return line }
                        guard let chunk = try await reader.stream.next() else { return splitter.last() }
                        splitter.append(chunk)
                    }
                }
            }
        }
    }
}

/// Keeps an exchange under way for as long as its body may be read.
final class BodyReader: Sendable {
    let stream: StreamSink
    private let call: Call

    init(stream: StreamSink, call: Call) {
        self.stream = stream
        self.call = call
    }

    deinit {
        call.cancel()
    }
}
