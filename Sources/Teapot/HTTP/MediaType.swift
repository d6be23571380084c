import Foundation

/// A media type from a `Content-Type` (RFC 9110, section 8.3.1).
package struct MediaType {
    /// Type and subtype in lowercase, such as `text/html`.
    package let name: String
    let charset: String?

    package init(_ contentType: String) {
        var scanner = FieldScanner(contentType)
        scanner.skip(FieldScanner.blanks)
        name = scanner.text(before: ByteSet(" \t;,")).lowercased()
        charset = scanner.parameters().first { $0.name == "charset" }?.value.lowercased()
    }

    /// The encoding of the charset, UTF-8 without one; `nil` if it is not supported.
    package var encoding: String.Encoding? { Self.encodings[charset ?? "utf-8"] }

    /// Names and aliases from IANA (https://www.iana.org/assignments/character-sets).
    private static let encodings: [String: String.Encoding] = [
        "utf-8": .utf8, "utf8": .utf8, "us-ascii": .ascii, "ascii": .ascii, "iso-8859-1": .isoLatin1,
        "latin1": .isoLatin1, "windows-1252": .windowsCP1252, "utf-16": .utf16BigEndian, "utf-16be": .utf16BigEndian,
        "utf-16le": .utf16LittleEndian,
    ]
}
