public import TeapotFoundation

extension Teapot {
    /// A response with a status from 200 to 299 whose body is read while it arrives: by bytes, by lines, or in the received
    /// pieces.
    ///
    /// The body can be read once: all sequences read from the same stream. To stop early, release it or cancel the task: the
    /// exchange then ends at once.
    ///
    /// Up to a megabyte is buffered in memory. Beyond that, the transport pauses the server if it can, and data that still
    /// arrives is buffered in an unnamed temporary file: see <doc:Transfers>.
    public struct ResponseBytes: AsyncSequence, CustomStringConvertible, Sendable {
        /// The status and header fields as Foundation's type.
        public let http: HTTPURLResponse
        /// The body in the received pieces.
        public let chunks: Chunks

        /// The secrets that the description redacts.
        private let secrets: SecretPolicy

        init(http: HTTPURLResponse, reader: BodyReader, secrets: SecretPolicy) {
            self.http = http
            self.secrets = secrets
            chunks = Chunks(reader: reader)
        }

        /// The status, and the URL with secrets redacted; header fields are not shown.
        public var description: String { http.shortDescription(secrets) }

        /// The status code.
        public var status: Int { http.statusCode }

        /// The header fields, looked up without regard to case.
        public var headerFields: HeaderFields { HeaderFields(http, secrets) }

        /// The body line by line, decoded as UTF-8 with invalid bytes replaced, without the LF, CR LF or CR at the ends.
        ///
        /// Empty lines are included. The last line needs no line break. Each line is held in memory:
        /// ``Teapot/Teapot/maximumResponseSize`` limits it, too.
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
            /// - Throws: The error that ended the body; `cancelled` if the task was cancelled.
            public mutating func next() async throws(TeapotError) -> UInt8? {
                try await read(isolation: nil)
            }

            /// The next byte, without leaving the actor while more bytes are available; `nil` at the end of the body.
            ///
            /// - Parameter actor: The actor of the caller.
            /// - Returns: The byte.
            /// - Throws: The error that ended the body; `cancelled` if the task was cancelled.
            @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
            public mutating func next(isolation actor: isolated (any Actor)?) async throws(TeapotError) -> UInt8? {
                try await read(isolation: actor)
            }

            private mutating func read(isolation: isolated (any Actor)?) async throws(TeapotError) -> UInt8? {
                while position == chunk.endIndex {
                    guard let next = try await reader.stream.next() else { return nil }
                    (chunk, position) = (next, next.startIndex)
                }
                // A `defer` here ends the compiler of Swift 6.0.
                let byte = chunk[position]
                position += 1
                return byte
            }
        }

        /// A body in the received pieces.
        public struct Chunks: AsyncSequence, Sendable {
            fileprivate let reader: BodyReader

            /// Iterates over the pieces of the body.
            public func makeAsyncIterator() -> Iterator { Iterator(reader: reader) }

            /// Iterates over the pieces of a body.
            public struct Iterator: AsyncIteratorProtocol {
                fileprivate let reader: BodyReader

                /// The next piece, never empty; `nil` at the end of the body.
                ///
                /// - Returns: The bytes.
                /// - Throws: The error that ended the body; `cancelled` if the task was cancelled.
                public mutating func next() async throws(TeapotError) -> Data? {
                    try await reader.stream.next()
                }

                /// The next piece, never empty; `nil` at the end of the body.
                ///
                /// - Parameter actor: The actor of the caller.
                /// - Returns: The bytes.
                /// - Throws: The error that ended the body; `cancelled` if the task was cancelled.
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
                /// - Throws: The error that ended the body; `cancelled` if the task was cancelled.
                public mutating func next() async throws(TeapotError) -> String? {
                    try await read(isolation: nil)
                }

                /// The next line, without leaving the actor while more lines are available; `nil` at the end of the body.
                ///
                /// - Parameter actor: The actor of the caller.
                /// - Returns: The line, without its line break.
                /// - Throws: The error that ended the body; `cancelled` if the task was cancelled.
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

/// Keeps an exchange running while its body can be read.
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
