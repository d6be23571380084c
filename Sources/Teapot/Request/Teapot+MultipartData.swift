public import Foundation

#if canImport(UIKit)
    public import UIKit
#elseif canImport(AppKit)
    public import AppKit
#endif

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
