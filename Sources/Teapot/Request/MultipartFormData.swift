public import Foundation

#if canImport(UIKit)
    public import UIKit
#elseif canImport(AppKit)
    public import AppKit
#endif

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
    /// The separator of the parts. In the data it must not follow `--` at the beginning of a line, where a server would
    /// end the part; that is not checked. A random boundary never does: it has 128 random bits.
    public let boundary: String
    private(set) var parts: [Part] = []

    /// Makes an empty form. The boundary is random by default. One of your own, for example in tests that check each
    /// byte, does not occur in the data, and has 1 to 70 letters, digits, `'()+_,-./:=?` and spaces, but no space at
    /// its end (RFC 2046, section 5.1.1), which is checked when the form is encoded.
    public init(boundary: String? = nil) { self.boundary = boundary ?? "Teapot-\(String.randomToken())" }

    /// The value of `Content-Type`, with the boundary, in quotation marks where RFC 2045, section 5.1, requires them.
    public var contentType: String {
        "multipart/form-data; boundary=" + (HeaderFieldRules.isToken(boundary) ? boundary : "\"\(boundary)\"")
    }

    /// Appends a field with text, which is sent as UTF-8, unchanged and without a content type.
    public mutating func append(_ value: String, name: String) {
        parts.append(Part(name: name, content: .data(Data(value.utf8))))
    }

    /// Appends a file from memory, sent unchanged; with `nil` as its filename, a part that is a value, such as JSON.
    /// The default content type is that of an image if the data begins like one, or else `application/octet-stream`.
    public mutating func append(_ data: Data, name: String, filename: String?, contentType: String? = nil) {
        let contentType = contentType ?? Part.mediaType(of: data)
        parts.append(Part(name: name, filename: filename, contentType: contentType, content: .data(data)))
    }

    /// Appends a file from disk, which is read when the form is encoded. The filename is the last path component of the URL if
    /// `nil`. Otherwise the same as with data.
    public mutating func append(file: URL, name: String, filename: String? = nil, contentType: String? = nil) {
        let filename = filename ?? file.lastPathComponent
        parts.append(Part(name: name, filename: filename, contentType: contentType, content: .file(file)))
    }

    struct Part: Sendable {
        enum Content: Sendable {
            case data(Data)
            case file(URL)
        }

        let name: String
        var filename: String?
        /// `nil` for a field, and for a file to derive it from the first bytes.
        var contentType: String?
        let content: Content

        /// The header fields and the empty line after them, in lines that end in CR LF.
        func head(_ contentType: String?) -> String {
            var head = "Content-Disposition: form-data; name=\"" + Self.escape(name) + "\""
            if let filename { head += "; filename=\"" + Self.escape(filename, isFilename: true) + "\"" }
            if let contentType { head += "\r\nContent-Type: " + contentType }
            return head + "\r\n\r\n"
        }

        static func mediaType(of beginning: Data) -> String {
            Teapot.ImageFormat(signatureOf: beginning)?.mediaType ?? "application/octet-stream"
        }

        /// Escapes a name or a filename, and completes a CR or LF of a name to CR LF
        /// (https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data). A NUL is escaped, too,
        /// because it ends a name on some servers, and a backslash, which most take for the escape of a quoted string.
        fileprivate static func escape(_ text: String, isFilename: Bool = false) -> String {
            var escaped: [UInt8] = []
            var isAfterReturn = false
            for byte in text.utf8 {
                let isFeed = byte == UInt8(ascii: "\n")
                if !isFilename, isFeed != isAfterReturn { escaped += isFeed ? "%0D".utf8 : "%0A".utf8 }
                isAfterReturn = byte == UInt8(ascii: "\r")
                switch byte {
                case UInt8(ascii: "\""): escaped += "%22".utf8
                case UInt8(ascii: "\r"): escaped += "%0D".utf8
                case UInt8(ascii: "\n"): escaped += "%0A".utf8
                case 0: escaped += "%00".utf8
                case UInt8(ascii: "\\"): escaped += "\\\\".utf8
                default: escaped.append(byte)
                }
            }
            if isAfterReturn, !isFilename { escaped += "%0A".utf8 }
            return String(decoding: escaped, as: UTF8.self)
        }
    }

    /// Encodes the form in memory, files included, to bytes that are sent with ``contentType``.
    ///
    /// - Throws: `invalidPayload` for an invalid boundary, or if a part's content type contains a line break or a NUL;
    ///   `fileError` for a file that is missing, unreadable or not a regular file, or that becomes shorter meanwhile.
    public func data() throws(TeapotError) -> Data {
        try check()
        return try encoded()
    }

    /// Encodes the form as the body of a request, with ``contentType``.
    ///
    /// Without files from disk the body is in memory. Otherwise the whole form is written to a temporary file, which is
    /// removed with the body and the calls that send it, so that memory use does not depend on its size: a body from an
    /// `InputStream` would block every session of FoundationNetworking. Files are read on the calling thread, before
    /// this method returns. A file that grows meanwhile is sent to its new end.
    ///
    /// - Throws: The errors of ``data()``, and `fileError` if the temporary file cannot be written.
    public func body() throws(TeapotError) -> Teapot.Request.Body {
        try check()
        guard parts.contains(where: { if case .file = $0.content { true } else { false } }) else {
            return try Teapot.Request.Body(encoded(), contentType: contentType)
        }
        let file = try TemporaryFile()
        _ = try encoded(into: (file.url, file.open()))
        return Teapot.Request.Body(.file(file.url, file), contentType: contentType)
    }

    /// The form in memory, or nothing after it was written to a file; nothing is checked. Throws for files only.
    func encoded(into target: (url: URL, handle: FileHandle)? = nil) throws(TeapotError) -> Data {
        var output = Data()
        @inline(never) func add(_ piece: Data) throws(TeapotError) {
            guard let target else { return output.append(piece) }
            try TeapotError.naming(target.url) { try target.handle.write(contentsOf: piece) }
        }
        @inline(never) func add(_ text: String) throws(TeapotError) { try add(Data(text.utf8)) }
        for part in parts {
            try add("--" + boundary + "\r\n")
            switch part.content {
            case .data(let data):
                try add(part.head(part.contentType))
                try add(data)
            case .file(let url):
                var file = try RegularFile(reading: url)
                var piece = try file.nextPiece()
                try add(part.head(part.contentType ?? Part.mediaType(of: piece)))
                while !piece.isEmpty {
                    try add(piece)
                    piece = try file.nextPiece()
                }
            }
            try add("\r\n")
        }
        try add("--" + boundary + "--\r\n")
        return output
    }

    /// Checks what can be checked before the first byte is written.
    private func check() throws(TeapotError) {
        if let flaw = flawOfBoundary { throw .invalidPayload(reason: "the boundary \(flaw)") }
        for part in parts {
            if let contentType = part.contentType, !HeaderFieldRules.isValue(contentType) {
                let name = Part.escape(part.name).onOneLine
                throw .invalidPayload(reason: "the content type of the part \"\(name)\" contains a line break or a NUL")
            }
            if case .file(let url) = part.content { _ = try RegularFile.version(of: url) }
        }
    }

    /// The error in the boundary (RFC 2046, section 5.1.1), if any.
    private var flawOfBoundary: String? {
        if boundary.isEmpty { return "is empty" }
        if boundary.utf8.count > 70 { return "has more than 70 characters" }
        if !Self.boundaryBytes.contains(allOf: boundary) { return "contains a character that a boundary must not have" }
        return boundary.hasSuffix(" ") ? "ends in a space" : nil
    }

    private static let boundaryBytes = ByteSet(ByteSet.alphanumerics + "'()+_,-./:=? ")
}

