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

    /// An image as it was downloaded: its bytes, and what their header says about them.
    ///
    /// It stands in for the platform's image type where there is none. It is recognised by its header and not decoded, so
    /// the pixels behind the header may still be damaged.
    public struct TeapotImage: Sendable, Hashable {
        /// The file format of an image.
        public typealias Format = ImageFormat

        /// The bytes the image was made from, all of them.
        public let data: Data
        /// The format that the header names.
        public let format: Format
        /// The width in pixels, 1 or more.
        public let pixelWidth: Int
        /// The height in pixels, 1 or more.
        public let pixelHeight: Int

        /// Recognises an image by its header.
        ///
        /// - Parameter data: A PNG, JPEG, GIF, WebP, BMP or TIFF file. Nil comes back for any other data, and for a
        ///   header that is cut off or names a size of zero.
        public init?(data: Data) {
            guard let header = ImageHeader(data) else { return nil }

            self.data = data
            format = header.format
            pixelWidth = header.pixelWidth
            pixelHeight = header.pixelHeight
        }
    }
#endif
