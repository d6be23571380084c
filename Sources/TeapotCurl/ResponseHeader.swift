#if os(Linux)
    internal import Teapot

    /// The header of a response, parsed line by line.
    struct ResponseHeader {
        /// The result of a line.
        enum Step {
            /// There is more to come, or the line is a trailer field, which is not part of the header (RFC 9110, section 6.5).
            case more
            /// The end of an informational response, after which another one comes (RFC 9110, section 15.2).
            case informational
            /// The response, and whether its connection can be shared.
            case response(HTTPURLResponse, isMultiplexed: Bool)
        }

        /// In bytes.
        static let maximumLineLength = 100_000
        /// In bytes, names and values.
        static let maximumLength = 4_000_000
        static let maximumFieldCount = 50_000

        private var isAtStatusLine = true
        private var isComplete = false
        private var length = 0
        private var fieldCount = 0
        /// By name in lower case.
        private var fields: [String: (name: String, value: String)] = [:]
        private var lastName: String?
        /// The values of `Set-Cookie`.
        private var cookies: [String] = []

        /// Takes the next line.
        ///
        /// - Parameters:
        ///   - line: The line, with or without its ending.
        ///   - url: The URL of the request.
        ///   - statusLine: The status line as parsed by libcurl.
        /// - Returns: The result of the line.
        /// - Throws: An error if header and trailers exceed the limits.
        mutating func take(
            _ line: String,
            of url: URL,
            _ statusLine: () -> (status: Int, version: String)
        ) throws(URLError) -> Step {
            length += line.utf8.count
            guard line.utf8.count <= Self.maximumLineLength, length <= Self.maximumLength else {
                throw .curl(.dataLengthExceedsMaximum, "the header of the response is too large")
            }
            guard !isComplete else {
                try countField()
                return .more
            }
            // An LF alone ends a line, too (RFC 9112, section 2.2).
            let text = line.utf8.dropLast(line.utf8.last == UInt8(ascii: "\n") ? 1 : 0)
            let content = Substring(text).utf8.dropLast(text.last == UInt8(ascii: "\r") ? 1 : 0)
            guard !content.isEmpty else { return try end(of: url, statusLine()) }
            guard !isAtStatusLine else {
                isAtStatusLine = false
                return .more
            }
            try takeField(Substring(content))
            return .more
        }

        private mutating func takeField(_ line: Substring) throws(URLError) {
            if let first = line.utf8.first, first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
                // A line that continues the value before it (RFC 9112, section 5.2).
                let rest = " " + line.withoutOuterBlanks
                if let lastName { fields[lastName]?.value += rest }
                if lastName == "set-cookie", let last = cookies.popLast() { cookies.append(last + rest) }
                return
            }
            guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return }
            try countField()
            let name = String(Substring(line.utf8[..<colon]).withoutOuterBlanks)
            let value = String(Substring(line.utf8[colon...].dropFirst()).withoutOuterBlanks)
            lastName = nil
            // A line without a valid name is not a field, and is dropped.
            guard HeaderFieldRules.isToken(name) else { return }
            let key = name.lowercased()
            lastName = key
            // Joined cookies cannot be separated again (RFC 9110, section 5.3).
            if key == "set-cookie" { cookies.append(value) }
            if fields[key] != nil { fields[key]?.value += ", " + value } else { fields[key] = (name, value) }
        }

        private mutating func countField() throws(URLError) {
            fieldCount += 1
            guard fieldCount <= Self.maximumFieldCount else {
                throw .curl(.dataLengthExceedsMaximum, "the response has more than \(Self.maximumFieldCount) fields")
            }
        }

        private mutating func end(of url: URL, _ statusLine: (status: Int, version: String)) throws(URLError) -> Step {
            let fields = fields.values.reduce(into: [:]) { $0[$1.name] = $1.value }
            let cookies = cookies
            (self.fields, self.cookies, lastName, isAtStatusLine) = ([:], [], nil, true)
            guard statusLine.status >= 200 || statusLine.status == 101 else { return .informational }
            isComplete = true
            let response = CookieResponse.make(
                url: url,
                statusCode: statusLine.status,
                httpVersion: statusLine.version,
                headerFields: fields,
                cookies: cookies
            )
            guard let response else { throw .curl(.badServerResponse, "the header of the response cannot be read") }
            return .response(response, isMultiplexed: statusLine.version == "HTTP/2")
        }

    }
#endif
