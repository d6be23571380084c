#if canImport(UIKit)
    public import UIKit

    /// The image type of the platform.
    public typealias TeapotImage = UIImage
#elseif canImport(AppKit)
    public import AppKit

    /// The image type of the platform.
    public typealias TeapotImage = NSImage
#else
    public import Foundation

    /// A downloaded image: its bytes and their format. It replaces the platform's image type where there is none.
    ///
    /// It is recognized by its first bytes and not decoded, so the rest may be damaged.
    public struct TeapotImage: Sendable, Equatable {
        /// All bytes of the image.
        public let data: Data
        /// The format according to the first bytes, as a media type such as `image/png`.
        public let mediaType: String

        /// Recognizes a PNG, JPEG, GIF, WebP, BMP or TIFF file by its first bytes; nil for any other data.
        public init?(data: Data) {
            guard let format = Teapot.ImageFormat(signatureOf: data) else { return nil }
            self.data = data
            mediaType = format.mediaType
        }
    }
#endif

extension TeapotImage {
    /// The image that a body contains, or nil. Only this file imports UIKit or AppKit and can call the initializer of their image.
    static func make(from body: Data) -> TeapotImage? { TeapotImage(data: body) }
}

extension Teapot {
    /// An image file format that Teapot recognizes by the first bytes of the data.
    package enum ImageFormat: String {
        case png, jpeg, gif, webp, bmp, tiff

        /// The media type, from the IANA registry: a GIF's is RFC 2046, a WebP's RFC 9649, a BMP's RFC 7903.
        package var mediaType: String { "image/\(rawValue)" }

        /// Recognizes a format by the signature at the start of a file or a body. The rest may be damaged or missing.
        package init?(signatureOf data: Data) {
            let start = Array(data.prefix(18))
            func has(_ text: StaticString, at offset: Int = 0) -> Bool {
                let count = text.utf8CodeUnitCount
                return offset + count <= start.count && memcmp(Array(start[offset...]), text.utf8Start, count) == 0
            }
            switch true {
            case start.first == 0x89 && has("PNG\r\n\u{1A}\n", at: 1): self = .png
            case start.prefix(3) == [0xFF, 0xD8, 0xFF]: self = .jpeg
            case has("GIF87a"), has("GIF89a"): self = .gif
            case has("RIFF") && has("WEBP", at: 8): self = .webp
            case has("II*\0"), has("MM\0*"): self = .tiff
            // "BM" alone is the beginning of many texts. Bitmap headers have only these lengths, in little-endian order. The zeros
            // at 15 need all 18 bytes.
            case has("BM") && has("\0\0\0", at: 15) && (start[14] == 12 || (16...124).contains(start[14])): self = .bmp
            default: return nil
            }
        }
    }
}
