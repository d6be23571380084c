#if os(Linux)
    import CLibcurl
    import Teapot

    /// Decodes a body with content codings (RFC 9110, section 8.4.1), a limited amount at a time: a few bytes can become many, and
    /// libcurl would decode them all while the other exchanges wait.
    ///
    /// It is used on the thread of its engine only.
    final class BodyDecoder {
        /// Each coding takes memory, and multiplies the size.
        private static let maximumCodings = 5
        /// The size of a piece, in bytes.
        private static let pieceLength = 65_536

        /// In the order of decoding: each takes the output of the one before.
        private var stages: [Inflater]
        private let buffer: UnsafeMutableBufferPointer<UInt8>

        /// Makes a decoder for a `Content-Encoding` field, which has the codings in the order in which they were applied; `nil` if there is
        /// nothing to decode. `canInflate` says whether there is a zlib. Throws an error if a coding is unknown, unless the caller's own
        /// `Accept-Encoding` names it: such a body is left to the caller.
        init?(_ field: String, canInflate: Bool, acceptedByCaller own: String?) throws(URLError) {
            let codings = Self.names(in: field).filter { $0 != "identity" && $0 != "none" }
            let unknown = codings.first { !canInflate || Inflater.Format($0) == nil }
            if let unknown, let own, Self.names(in: own).contains(where: { $0 == unknown || $0 == "*" }) { return nil }
            guard !codings.isEmpty else { return nil }
            guard codings.count <= Self.maximumCodings else {
                let reason = "the response has more than \(Self.maximumCodings) content codings"
                throw .curl(.cannotDecodeContentData, reason)
            }
            if let unknown {
                let reason = "the response has the content coding \(unknown.prefix(60)), which Teapot cannot decode"
                throw .curl(.cannotDecodeContentData, reason)
            }
            buffer = .allocate(capacity: Self.pieceLength)
            stages = codings.reversed().compactMap { name in Inflater.Format(name).map { Inflater($0) } }
        }

        deinit { buffer.deallocate() }

        /// The elements of a list, without parameters and in lower case.
        private static func names(in field: String) -> [String] {
            let elements = commas.parts(of: field.lowercased())
            let names = elements.map { semicolons.parts(of: $0).first { !$0.isEmpty }?.withoutOuterBlanks ?? "" }
            return names.filter { !$0.isEmpty }
        }

        /// Whether ``next()`` has something to do.
        var hasInput: Bool { stages.contains(where: \.hasInput) }

        /// The number of bytes that were added and not used yet.
        var inputLength: Int { stages[0].input.count }

        /// Whether the body is whole, or empty.
        var isComplete: Bool { stages.allSatisfy(\.isComplete) }

        func add(_ bytes: Data) { stages[0].input.append(bytes) }

        /// Takes one step.
        /// - Returns: A piece of the body, which may be empty, and the number of bytes that were made for it.
        func next() throws(URLError) -> (piece: Data, work: Int) {
            // The last stage with input comes first, so that never more than a piece waits for any stage but the first.
            guard let index = stages.lastIndex(where: \.hasInput) else { return (Data(), 0) }
            let piece = try stages[index].inflate(into: buffer)
            guard index + 1 < stages.count else { return (piece, piece.count) }
            stages[index + 1].input = piece
            return (Data(), piece.count)
        }
    }

    /// The marks before parameters.
    private let semicolons = ByteSet(";")

    /// One content coding.
    private final class Inflater {
        enum Format: String {
            case gzip
            case deflate

            init?(_ name: String) { self.init(rawValue: name == "x-gzip" ? "gzip" : name) }
        }

        private let format: Format
        private var inflater: OpaquePointer?
        var input = Data()
        /// Whether the output was full, so that there may be more without input.
        private var wasFull = false
        /// Whether the compressed data has ended.
        private var hasEnded = false
        /// The error of the step before, which still made some bytes.
        private var failure: URLError?

        init(_ format: Format) { self.format = format }

        deinit { inflater.map(clibcurl_inflater_free) }

        var hasInput: Bool { wasFull || !input.isEmpty || failure != nil }

        var isComplete: Bool { inflater == nil && input.isEmpty || hasEnded && !hasInput }

        /// Takes input until it is used up or the buffer is full.
        /// - Returns: The bytes that were made.
        func inflate(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(URLError) -> Data {
            if let failure { throw failure }
            let inflater = try startedInflater()
            // The input is another member of a gzip file (RFC 1952, section 2.2), or stands after the end.
            if hasEnded, !clibcurl_inflater_reset(inflater) || format == .deflate {
                throw error("there are bytes after its end")
            }
            hasEnded = false
            var (used, made) = (input.count, buffer.count)
            let result = input.withUnsafeBytes { bytes in
                buffer.baseAddress.map { output in
                    let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
                    return clibcurl_inflate(inflater, start, &used, output, &made)
                }
            }
            hasEnded = result == CLIBCURL_INFLATE_END
            let isStuck = used == 0 && made == 0 && !input.isEmpty && !hasEnded
            input = input.count == used ? Data() : input.dropFirst(used)
            wasFull = made == buffer.count && !hasEnded
            if result == nil || result == CLIBCURL_INFLATE_DAMAGED || isStuck {
                failure = error(clibcurl_inflater_message(inflater).map { String(cString: $0) } ?? "it is damaged")
            }
            if let failure, made == 0 { throw failure }
            return buffer.baseAddress.map { Data(bytes: $0, count: made) } ?? Data()
        }

        /// `deflate` is the zlib format; some servers send the compressed data without its header, which begins with an 8 in the
        /// lower half of its first byte (RFC 9110, section 8.4.1.2, and RFC 1950, section 2.2).
        private func startedInflater() throws(URLError) -> OpaquePointer {
            if let inflater { return inflater }
            let hasHeader = input.first.map { $0 & 0x0F == 8 } ?? true
            guard let new = clibcurl_inflater_init(format == .gzip ? 31 : hasHeader ? 15 : -15) else {
                throw error("zlib is out of memory")
            }
            inflater = new
            return new
        }

        private func error(_ reason: String) -> URLError {
            .curl(.cannotDecodeContentData, "the \(format) body cannot be decoded: \(reason)")
        }
    }
#endif
