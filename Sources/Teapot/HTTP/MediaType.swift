/// A media type from a `Content-Type` (RFC 9110, section 8.3.1).
package struct MediaType {
    /// Type and subtype in lowercase, such as `text/html`.
    package let name: String
    /// The `charset` parameter in lowercase.
    let charset: String?

    package init(_ contentType: String) {
        var scanner = FieldScanner(contentType)
        scanner.skip(FieldScanner.blanks)
        name = scanner.text(before: ByteSet(" \t;,")).lowercased()
        charset = scanner.parameters().first { $0.name == "charset" }?.value.lowercased()
    }
}
