#if os(Linux)
    package import Teapot

    /// The header of a response, parsed line by line.
    package struct ResponseHeader {
        /// The result of a line.
        package enum Step {
            /// There is more to come, or the line is a trailer field, which is not part of the header (RFC 9110, section 6.5).
            case more
            /// The end of an informational response, after which another one comes (RFC 9110, section 15.2).
            case informational(status: Int)
            case response(ResponseHead, Connection)
        }

        /// The use of the connection after the response.
        package enum Connection {
            /// For one exchange after another.
            case single
            /// For several exchanges at a time: HTTP/2.
            case shared
            /// Not reusable: the server may disagree about where the body ends.
            case closed
        }

        // The strictest limits of all versions of libcurl, so that each accepts the same.

        /// In bytes.
        static let maximumLineLength = 100_000
        /// In bytes, of all lines.
        static let maximumLength = 300 * 1024
        static let maximumFieldCount = 5_000

        /// Whether HTTP/2 was offered.
        private let canBeHTTP2: Bool
        /// `nil` before the status line.
        private var status: Int?
        /// Whether the status line is one that libcurl writes for HTTP/2.
        private var claimsHTTP2 = false
        /// Whether a field cannot be part of an HTTP/2 response.
        private var isHTTP1 = false
        private var isComplete = false
        private var length = 0
        private var fieldCount = 0
        private var fields = FieldLines()
        /// Whether a client sends the value of the last line back; `nil` if the last line was not a field.
        private var isLastReturned: Bool?

        package init(canBeHTTP2: Bool) { self.canBeHTTP2 = canBeHTTP2 }

        /// Takes the next line of the response to a request, with or without its ending. `version` is the protocol according to libcurl. Throws
        /// an error if the line is invalid, or header and trailers exceed the limits.
        package mutating func take(_ line: UnsafeRawBufferPointer, of url: URL, _ version: () -> String)
            throws(URLError)
            -> Step
        {
            length += line.count
            guard line.count <= Self.maximumLineLength, length <= Self.maximumLength else { throw Self.tooLarge }
            guard !isComplete else {
                try countField()
                return .more
            }
            var (bytes, count) = (line.bindMemory(to: UInt8.self), line.count)
            // An LF alone ends a line, too (RFC 9112, section 2.2).
            if count > 0, bytes[count - 1] == UInt8(ascii: "\n") { count -= 1 }
            if count > 0, bytes[count - 1] == UInt8(ascii: "\r") { count -= 1 }
            guard count > 0, let start = bytes.baseAddress else { return try end(of: url, version()) }
            bytes = UnsafeBufferPointer(start: start, count: count)
            // RFC 9112, section 2.2.
            guard memchr(start, 0x0D, count) == nil else {
                throw .curl(.badServerResponse, "the header of the response has a carriage return within a line")
            }
            if status == nil { try takeStatusLine(bytes) } else { try takeField(bytes) }
            return .more
        }

        /// RFC 9112, section 4: `HTTP/1.1 200 OK`. For HTTP/2, libcurl writes `HTTP/2 200 `.
        private mutating func takeStatusLine(_ line: UnsafeBufferPointer<UInt8>) throws(URLError) {
            let space = UInt8(ascii: " ")
            let versionEnd = line.firstIndex(of: space) ?? line.count
            let version = UnsafeBufferPointer(rebasing: line[..<versionEnd])
            let rest = line[min(versionEnd + 1, line.count)...]
            let code = rest.prefix { $0 != space }
            let reason = rest[code.endIndex...].dropFirst()
            claimsHTTP2 = FieldName.isSame(version, "HTTP/2")
            // HTTP/1.0 comes from an old server, or from a new one that does not know what was asked (section 2.3).
            let isKnown =
                claimsHTTP2 || FieldName.isSame(version, "HTTP/1.1") || FieldName.isSame(version, "HTTP/1.0")
            guard isKnown, code.count == 3, code.allSatisfy(ByteSet.digits.contains), code.first != UInt8(ascii: "0")
            else {
                throw .curl(.badServerResponse, "the response has an invalid status line")
            }
            isHTTP1 = !claimsHTTP2 || !canBeHTTP2 || code.endIndex == line.count || !reason.isEmpty
            status = code.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        }

        private mutating func takeField(_ line: UnsafeBufferPointer<UInt8>) throws(URLError) {
            if Self.isBlank(line[0]) {
                // A line that continues the value before it (RFC 9112, section 5.2).
                guard let isLastReturned else { return }
                if framingFields.contains(where: fields.isLast) {
                    throw Self.unclearFraming("is continued on the next line")
                }
                Self.read(Self.trimmed(line[...]), isReturned: isLastReturned) { fields.extendLast(by: $0) }
                return
            }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
            try countField()
            let name = Self.trimmed(line[..<colon])
            isLastReturned = nil
            if name.count < colon, framingFields.contains(where: { FieldName.isSame(name, $0) }) {
                throw Self.unclearFraming("has a blank before its colon")
            }
            // A line without a valid name is not a field, and is dropped.
            guard HeaderFieldRules.isToken(name) else { return }
            // RFC 9113, section 8.2.
            isHTTP1 = isHTTP1 || name.contains { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
            // A client sends these back (RFC 6265, section 5.4, and RFC 9110, section 13.1).
            let isReturned = FieldName.isSame(name, "Set-Cookie") || FieldName.isSame(name, "ETag")
            isLastReturned = isReturned
            Self.read(Self.trimmed(line[(colon + 1)...]), isReturned: isReturned) {
                fields.append(name: name, value: $0)
            }
        }

        private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

        /// Passes on the text of a value in UTF-8, which most are already.
        private static func read(
            _ value: UnsafeBufferPointer<UInt8>,
            isReturned: Bool,
            _ take: (UnsafeBufferPointer<UInt8>) -> Void
        ) {
            guard value.reduce(0, |) >= 0x80 else { return take(value) }
            var text = FieldBytes.text(of: value, isReturned: isReturned)
            text.withUTF8(take)
        }

        /// A part of a line, without the blanks around it.
        private static func trimmed(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> UnsafeBufferPointer<UInt8> {
            var bytes = bytes
            while let first = bytes.first, isBlank(first) { bytes.removeFirst() }
            while let last = bytes.last, isBlank(last) { bytes.removeLast() }
            return UnsafeBufferPointer(rebasing: bytes)
        }

        private mutating func countField() throws(URLError) {
            fieldCount += 1
            guard fieldCount <= Self.maximumFieldCount else {
                throw .curl(.dataLengthExceedsMaximum, "the header of the response has more than 5,000 fields")
            }
        }

        private mutating func end(of url: URL, _ version: String) throws(URLError) -> Step {
            guard let status else { throw .curl(.badServerResponse, "the response has an invalid status line") }
            // ``LibcurlFault/anyLocation``
            let locations = fields.values(of: "Location")
            guard locations.isEmpty || locations.allSatisfy({ $0 == locations[0] }) else {
                throw .curl(.badServerResponse, "the response has several Location fields that differ")
            }
            let length = fields.value(of: "Content-Length")
            if let length, !Self.isPlainNumber(length) {
                fields.replace("Content-Length", with: ["\(try Self.length(length))"])
            }
            let coding = fields.value(of: "Transfer-Encoding")
            let isHTTP2 = version == "HTTP/2"
            if isHTTP2 || claimsHTTP2 {
                // RFC 9113, section 8.2.2.
                guard isHTTP2, !isHTTP1, coding == nil, !fields.contains("Connection") else {
                    throw .curl(.badServerResponse, "a response of HTTP/1.1 claims to be HTTP/2")
                }
            }
            try Self.checkTransferCoding(coding)
            guard status >= 200 || status == 101 else {
                fields = FieldLines()
                isLastReturned = nil
                self.status = nil
                return .informational(status: status)
            }
            isComplete = true
            let head = ResponseHead(url: url, status: status, version: version, lines: fields, hasSeparateCookies: true)
            let isAmbiguous = coding != nil && length != nil
            return .response(head, isHTTP2 ? .shared : isAmbiguous ? .closed : .single)
        }

        /// Refuses transfer codings other than `chunked`, as no request offers one (RFC 9112, section 7.4):
        /// ``LibcurlFault/unboundedDecoding``.
        private static func checkTransferCoding(_ field: String?) throws(URLError) {
            guard let field else { return }
            for coding in commas.parts(of: field.lowercased()).map(\.withoutOuterBlanks)
            where coding != "chunked" && coding != "identity" && !coding.isEmpty {
                throw .curl(.badServerResponse, "the response has a transfer coding other than chunked")
            }
        }

        /// libcurl may read such a field differently, so that neither knows where the body ends (RFC 9112, sections 5.1 and 5.2).
        private static func unclearFraming(_ problem: String) -> URLError {
            .curl(.badServerResponse, "a Content-Length or Transfer-Encoding of the response \(problem)")
        }

        static let tooLarge = URLError.curl(
            .dataLengthExceedsMaximum,
            "the header of the response has more than 300 KB, or a line of more than 100 KB"
        )

        /// Whether a text is a number that is not negative, as Swift writes it.
        private static func isPlainNumber(_ text: String) -> Bool {
            ByteSet.number(of: text) != nil && (text == "0" || !text.hasPrefix("0"))
        }

        /// The length of the body, sent once or several times (RFC 9110, section 8.6). Throws an error if a length is not a number of at most
        /// 63 bits, or if two differ, since the end of the body is unknown then (RFC 9112, section 6.3).
        private static func length(_ field: String) throws(URLError) -> Int {
            let lengths = commas.parts(of: field).map { ByteSet.number(of: $0.withoutOuterBlanks) }
            guard let length = lengths[0], lengths.allSatisfy({ $0 == length }) else {
                throw .curl(.badServerResponse, "the response has an invalid or contradicting Content-Length")
            }
            return length
        }
    }

    /// The marks between the elements of a list (RFC 9110, section 5.6.1).
    let commas = ByteSet(",")
    /// The fields by which libcurl finds the end of a body.
    private let framingFields = ["Content-Length", "Transfer-Encoding"]
#endif
