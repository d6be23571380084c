import TeapotFoundation

/// Writes JSON (RFC 8259) with sorted keys, in one pass that also reports the place of a value that JSON cannot represent.
/// `JSONSerialization` on Linux looks at each value three times, and bridges the value to Objective-C's classes each time, which takes
/// about as long as the request for 1 KB. So common values are written here, after one look; Foundation handles all others.
package struct JSONWriter {
    /// The maximum depth of nested objects and arrays: on Linux, `JSONSerialization.isValidJSONObject` uses about 1.8
    /// KB of stack per level, so that 280 levels overflow a thread of 512 KB.
    static let maximumDepth = 128

    private enum Step { case key(String), index(Int) }
    private let isIndented: Bool
    private var bytes: [UInt8] = []
    private var path: [Step] = []

    /// Writes a value. Throws `invalidPayload`, with the place of the value that JSON cannot represent, or beyond ``maximumDepth``.
    package static func data(of value: Any, isIndented: Bool = false) throws(TeapotError) -> Data {
        var writer = JSONWriter(isIndented: isIndented)
        try writer.write(value)
        return Data(writer.bytes)
    }

    private mutating func write(_ value: Any) throws(TeapotError) {
        guard path.count <= Self.maximumDepth else {
            let reason = "the payload is nested more than \(Self.maximumDepth) levels deep"
            throw .invalidPayload(reason: reason, isJSON: true)
        }
        if writeLeaf(value) { return }
        if let dictionary = value as? [String: Any] { return try write(dictionary) }
        if let array = value as? [Any] { return try write(array) }
        try writeByFoundation(value)
    }

    /// Writes the common values without children; separate, so that each level uses little of the stack.
    private mutating func writeLeaf(_ value: Any) -> Bool {
        // By type: an NSNumber can be cast to any of these.
        let type = type(of: value)
        if type == String.self, let text = value as? String {
            write(text)
        } else if type == Int.self, let number = value as? Int {
            append(number.description)
        } else if type == Bool.self, let flag = value as? Bool {
            append(flag ? "true" : "false")
        } else if type == Double.self, let number = value as? Double, number.isFinite {
            append(Self.text(of: number))
        } else if type == NSNull.self {
            append("null")
        } else if type == NSNumber.self, let number = value as? NSNumber, let text = Self.text(of: number) {
            append(text)
        } else {
            return false
        }
        return true
    }

    private mutating func write(_ dictionary: [String: Any]) throws(TeapotError) {
        var separator = "{"
        for (key, value) in dictionary.sortedByKey { try write(value, at: .key(key), after: &separator) }
        end("}", isEmpty: dictionary.isEmpty, separator)
    }

    private mutating func write(_ array: [Any]) throws(TeapotError) {
        var separator = "["
        for index in array.indices { try write(array[index], at: .index(index), after: &separator) }
        end("]", isEmpty: array.isEmpty, separator)
    }

    private mutating func write(_ value: Any, at step: Step, after separator: inout String) throws(TeapotError) {
        append(separator)
        separator = ","
        path.append(step)
        breakLine()
        if case .key(let key) = step {
            write(key)
            append(isIndented ? " : " : ":")
        }
        try write(value)
        path.removeLast()
    }

    private mutating func end(_ bracket: String, isEmpty: Bool, _ separator: String) {
        if isEmpty { append(separator) } else { breakLine() }
        append(bracket)
    }

    private mutating func write(_ text: String) {
        var copy = text
        copy.withUTF8 { text in
            bytes.append(0x22)
            // An escape has six bytes at most. A long text is escaped in blocks.
            let block = min(text.count, 4_096)
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 6 * block) { buffer in
                guard let new = buffer.baseAddress, let old = text.baseAddress else { return }
                for start in stride(from: 0, to: text.count, by: 4_096) {
                    let count = Self.escape(old + start, min(block, text.count - start), to: new)
                    bytes.append(contentsOf: UnsafeBufferPointer(start: new, count: count))
                }
            }
            bytes.append(0x22)
        }
    }

    /// Writes escaped bytes and returns their number. Through pointers: in a debug build, all else takes much longer.
    private static func escape(_ old: UnsafePointer<UInt8>, _ count: Int, to new: UnsafeMutablePointer<UInt8>) -> Int {
        var (index, end) = (0, 0)
        while index < count {
            let byte = old[index]
            index += 1
            if byte >= 0x20, byte != 0x22, byte != 0x5C {
                new[end] = byte
                end += 1
                continue
            }
            new[end] = 0x5C
            if let letter = byte >= 0x20 ? byte : letter(of: byte) {
                new[end + 1] = letter
                end += 2
            } else {
                memcpy(new + end + 1, "u00", 3)
                new[end + 4] = 0x30 + byte >> 4
                new[end + 5] = PercentEncoding.digit(byte & 0xF) | 0x20
                end += 6
            }
        }
        return end
    }

    /// The letter that escapes a control character (RFC 8259, section 7).
    private static func letter(of byte: UInt8) -> UInt8? {
        for letter in "nrtbf".utf8 where JSONScanner.escaped(letter) == byte { return letter }
        return nil
    }

    private static func text(of number: Double) -> String {
        let text = number.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// The text of a number in JSON as parsed on Linux, where only `true` and `false` have their own type.
    private static func text(of number: NSNumber) -> String? {
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "d"): number.doubleValue.isFinite ? text(of: number.doubleValue) : nil
        case UInt8(ascii: "f"): nil
        default: number.stringValue
        }
    }

    /// Writes the value as an array without its brackets: not every value is accepted by itself.
    private mutating func writeByFoundation(_ value: Any) throws(TeapotError) {
        guard JSONSerialization.isValidJSONObject([value]),
            let data = try? JSONSerialization.data(withJSONObject: [value], options: .withoutEscapingSlashes)
        else {
            let number = (value as? Double).flatMap { $0.isFinite ? nil : "\($0)" }
            let reason = "\(place) is \(number ?? "a \(type(of: value))"), which JSON cannot hold"
            throw .invalidPayload(reason: reason, isJSON: true)
        }
        append(String(data.text.dropFirst().dropLast()))
    }

    private var place: String {
        var place = "$"
        for step in path {
            switch step {
            case .key(let key): place += key.asPlace
            case .index(let index): place += "[\(index)]"
            }
        }
        return place
    }

    private mutating func breakLine() {
        guard isIndented else { return }
        append("\n")
        for _ in path { append("  ") }
    }

    @inline(never) private mutating func append(_ text: String) { bytes += text.utf8 }
}

extension JSONEncoder {
    /// Encodes as ``JSONWriter`` does.
    static var standard: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}