extension Teapot {
    /// Makes a `multipart/form-data` body (RFC 7578) with one file. Its first bytes tell the content type of an image.
    ///
    /// Send it with the header field `Content-Type: multipart/form-data; boundary=` and the same boundary: text that
    /// does not occur in the data, 1 to 70 characters of RFC 2046, section 5.1.1. The `filename`, and the `name` of the
    /// form's part, are escaped as by ``MultipartFormData``, which supports more fields and files, and makes the boundary
    /// and header field for you.
    public func multipartData(from data: Data, boundary: String, filename: String, name: String = "image") -> Data {
        var form = MultipartFormData(boundary: boundary)
        form.append(data, name: name, filename: filename)
        // Data in memory can always be encoded.
        return (try? form.encoded()) ?? Data()
    }

    /// Makes the body of a form with one image, encoded as PNG; on Linux, its bytes unchanged. Otherwise the same as with data.
    public func multipartData(from image: TeapotImage, boundary: String, filename: String, name: String = "image")
        -> Data
    {
        #if canImport(UIKit)
            let data = image.pngData()
        #elseif canImport(AppKit)
            let bitmap = image.tiffRepresentation.flatMap { NSBitmapImageRep(data: $0) }
            let data = bitmap?.representation(using: .png, properties: [:])
        #else
            let data: Data? = image.data
        #endif
        return data.map { multipartData(from: $0, boundary: boundary, filename: filename, name: name) } ?? Data()
    }
}
