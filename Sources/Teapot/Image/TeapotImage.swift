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
