internal import Foundation

/// Writes JSON (RFC 8259), the keys of objects in order.
///
/// `JSONSerialization` on Linux looks at each value twice, and again to sort, and bridges it to Objective-C's classes each
/// time: for 1 KB that takes about as long as the request that sends it. So the common values are written here, after one
/// look; what else may be a value, and how it is written, is still Foundation's to say.
struct JSONWriter {
    private var bytes: [UInt8] = []

    /// What was written so far.
    var data: Data { Data(bytes) }

    /// Writes a value.
    ///
    /// - Parameters:
    ///   - value: What `JSONSerialization` takes, or a fragment of it.
    ///   - depth: How deep in others it lies.
    /// - Returns: Whether JSON can hold the value, and it is nested at most ``JSONBytes/maximumDepth`` levels deep.
    mutating func write(_ value: Any, depth: Int = 0) -> Bool {
        guard depth <= JSONBytes.maximumDepth else { return false }
        // By type: an NSNumber can be cast to any of these.
        let type = type(of: value)
        if type == String.self, let text = value as? String { return write(text) }
        if type == Int.self, let number = value as? Int { return append("\(number)") }
        if type == Bool.self, let flag = value as? Bool { return append(flag ? "true" : "false") }
        if type == Double.self, let number = value as? Double { return write(number) }
        if type == NSNull.self { return append("null") }
        if let dictionary = value as? [String: Any] { return write(dictionary, depth: depth) }
        if let array = value as? [Any] { return write(array, depth: depth) }
        return writeByFoundation(value)
    }

    private mutating func write(_ dictionary: [String: Any], depth: Int) -> Bool {
        var separator = "{"
        for (key, value) in dictionary.sorted(by: { $0.key < $1.key }) {
            guard append(separator), write(key), append(":"), write(value, depth: depth + 1) else { return false }
            separator = ","
        }
        return append(dictionary.isEmpty ? "{}" : "}")
    }

    private mutating func write(_ array: [Any], depth: Int) -> Bool {
        var separator = "["
        for value in array {
            guard append(separator), write(value, depth: depth + 1) else { return false }
            separator = ","
        }
        return append(array.isEmpty ? "[]" : "]")
    }

    private mutating func write(_ text: String) -> Bool {
        let needsEscapes = text.utf8.contains { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
        guard needsEscapes else { return append("\"") && append(text) && append("\"") }
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 { writeEscaping(byte) }
        bytes.append(UInt8(ascii: "\""))
        return true
    }

    /// RFC 8259, section 7.
    private mutating func writeEscaping(_ byte: UInt8) {
        switch byte {
        case 0x08: bytes += "\\b".utf8
        case 0x09: bytes += "\\t".utf8
        case 0x0A: bytes += "\\n".utf8
        case 0x0C: bytes += "\\f".utf8
        case 0x0D: bytes += "\\r".utf8
        case 0..<0x10: bytes += "\\u000\(String(byte, radix: 16))".utf8
        case 0x10..<0x20: bytes += "\\u00\(String(byte, radix: 16))".utf8
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
        default: bytes.append(byte)
        }
    }

    private mutating func write(_ number: Double) -> Bool {
        guard number.isFinite else { return false }
        let text = number.description
        return append(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }

    /// Writes an array with the value, without its brackets: by itself not every value is taken.
    private mutating func writeByFoundation(_ value: Any) -> Bool {
        guard
            JSONSerialization.isValidJSONObject([value]),
            let data = try? JSONSerialization.data(withJSONObject: [value], options: .withoutEscapingSlashes)
        else { return false }
        bytes += data.dropFirst().dropLast()
        return true
    }

    private mutating func append(_ text: String) -> Bool {
        bytes += text.utf8
        return true
    }
}
