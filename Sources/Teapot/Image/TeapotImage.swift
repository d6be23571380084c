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

    /// A downloaded image: its bytes, and the information from their header.
    ///
    /// It replaces the platform's image type where there is none. It is recognized by its header and not decoded, so the pixels
    /// after the header may be damaged.
    public struct TeapotImage: Sendable, Hashable {
        /// All bytes of the image.
        public let data: Data
        /// The format according to the header.
        public let format: ImageFormat
        /// The width in pixels, 1 or more.
        public let pixelWidth: Int
        /// The height in pixels, 1 or more.
        public let pixelHeight: Int

        /// Recognizes an image by its header.
        ///
        /// - Parameter data: A PNG, JPEG, GIF, WebP, BMP or TIFF file. The result is nil for any other data, and for a header
        ///   that is cut off or states a size of zero.
        public init?(data: Data) {
            guard let header = ImageHeader(data) else { return nil }

            self.data = data
            format = header.format
            pixelWidth = header.pixelWidth
            pixelHeight = header.pixelHeight
        }
    }
#endif

extension TeapotImage {
    /// The image that a body contains, or nil.
    ///
    /// Only a file that imports UIKit or AppKit can call the initializer of their image. Other files call this.
    static func make(from body: Data) -> TeapotImage? {
        TeapotImage(data: body)
    }
}
