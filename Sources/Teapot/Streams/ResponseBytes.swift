public import TeapotFoundation

extension Teapot {
    /// A response with a status from 200 to 299 whose body is read while it arrives: in the received pieces, which are never
    /// empty, or by lines.
    ///
    /// The body can be read once: all sequences read from the same stream. To stop early, release it or cancel the task: the
    /// exchange then ends at once.
    ///
    /// Up to a megabyte is buffered in memory. Beyond that, the transport pauses the server if it can, and data that still
    /// arrives is buffered in an unnamed temporary file: see <doc:Transfers>.
    public struct ResponseBytes: AsyncSequence, CustomStringConvertible, Sendable {
        /// The status and header fields as Foundation's type.
        public var http: HTTPURLResponse { head.http }

        let head: ResponseHead
        let reader: BodyReader
        /// The decoder of the lines, and the secrets that the description redacts.
        let details: CallDetails

        init(_ head: ResponseHead, of call: Call, from stream: StreamSink) {
            self.head = head
            reader = BodyReader(stream: stream, call: call)
            let secrets = call.latest?.secrets ?? call.context.settings.secretPolicy
            details = CallDetails(decoder: call.decoder, secrets: secrets, request: call.latest?.target)
        }

        /// The status, and the URL with secrets redacted; header fields are not shown.
        public var description: String { head.shortDescription(details.secrets) }
        /// The status code.
        public var status: Int { head.status }
        /// The header fields, looked up without regard to case.
        public var headerFields: Teapot.HeaderFields { Teapot.HeaderFields(head, details.secrets) }

        /// Iterates over the received pieces of the body.
        public func makeAsyncIterator() -> Elements<Data>.Iterator { Elements.Iterator(reader: reader) }

        /// The body line by line, decoded as UTF-8 with invalid bytes replaced, without the LF, CR LF or CR at the ends.
        ///
        /// Empty lines are included. The last line needs no line break. Each line is held in memory:
        /// ``Teapot/Teapot/maximumResponseSize`` limits it, too.
        public var lines: Elements<String> { Elements { .init(reader: LineReader(body: reader)) } }

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
        ) -> Elements<Value> {
            let details = details.with(decoder: decoder)
            return Elements {
                .init(reader: ValueReader(lines: LineReader(body: reader), head: head, details: details))
            }
        }

        /// The beginning of the body, for an error: the pieces that arrive within a second, up to a size in bytes. Nothing can be
        /// read after it.
        func beginning(upTo size: Int, _ time: any TimeSource) async -> Data {
            let timer = Task {
                await time.sleep(for: .seconds(1))
                // Unlike `end`, this keeps what has arrived.
                reader.stream.close(.failure(.cancelled()))
            }
            defer { timer.cancel() }
            var data = Data()
            while data.count < size, let piece = try? await reader.stream.next() { data += piece }
            return data.prefix(size)
        }
    }
}

/// Reads a body in the received pieces, and keeps an exchange running while its body can be read.
final class BodyReader: ElementReader, Sendable {
    let stream: StreamSink
    private let call: Call

    init(stream: StreamSink, call: Call) {
        self.stream = stream
        self.call = call
    }

    deinit { call.cancel() }

    func next(isolation: isolated (any Actor)?) async throws(TeapotError) -> Data? { try await stream.next() }
}

private final class LineReader: ElementReader {
    private let body: BodyReader
    private var splitter = LineSplitter()

    init(body: BodyReader) { self.body = body }

    @inline(never) func next(isolation: isolated (any Actor)?) async throws(TeapotError) -> String? {
        while true {
            if let line = splitter.next() { return line }
            guard let piece = try await body.stream.next() else { return splitter.last() }
            splitter.append(piece)
        }
    }

    func arrived() -> [String] { splitter.next(maximum: 128) }
}

private final class ValueReader<Value: Decodable & Sendable>: ElementReader {
    private let lines: LineReader
    private let head: ResponseHead
    private let details: CallDetails
    private var number = 0

    init(lines: LineReader, head: ResponseHead, details: CallDetails) {
        self.lines = lines
        self.head = head
        self.details = details
    }

    func next(isolation: isolated (any Actor)?) async throws(TeapotError) -> Value? {
        while let line = try await lines.next(isolation: isolation) {
            number += 1
            if line.contains(where: { !$0.isWhitespace }) { return try value(of: Data(line.utf8)) }
        }
        return nil
    }

    private func value(of line: Data) throws(TeapotError) -> Value {
        do throws(TeapotError) {
            let response = Teapot.Response(data: line, head: head, details: details)
            return try response.value { (response) throws(TeapotError) in try response.decode() }
        } catch {
            guard error.type != .cancelled else { throw error }
            let reason = FailureReason("line \(number): \(error.failureReason ?? "")")
            throw .decodingFailed(reason, data: line, response: head, details: details)
        }
    }
}
