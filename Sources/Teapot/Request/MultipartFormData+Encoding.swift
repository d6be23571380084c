public import Foundation

extension MultipartFormData {
    /// Encodes the form in memory, files included.
    ///
    /// - Returns: The bytes that are sent with ``contentType``.
    /// - Throws: `invalidPayload` for a boundary that is none, or a part's content type that holds a line break or a NUL;
    ///   `fileError` for a file that is missing, no regular file or not to be read, or that becomes shorter meanwhile.
    public func data() throws(TeapotError) -> Data {
        try check()
        return try encoded()
    }

    /// Encodes the form as the body of a request.
    ///
    /// Without files from disk the body is in memory. With such, the whole form is written to a temporary file, piece by
    /// piece, so that memory stays flat whatever their size; the file goes when the body and the calls that send it have.
    /// It takes that detour because FoundationNetworking streams a body from a file well, but a body from an `InputStream`
    /// holds up every session of the process.
    ///
    /// Files are read on the calling thread, before the call returns. One that grows meanwhile is sent to its new end.
    ///
    /// - Returns: The body, with ``contentType``.
    /// - Throws: What ``data()`` throws, and `fileError` when the temporary file cannot be written.
    public func body() throws(TeapotError) -> Teapot.Request.Body {
        try check()
        guard parts.contains(where: \.isOnDisk) else {
            return try Teapot.Request.Body(encoded(), contentType: contentType)
        }
        let file = try TemporaryFile()
        let handle = try file.open()
        try encode { data throws(TeapotError) in
            try TeapotError.naming(file.url) { try handle.write(contentsOf: data) }
        }
        return Teapot.Request.Body(file, contentType: contentType)
    }

    /// The form in memory, with a boundary and content types that nobody checked. Throws for files only.
    func encoded() throws(TeapotError) -> Data {
        var encoded = Data()
        try encode { encoded.append($0) }
        return encoded
    }

    private func encode(to sink: (Data) throws(TeapotError) -> Void) throws(TeapotError) {
        for part in parts {
            try sink(Data("--\(boundary)\r\n".utf8))
            switch part.content {
            case .field(let data), .data(let data):
                try sink(part.head(beginning: data))
                try sink(data)
            case .file(let url):
                var file = try RegularFile(reading: url)
                var piece = try file.nextPiece()
                try sink(part.head(beginning: piece))
                while !piece.isEmpty {
                    try sink(piece)
                    piece = try file.nextPiece()
                }
            }
            try sink(Data("\r\n".utf8))
        }
        try sink(Data("--\(boundary)--\r\n".utf8))
    }

    /// Everything that can be found wrong before the first byte is written.
    private func check() throws(TeapotError) {
        if let flaw = Self.flaw(ofBoundary: boundary) { throw .invalidPayload(reason: "the boundary \(flaw)") }
        for part in parts {
            if let contentType = part.contentType, !HeaderFieldRules.isValue(contentType) {
                throw .invalidPayload(
                    reason: "the content type of the part \"\(part.shownName)\" holds a line break or a NUL"
                )
            }
            if case .file(let url) = part.content { _ = try RegularFile.size(of: url) }
        }
    }

    /// What is wrong with a boundary (RFC 2046, section 5.1.1), if anything.
    private static func flaw(ofBoundary boundary: String) -> String? {
        let bytes = boundary.utf8
        if bytes.isEmpty { return "is empty" }
        if bytes.count > 70 { return "has more than 70 characters" }
        if !bytes.allSatisfy(boundaryBytes.contains) { return "holds a character that no boundary can have" }
        return bytes.last == UInt8(ascii: " ") ? "ends in a space" : nil
    }

    private static let boundaryBytes = ByteSet(ByteSet.alphanumerics + "'()+_,-./:=? ")
}
