public import Foundation

/// A form with fields and files, encoded as `multipart/form-data` (RFC 7578).
///
/// ```swift
/// var form = MultipartFormData()
/// form.append("Jane", name: "author")
/// form.append(file: photo, name: "photo")
/// let request = try Teapot.Request(.post, path: "photos", body: form.body())
/// ```
///
/// Parts keep their order, and names can repeat. Quotation marks and line breaks in names and filenames are escaped by the WHATWG
/// form encoding, and NULs in the same way; every line break in a name is sent as CR LF. Unlike a browser, Teapot does not change
/// the line breaks in values, and sends a backslash as two (RFC 2183), as most servers lose a single one.
public struct MultipartFormData: Sendable {
    /// The separator of the parts.
    ///
    /// It must not occur in the data after `--` at the beginning of a line: a server would end the part there. That is not
    /// checked. A random boundary has 128 random bits, so that it never does.
    public let boundary: String
    private(set) var parts: [Part] = []

    /// Makes an empty form.
    ///
    /// - Parameter boundary: The separator, for example in tests that check each byte; random if `nil`. Text that does not occur in
    ///   the data: 1 to 70 letters, digits and `'()+_,-./:=?` or spaces, not ending in a space (RFC 2046, section 5.1.1). It is
    ///   checked when the form is encoded.
    public init(boundary: String? = nil) { self.boundary = boundary ?? "Teapot-\(String.randomToken())" }

    /// The value of `Content-Type`, with the boundary, in quotation marks where RFC 2045, section 5.1, requires them.
    public var contentType: String {
        "multipart/form-data; boundary=" + (HeaderFieldRules.isToken(boundary) ? boundary : "\"\(boundary)\"")
    }

    /// Appends a field.
    ///
    /// - Parameters:
    ///   - value: The text of the field, sent as UTF-8, unchanged and without a content type.
    ///   - name: The name of the field.
    public mutating func append(_ value: String, name: String) {
        parts.append(Part(name: name, content: .field(Data(value.utf8))))
    }

    /// Appends a file from memory.
    ///
    /// - Parameters:
    ///   - data: The bytes of the file, sent unchanged.
    ///   - name: The name of the field.
    ///   - filename: The name of the file; `nil` for a part that is a value and not a file, such as JSON.
    ///   - contentType: The media type; if `nil`, that of an image if the data begins like one, and `application/octet-stream`
    ///     otherwise.
    public mutating func append(_ data: Data, name: String, filename: String?, contentType: String? = nil) {
        parts.append(Part(name: name, filename: filename, contentType: contentType, content: .data(data)))
    }

    /// Appends a file from disk, which is read when the form is encoded. Otherwise the same as with data; the filename is the
    /// last path component if `nil`.
    public mutating func append(file: URL, name: String, filename: String? = nil, contentType: String? = nil) {
        let filename = filename ?? file.lastPathComponent
        parts.append(Part(name: name, filename: filename, contentType: contentType, content: .file(file)))
    }
}

extension MultipartFormData {
    /// A field or file.
    struct Part: Sendable {
        enum Content: Sendable {
            /// A field without a content type.
            case field(Data)
            case data(Data)
            case file(URL)
        }

        let name: String
        var filename: String?
        /// `nil` to derive it from the first bytes.
        var contentType: String?
        let content: Content

        /// The header fields and the empty line after them.
        /// - Returns: Lines that end in CR LF.
        func head(beginning: Data) -> Data {
            var head = "Content-Disposition: form-data; name=\"\(Self.escape(name))\""
            if let filename { head += "; filename=\"\(Self.escape(filename, isFilename: true))\"" }
            if let type = shownContentType(beginning) { head += "\r\nContent-Type: \(type)" }
            return Data((head + "\r\n\r\n").utf8)
        }

        var isOnDisk: Bool { if case .file = content { true } else { false } }

        /// The name for error messages, on one line.
        var shownName: String { Self.escape(name).onOneLine }

        private func shownContentType(_ beginning: Data) -> String? {
            if case .field = content { return nil }
            return contentType ?? Teapot.ImageFormat(signatureOf: beginning)?.mediaType ?? "application/octet-stream"
        }

