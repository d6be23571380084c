public import Foundation

#if canImport(UIKit)
    public import UIKit
#elseif canImport(AppKit)
    public import AppKit
#endif

extension Teapot {
    /// Makes a `multipart/form-data` body (RFC 7578) with one file.
    ///
    /// Send it with the header field `Content-Type: multipart/form-data; boundary=` and the same boundary. For more fields
    /// or files, and to have boundary and header field made for you, see ``MultipartFormData``.
    ///
    /// - Parameters:
    ///   - data: The bytes of the file. If it is an image, its first bytes tell its content type.
    ///   - boundary: Text that does not stand in the data: 1 to 70 characters of RFC 2046, section 5.1.1.
    ///   - filename: The file's name. Quotation marks and line breaks are escaped as the WHATWG form encoding says.
    ///   - name: The name of the form's part, escaped in the same way.
    /// - Returns: The body.
    public func multipartData(from data: Data, boundary: String, filename: String, name: String = "image") -> Data {
        var form = MultipartFormData(boundary: boundary)
        form.append(data, name: name, filename: filename)
        // What is in memory can always be encoded.
        return (try? form.encoded()) ?? Data()
    }

    /// Makes the body of a form with one image, encoded as PNG; on Linux as its bytes stand. The rest is as with data.
    public func multipartData(
        from image: TeapotImage,
        boundary: String,
        filename: String,
        name: String = "image"
    ) -> Data {
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
