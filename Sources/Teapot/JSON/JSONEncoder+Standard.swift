import Foundation

extension JSONEncoder {
    /// Encodes as ``JSONWriter`` does.
    static var standard: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}
