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
/// Parts keep their order, and names may come more than once. Names and filenames are sent as UTF-8; quotation marks and
/// line breaks in them are escaped as the WHATWG form encoding says, `%22`, `%0D` and `%0A`, and NULs in the same way.
/// Unlike a browser, Teapot leaves the kind of line breaks alone, in names and in values.
public struct MultipartFormData: Sendable {
    /// What separates the parts.
    ///
    /// It must not stand in the data, at the beginning of a line and behind `--`: a server would cut the part off there. That
    /// is not checked. A random boundary has 122 random bits, so that it never does.
    public let boundary: String
    private(set) var parts: [Part] = []

    /// Makes an empty form with a random boundary.
    public init() {
        self.init(boundary: "Teapot-\(UUID().uuidString)")
    }

    /// Makes an empty form with a boundary of your own, say in tests, to know each byte.
    ///
    /// - Parameter boundary: Text that does not stand in the data: 1 to 70 letters, digits and `'()+_,-./:=?` or spaces, not
    ///   ending in a space (RFC 2046, section 5.1.1). It is checked when the form is encoded.
    public init(boundary: String) {
        self.boundary = boundary
    }

    /// What goes out as `Content-Type`, with the boundary, in quotation marks where RFC 2045, section 5.1, wants them.
    public var contentType: String {
        "multipart/form-data; boundary=" + (HeaderFieldRules.isToken(boundary) ? boundary : "\"\(boundary)\"")
    }

    /// Appends a field.
    ///
    /// - Parameters:
    ///   - value: Its text, sent as UTF-8 as it stands, without a content type.
    ///   - name: The name of the field.
    public mutating func append(_ value: String, name: String) {
        parts.append(Part(name: name, content: .field(Data(value.utf8))))
    }

    /// Appends a file from memory.
    ///
    /// - Parameters:
    ///   - data: The bytes of the file, sent as they stand.
    ///   - name: The name of the field.
    ///   - filename: The name of the file; `nil` for a part that is a value and not a file, such as JSON.
    ///   - contentType: The media type; when `nil`, that of an image if the data begin like one, and
    ///     `application/octet-stream` otherwise.
    public mutating func append(_ data: Data, name: String, filename: String?, contentType: String? = nil) {
        parts.append(Part(name: name, filename: filename, contentType: contentType, content: .data(data)))
    }

    /// Appends a file from disk. It is read when the form is encoded, and not looked at before.
    ///
    /// - Parameters:
    ///   - file: A regular file.
    ///   - name: The name of the field.
    ///   - filename: The name of the file for the server; when `nil`, the last path component.
    ///   - contentType: The media type; when `nil`, that of an image if the file begins like one, and
    ///     `application/octet-stream` otherwise.
    public mutating func append(file: URL, name: String, filename: String? = nil, contentType: String? = nil) {
        let filename = filename ?? file.lastPathComponent
        parts.append(Part(name: name, filename: filename, contentType: contentType, content: .file(file)))
    }
}