        /// Escapes scalar by scalar: CR LF is one `Character`, and so is a quotation mark with a combining character.
        private static func escape(_ text: String, isFilename: Bool = false) -> String {
            var previous: Unicode.Scalar?
            let parts = (text.unicodeScalars.map { $0 } + [nil]).map { (scalar: Unicode.Scalar?) in
                defer { previous = scalar }
                let isLoneReturn = previous == "\r" && scalar != "\n" && !isFilename
                let isLoneFeed = scalar == "\n" && previous != "\r" && !isFilename
                let escaped = scalar.map { escapes[$0] ?? String($0) } ?? ""
                return (isLoneReturn ? "%0A" : isLoneFeed ? "%0D" : "") + escaped
            }
            return parts.joined()
        }

        /// https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data; a NUL as well, which
        /// ends a name on some servers, and a backslash, which most take for the escape of a quoted string.
        private static let escapes: [Unicode.Scalar: String] = [
            "\"": "%22", "\r": "%0D", "\n": "%0A", "\0": "%00", "\\": "\\\\",
        ]
    }
}

extension MultipartFormData {
    /// Encodes the form in memory, files included.
    ///
    /// - Returns: The bytes that are sent with ``contentType``.
    /// - Throws: `invalidPayload` for an invalid boundary, or if a part's content type contains a line break or a NUL;
    ///   `fileError` for a file that is missing, unreadable or not a regular file, or that becomes shorter meanwhile.
    public func data() throws(TeapotError) -> Data {
        try check()
        return try encoded()
    }

    /// Encodes the form as the body of a request.
    ///
    /// Without files from disk the body is in memory. Otherwise the whole form is written to a temporary file, which is removed
    /// with the body and the calls that send it. Memory use does not depend on its size then; a body from an `InputStream` would
    /// block every session of FoundationNetworking.
    /// Files are read on the calling thread, before this method returns. A file that grows meanwhile is sent to its new end.
    ///
    /// - Returns: The body, with ``contentType``.
    /// - Throws: The errors of ``data()``, and `fileError` if the temporary file cannot be written.
    public func body() throws(TeapotError) -> Teapot.Request.Body {
        try check()
        guard parts.contains(where: \.isOnDisk) else {
            return try Teapot.Request.Body(encoded(), contentType: contentType)
        }
        let file = try TemporaryFile()
        _ = try encoded(into: (file.url, file.open()))
        return Teapot.Request.Body(.file(file.url, file), contentType: contentType)
    }

    /// The form in memory, or nothing after it was written to a file; with an unchecked boundary and content types. Throws for
    /// files only.
    func encoded(into target: (url: URL, handle: FileHandle)? = nil) throws(TeapotError) -> Data {
        var encoded = Data()
        func add(_ data: Data) throws(TeapotError) {
            guard let target else { return encoded.append(data) }
            try TeapotError.naming(target.url) { try target.handle.write(contentsOf: data) }
        }
        for part in parts {
            try add(Data("--\(boundary)\r\n".utf8))
            switch part.content {
            case .field(let data), .data(let data):
                try add(part.head(beginning: data))
                try add(data)
            case .file(let url):
                var file = try RegularFile(reading: url)
                var piece = try file.nextPiece()
                try add(part.head(beginning: piece))
                while !piece.isEmpty {
                    try add(piece)
                    piece = try file.nextPiece()
                }
            }
            try add(Data("\r\n".utf8))
        }
        try add(Data("--\(boundary)--\r\n".utf8))
        return encoded
    }

    /// Checks everything that can be checked before the first byte is written.
    private func check() throws(TeapotError) {
        if let flaw = Self.flaw(ofBoundary: boundary) { throw .invalidPayload(reason: "the boundary \(flaw)") }
        for part in parts {
            if let contentType = part.contentType, !HeaderFieldRules.isValue(contentType) {
                throw .invalidPayload(
                    reason: "the content type of the part \"\(part.shownName)\" contains a line break or a NUL"
                )
            }
            if case .file(let url) = part.content { _ = try RegularFile.version(of: url) }
        }
    }

    /// The error in a boundary (RFC 2046, section 5.1.1), if any.
    private static func flaw(ofBoundary boundary: String) -> String? {
        let bytes = boundary.utf8
        if bytes.isEmpty { return "is empty" }
        if bytes.count > 70 { return "has more than 70 characters" }
        if !bytes.allSatisfy(boundaryBytes.contains) { return "contains a character that a boundary must not have" }
        return bytes.last == UInt8(ascii: " ") ? "ends in a space" : nil
    }

    private static let boundaryBytes = ByteSet(ByteSet.alphanumerics + "'()+_,-./:=? ")
}
