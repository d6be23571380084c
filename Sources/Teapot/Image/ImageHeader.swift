internal import Foundation

/// What the first bytes of an image say about it: its format, and its size in pixels.
///
/// Nothing is decoded, and any data may be given: data that is cut off before the size, or lies about its lengths and
/// offsets, is no image.
package struct ImageHeader: Sendable, Hashable {
    /// The format that the signature names.
    package let format: ImageFormat
    /// The width in pixels, 1 or more.
    package let pixelWidth: Int
    /// The height in pixels, 1 or more.
    package let pixelHeight: Int

    /// Reads the header of an image.
    ///
    /// - Parameter data: The bytes of a file or a body. Nil comes back when they are not an image of a known format,
    ///   or when its width or height is zero or cannot be read.
    package init?(_ data: Data) {
        let bytes = ImageBytes(data)
        guard
            let format = ImageFormat(signatureOf: bytes),
            let size = Self.size(format, bytes),
            let width = Int(exactly: size.width), width > 0,
            let height = Int(exactly: size.height), height > 0
        else { return nil }

        self.format = format
        pixelWidth = width
        pixelHeight = height
    }

    private static func size(_ format: ImageFormat, _ bytes: ImageBytes) -> ImageSize? {
        switch format {
        case .png: ImageSize(png: bytes)
        case .jpeg: ImageSize(jpeg: bytes)
        case .gif: ImageSize(gif: bytes)
        case .webp: ImageSize(webp: bytes)
        case .bmp: ImageSize(bmp: bytes)
        case .tiff: ImageSize(tiff: bytes)
        }
    }
}
