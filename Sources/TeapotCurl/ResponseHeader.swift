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
            case response(HTTPURLResponse, Connection)
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
        /// By name in lower case.
        private var fields: [String: (name: String, value: String)] = [:]
        private var lastName: String?
        /// The values of `Set-Cookie`.
        private var cookies: [String] = []

        package init(canBeHTTP2: Bool) { self.canBeHTTP2 = canBeHTTP2 }

        /// Takes the next line.
        ///
        /// - Parameters:
        ///   - line: The line, with or without its ending.
        ///   - url: The URL of the request.
        ///   - version: The protocol according to libcurl.
        /// - Returns: The result of the line.
        /// - Throws: An error if the line is invalid, or header and trailers exceed the limits.
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
            let (line, isUTF8) = FieldBytes.text(of: line)
            // An LF alone ends a line, too (RFC 9112, section 2.2).
            let text = line.utf8.dropLast(line.utf8.last == UInt8(ascii: "\n") ? 1 : 0)
            let content = Substring(text).utf8.dropLast(text.last == UInt8(ascii: "\r") ? 1 : 0)
            guard !content.isEmpty else { return try end(of: url, version()) }
            // RFC 9112, section 2.2.
            guard !content.contains(UInt8(ascii: "\r")) else {
                throw .curl(.badServerResponse, "the header of the response has a carriage return within a line")
            }
            if status == nil {
                try takeStatusLine(Substring(content))
            } else {
                try takeField(Substring(content), isUTF8: isUTF8)
            }
            return .more
        }

        /// RFC 9112, section 4: `HTTP/1.1 200 OK`. For HTTP/2, libcurl writes `HTTP/2 200 `.
        private mutating func takeStatusLine(_ line: Substring) throws(URLError) {
            let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
            let version = parts[0].uppercased()
            claimsHTTP2 = version == "HTTP/2"
            // Of an old server, or a new one that does not know what was asked (section 2.3).
            let isKnown = claimsHTTP2 || version == "HTTP/1.1" || version == "HTTP/1.0"
            guard isKnown, parts.count > 1, parts[1].utf8.count == 3, parts[1].utf8.allSatisfy(ByteSet.digits.contains),
                let status = Int(parts[1]), status >= 100
            else { throw .curl(.badServerResponse, "the response has an invalid status line") }
            isHTTP1 = !claimsHTTP2 || !canBeHTTP2 || parts.count < 3 || !parts[2].isEmpty
            self.status = status
        }

        /// The fields whose values a client sends back (RFC 6265, section 5.4, and RFC 9110, section 13.1).
        private static let returnedNames: Set = ["set-cookie", "etag"]

        private mutating func takeField(_ line: Substring, isUTF8: Bool) throws(URLError) {
            let text = { (text: Substring, name: String) in
                let text = String(text.withoutOuterBlanks)
                return Self.returnedNames.contains(name) ? FieldBytes.reversible(text, isUTF8: isUTF8) : text
            }
            if let first = line.utf8.first, first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
                // A line that continues the value before it (RFC 9112, section 5.2).
                let rest = " " + text(line, lastName ?? "")
                if let lastName { fields[lastName]?.value += rest }
                if lastName == "set-cookie", let last = cookies.popLast() { cookies.append(last + rest) }
                return
            }
            guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return }
            try countField()
            let name = String(Substring(line.utf8[..<colon]).withoutOuterBlanks)
            lastName = nil
            // A line without a valid name is not a field, and is dropped.
            guard HeaderFieldRules.isToken(name) else { return }
            let key = name.lowercased()
            let value = text(Substring(line.utf8[colon...].dropFirst()), key)
            // RFC 9113, sections 8.2 and 8.2.2.
            if key != name || key == "connection" || key == "transfer-encoding" { isHTTP1 = true }
            lastName = key
            // From libcurl 8.23 on, it refuses them itself.
            if key == "location", let first = fields[key]?.value, first != value {
                throw .curl(.badServerResponse, "the response has several Location fields that differ")
            }
            // Joined cookies cannot be separated again (RFC 9110, section 5.3).
            if key == "set-cookie" { cookies.append(value) }
            if fields[key] != nil { fields[key]?.value += ", " + value } else { fields[key] = (name, value) }
        }

        private mutating func countField() throws(URLError) {
            fieldCount += 1
            guard fieldCount <= Self.maximumFieldCount else {
                throw .curl(.dataLengthExceedsMaximum, "the header of the response has more than 5,000 fields")
            }
        }

        private mutating func end(of url: URL, _ version: String) throws(URLError) -> Step {
            guard let status else { throw .curl(.badServerResponse, "the response has an invalid status line") }
            if let text = fields["content-length"]?.value {
                let length = "\(try Self.length(text))"
                if length != text { fields["content-length"]?.value = length }
            }
            let (lines, cookies) = (fields, cookies)
            let isHTTP2 = version == "HTTP/2"
            if isHTTP2 || claimsHTTP2, isHTTP1 || !isHTTP2 {
                throw .curl(.badServerResponse, "a response of HTTP/1.1 claims to be HTTP/2")
            }
            try Self.checkTransferCoding(lines["transfer-encoding"]?.value)
            let isAmbiguous = lines["content-length"] != nil && lines["transfer-encoding"] != nil
            (fields, self.cookies, lastName, self.status) = ([:], [], nil, nil)
            guard status >= 200 || status == 101 else { return .informational(status: status) }
            isComplete = true
            let response = CookieResponse.make(
                url: url,
                statusCode: status,
                httpVersion: version,
                headerFields: lines.values.reduce(into: [:]) { $0[$1.name] = $1.value },
                cookies: cookies
            )
            guard let response else { throw .curl(.badServerResponse, "the header of the response cannot be read") }
            return .response(response, isHTTP2 ? .shared : isAmbiguous ? .closed : .single)
        }

        /// Refuses transfer codings other than `chunked`, as no request offers one (RFC 9112, section 7.4). libcurl 7.88 would decode
        /// a body at once, however large it becomes.
        private static func checkTransferCoding(_ field: String?) throws(URLError) {
            let codings = field?.lowercased().split(separator: ",").map(\.withoutOuterBlanks) ?? []
            guard codings.allSatisfy({ ["chunked", "identity", ""].contains($0) }) else {
                throw .curl(.badServerResponse, "the response has a transfer coding other than chunked")
            }
        }

        static let tooLarge = URLError.curl(
            .dataLengthExceedsMaximum,
            "the header of the response has more than 300 KB, or a line of more than 100 KB"
        )

        /// The length of the body, sent once or several times (RFC 9110, section 8.6).
        ///
        /// - Throws: An error if it is not a number of at most 63 bits, or if several differ: the end of the body is unknown
        ///   (RFC 9112, section 6.3).
        private static func length(_ field: String) throws(URLError) -> Int {
            let lengths = field.split(separator: ",", omittingEmptySubsequences: false).map { text in
                let digits = text.withoutOuterBlanks
                return digits.utf8.allSatisfy(ByteSet.digits.contains) ? Int(digits) : nil
            }
            guard let first = lengths.first, let length = first, lengths.allSatisfy({ $0 == length }) else {
                throw .curl(.badServerResponse, "the response has an invalid or contradicting Content-Length")
            }
            return length
        }
    }
#endif
