import Teapot

#if canImport(UIKit)
    import UIKit
#elseif canImport(AppKit)
    import AppKit
#endif

extension TeapotImage {
    /// The width and height in pixels, as text.
    var sizeText: String {
        #if canImport(UIKit)
            let (width, height) = (Int(size.width * scale), Int(size.height * scale))
        #elseif canImport(AppKit)
            let (width, height) = (representations.first?.pixelsWide ?? 0, representations.first?.pixelsHigh ?? 0)
        #else
            let (width, height) = (pixelWidth, pixelHeight)
        #endif
        return "\(width) × \(height) pixels"
    }
}
