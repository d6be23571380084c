@_exported import Foundation

// It is Sendable, as in UIKit.
open class UIImage: NSObject, @unchecked Sendable {
    public init?(data: Data) { nil }
    open var size: CGSize { .zero }
    open var scale: CGFloat { 1 }
    open func pngData() -> Data? { nil }
}
