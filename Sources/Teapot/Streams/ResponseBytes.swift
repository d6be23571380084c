public import TeapotFoundation

extension Teapot {
    /// A response with a status from 200 to 299 whose body is read while it arrives: by bytes, by lines, or in the received
    /// pieces.
    ///
    /// Each byte costs an async call, which is slow for a large body: read ``chunks`` then.
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
        private let decoder: JSONDecoder

        init(http: HTTPURLResponse, reader: BodyReader, _ settings: Teapot.Settings) {
            self.http = http
            (secrets, decoder) = (settings.secretPolicy, settings.decoder)
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

        /// The body as JSON Lines (https://jsonlines.org): each line decoded as soon as it has arrived. Blank lines are skipped.
        ///
        /// - Parameters:
        ///   - type: The type of a line.
        ///   - decoder: Decodes the lines; the decoder of the ``Teapot/Teapot`` if `nil`.
        /// - Returns: The values. A line that does not match the type throws `decodingFailed`, which names the number of the
        ///   line, from 1 on, and keeps the line as its data; the next line can be read all the same.
        public func lines<Value: Decodable & Sendable>(
            as type: Value.Type = Value.self,
            using decoder: JSONDecoder? = nil
        ) -> DecodedLines<Value> {
            DecodedLines(body: self, details: CallDetails(decoder: decoder ?? self.decoder, secrets: secrets))
        }

        /// The beginning of the body, for an error: the pieces that arrive within a second, up to a size in bytes. Nothing can be
        /// read after it.
        func beginning(upTo size: Int, _ time: any TimeSource) async -> Data {
            let stream = chunks.reader.stream
            let timer = Task {
                await time.sleep(for: .seconds(1))
                // Unlike `end`, this keeps what has arrived.
                stream.close(.failure(.cancelled()))
            }
            defer { timer.cancel() }
            var data = Data()
            while data.count < size, let piece = try? await stream.next() { data += piece }
            return data.prefix(size)
        }

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

                fileprivate mutating func read(isolation: isolated (any Actor)?) async throws(TeapotError) -> String? {
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

extension Teapot.ResponseBytes {
    /// A body as JSON Lines: see ``lines(as:using:)``.
    public struct DecodedLines<Value: Decodable & Sendable>: AsyncSequence, Sendable {
        fileprivate let body: Teapot.ResponseBytes
        fileprivate let details: CallDetails

        /// Iterates over the values of the lines.
        public func makeAsyncIterator() -> Iterator {
            Iterator(lines: body.lines.makeAsyncIterator(), http: body.http, details: details)
        }

        /// Iterates over the values of lines.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate var lines: Lines.Iterator
            fileprivate let http: HTTPURLResponse
            fileprivate let details: CallDetails
            private var number = 0

            fileprivate init(lines: Lines.Iterator, http: HTTPURLResponse, details: CallDetails) {
                (self.lines, self.http, self.details) = (lines, http, details)
            }

            /// The value of the next line; `nil` at the end of the body.
            ///
            /// - Returns: The value.
            /// - Throws: `decodingFailed`, with the number of the line; the error that ended the body; `cancelled` if the task
            ///   was cancelled.
            public mutating func next() async throws(TeapotError) -> Value? { try await read(isolation: nil) }

            /// The value of the next line, without leaving the actor while more lines are available; `nil` at the end of the
            /// body.
            ///
            /// - Parameter actor: The actor of the caller.
            /// - Returns: The value.
            /// - Throws: The same as ``next()``.
            @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
            public mutating func next(isolation actor: isolated (any Actor)?) async throws(TeapotError) -> Value? {
                try await read(isolation: actor)
            }

            private mutating func read(isolation: isolated (any Actor)?) async throws(TeapotError) -> Value? {
                while let line = try await lines.read(isolation: isolation) {
                    number += 1
                    guard line.contains(where: { !$0.isWhitespace }) else { continue }
                    let data = Data(line.utf8)
                    do throws(TeapotError) {
                        return try Value.decoded(from: data, response: http, using: nil, details)
                    } catch {
                        let reason = FailureReason("line \(number): \(error.failureReason ?? "")")
                        throw .decodingFailed(reason, data: data, response: http, details: details)
                    }
                }
                return nil
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
