public import Foundation

#if canImport(UIKit)
    public import UIKit
#endif

extension Teapot {
    /// A `multipart/form-data` body (RFC 7578) with one file, in a part named `file`.
    ///
    /// Send it with the header field `Content-Type: multipart/form-data; boundary=` and the same boundary. For more fields
    /// or files, and to have boundary and header field made for you, see ``MultipartFormData``.
    ///
    /// - Parameters:
    ///   - data: The bytes of the file. Its content type is told from its first bytes if it is an image.
    ///   - boundary: Text that does not stand in the data: 1 to 70 characters of RFC 2046, section 5.1.1.
    ///   - filename: The file's name. Quotation marks and line breaks are escaped as the WHATWG form encoding says.
    /// - Returns: The body.
    public func multipartData(from data: Data, boundary: String, filename: String) -> Data {
        var form = MultipartFormData(boundary: boundary)
        form.append(data, name: "file", filename: filename)
        // What is in memory can always be encoded.
        return (try? form.encoded()) ?? Data()
    }

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
