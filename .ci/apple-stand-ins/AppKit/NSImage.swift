@_exported import Foundation

// It is not Sendable, as in AppKit before macOS 14.
open class NSImage: NSObject {
    public init?(data: Data) { nil }
    open var tiffRepresentation: Data? { nil }
    open var representations: [NSImageRep] { [] }
}

open class NSImageRep: NSObject {
    open var pixelsWide: Int { 0 }
    open var pixelsHigh: Int { 0 }
}

open class NSBitmapImageRep: NSImageRep {
    public enum FileType: UInt {
        case png = 4
    }
    public struct PropertyKey: Hashable, Sendable {}

    public init?(data: Data) { nil }
    open func representation(using type: FileType, properties: [PropertyKey: Any]) -> Data? { nil }
}
