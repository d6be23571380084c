import Foundation

/// An image file format that Teapot recognizes by the first bytes of the data. A later version may add cases: a `switch` needs `@unknown default`.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ImageFormat: String, Sendable, Hashable, CaseIterable {
    /// Portable Network Graphics.
    case png
    /// JPEG, baseline or progressive.
    case jpeg
    /// Graphics Interchange Format.
    case gif
    /// WebP: lossy, lossless or extended.
    case webp
    /// Windows or OS/2 bitmap.
    case bmp
    /// Tag Image File Format, of either byte order.
    case tiff

    /// The media type, such as `image/png`, for a `Content-Type` header field.
    ///
    /// Source: the IANA registry of image media types. A GIF's is RFC 2046, a WebP's RFC 9649, a BMP's RFC 7903.
    public var mediaType: String {
        "image/\(rawValue)"
    }

    /// Recognizes a format by the signature at the start of the data.
    ///
    /// The signature does not show whether the image is complete; ``ImageHeader`` also reads its size.
    ///
    /// - Parameter data: The bytes of a file or a body. The result is nil if no format matches.
    package init?(signatureOf data: Data) {
        self.init(signatureOf: ImageBytes(data))
    }

    init?(signatureOf bytes: ImageBytes) {
        if bytes.matches([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], at: 0) {
            self = .png
        } else if bytes.matches([0xFF, 0xD8, 0xFF], at: 0) {
            self = .jpeg
        } else if bytes.matches("GIF87a", at: 0) || bytes.matches("GIF89a", at: 0) {
            self = .gif
        } else if bytes.matches("RIFF", at: 0), bytes.matches("WEBP", at: 8) {
            self = .webp
        } else if bytes.matches("II*\0", at: 0) || bytes.matches("MM\0*", at: 0) {
            self = .tiff
        } else if bytes.matches("BM", at: 0), let size = bytes.bitmapHeaderSize, size == 12 || (16...124).contains(size)
        {
            // "BM" alone is the beginning of many texts. Bitmap headers have only these sizes.
            self = .bmp
        } else {
            return nil
        }
    }
}
