public import Foundation

#if canImport(UIKit)
    public import UIKit
#endif

extension Teapot {
    /// A `multipart/form-data` body (RFC 7578) with one file, in a part named `file`.
    ///
    /// Send it with the header field `Content-Type: multipart/form-data; boundary=` and the same boundary.
    ///
    /// - Parameters:
    ///   - data: The bytes of the file. Its content type is told from its first bytes if it is an image.
    ///   - boundary: Text that does not stand in the data: 1 to 70 characters of RFC 2046, section 5.1.1.
    ///   - filename: The file's name. Quotation marks and line breaks are escaped as the WHATWG form encoding says.
    /// - Returns: The body.
    public func multipartData(from data: Data, boundary: String, filename: String) -> Data {
        // By scalars: CR LF is one `Character`, and so is a quotation mark with a combining character behind it.
        let name = filename.unicodeScalars.map { Self.escapes[$0] ?? String($0) }.joined()
        let contentType = ImageFormat(signatureOf: data)?.mediaType ?? "application/octet-stream"
        let head =
            "--\(boundary)\r\n"
            + "Content-Disposition: form-data; name=\"file\"; filename=\"\(name)\"\r\n"
            + "Content-Type: \(contentType)\r\n\r\n"
        return Data(head.utf8) + data + Data("\r\n--\(boundary)--\r\n".utf8)
    }

    private static let escapes: [Unicode.Scalar: String] = ["\"": "%22", "\r": "%0D", "\n": "%0A"]

    #if canImport(UIKit)
        /// A `multipart/form-data` body with one image, as PNG; empty when the image has no bitmap.
        ///
        /// - Parameters:
        ///   - image: The image.
        ///   - boundary: Text that does not stand in the data.
        ///   - filename: The file's name.
        /// - Returns: The body.
        public func multipartData(from image: UIImage, boundary: String, filename: String) -> Data {
            image.pngData().map { multipartData(from: $0, boundary: boundary, filename: filename) } ?? Data()
        }
    #endif
}
