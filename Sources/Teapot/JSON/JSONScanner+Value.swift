import Foundation

extension JSONScanner {
    /// Takes one value: its place, and the content of a string. `nil` if it is not valid.
    mutating func takeValue() -> (range: Range<Int>, content: String?)? {
        let outerDepth = depth
        guard let first = next() else { return nil }
        while depth > outerDepth { if next() == nil { return nil } }
        return (first.start..<position, first.kind == .string ? content(of: first) : nil)
    }

    /// The strings, and the numbers of 6 digits or more, in a text that is a JSON object or array.
    package static func strings(of text: String) -> [String] {
        guard text.first == "{" || text.first == "[" else { return [] }
        return Array(text.utf8).withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return [] }
            var (scanner, strings) = (JSONScanner(start, 0..<bytes.count), [String]())
            while let token = scanner.next(), let content = scanner.content(of: token) {
                var digits = 0
                for byte in content.utf8 where ByteSet.digits.contains(byte) { digits += 1 }
                if token.kind == .string || token.kind == .number && digits >= 6 { strings.append(content) }
            }
            return strings
        }
    }

    // MARK: - As JSONSerialization

    /// The value that `JSONSerialization` makes of a document of any kind; `nil` if it refuses it.
    package static func value(of data: Data) -> Any? {
        var isForFoundation = false
        let value: Any? = data.withUnsafeBytes { bytes in
            // A zero, or a byte order mark, can mean another encoding.
            for byte in bytes.prefix(4) where byte == 0 || byte >= 0xEF { isForFoundation = true }
            guard !isForFoundation, let text = bytes.baseAddress else { return nil }
            var scanner = Self(text.assumingMemoryBound(to: UInt8.self), 0..<bytes.count)
            defer { isForFoundation = scanner.isForFoundation }
            return scanner.value()
        }
        return isForFoundation ? valueByFoundation(of: data) : value
    }

    private static func valueByFoundation(of data: Data) -> Any? {
        try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
    }

    /// A container that is being read, and the names of the object before it at the same depth.
    private struct Frame {
        var names: [Token] = []
        var values: [Any] = []
        var lastNames: [Token] = []
        /// The index of each name's value, from the second object with the same names on.
        var indices: [String: Int]?
    }

    private mutating func value() -> Any? {
        var frames: [Frame] = []
        frames.reserveCapacity(4)
        while let token = next() {
            let (depth, start) = (depth, text[token.range.lowerBound])
            let value: Any
            switch token.kind {
            case .open:
                if depth > frames.count { frames.append(Frame()) }
                continue
            case .close where start == UInt8(ascii: "}"):
                guard let object = object(&frames[depth]) else { return nil }
                value = object
            case .close:
                value = frames[depth].values
                frames[depth].values = []
            case .name:
                frames[depth - 1].names.add(token)
                continue
            case .string:
                guard let string = content(of: token) else { return nil }
                value = string
            case .number:
                guard let number = number(token) else { return nil }
                value = number
            case .word where start == UInt8(ascii: "n"): value = NSNull()
            case .word: value = start == UInt8(ascii: "t") ? Self.yes : Self.no
            }
            guard depth > 0 else { return next() == nil && isAtEnd ? value : nil }
            frames[depth - 1].values.add(value)
        }
        return nil
    }

    private static let (yes, no) = (NSNumber(value: true), NSNumber(value: false))

    private func object(_ frame: inout Frame) -> [String: Any]? {
        // The next object of a list takes the memory of this one.
        defer {
            swap(&frame.names, &frame.lastNames)
            frame.names.removeAll(keepingCapacity: true)
            frame.values.removeAll(keepingCapacity: true)
        }
        var isAlike = frame.names.count == frame.lastNames.count
        for index in frame.names.indices where isAlike {
            let (one, other) = (frame.names[index].range, frame.lastNames[index].range)
            isAlike = one.count == other.count && memcmp(text + one.lowerBound, text + other.lowerBound, one.count) == 0
        }
        // The objects of a list have the same names, which are hashed only once.
        if isAlike, let indices = frame.indices { return indices.mapValues { frame.values[$0] } }
        var object = [String: Any](minimumCapacity: frame.values.count)
        frame.indices = isAlike ? [:] : nil
        for (index, name) in frame.names.enumerated() {
            guard let name = content(of: name) else { return nil }
            object[name] = frame.values[index]
            frame.indices?[name] = index
        }
        return object
    }

    private mutating func number(_ token: Token) -> NSNumber? {
        if token.isPlain, let number = plainNumber(token.range) { return number }
        let text = content(of: token) ?? ""
        let number =
            token.range.count > 17
            ? Self.valueByFoundation(of: Data(text.utf8)) as? NSNumber
            : Double(text).flatMap { $0.isFinite ? NSNumber(value: $0) : nil }
        isForFoundation = number == nil
        return number
    }

    private func plainNumber(_ range: Range<Int>) -> NSNumber? {
        var (digits, isNegative, index) = (0 as UInt64, false, range.lowerBound)
        var fraction: Int?
        while index < range.upperBound {
            let byte = text[index]
            index += 1
            switch byte {
            case 0x2D: isNegative = true
            case 0x2E: fraction = range.upperBound - index
            default: digits = digits &* 10 &+ UInt64(byte & 0xF)
            }
        }
        guard let fraction else { return isNegative ? NSNumber(value: -Int64(digits)) : NSNumber(value: digits) }
        if range.count > 17 {
            // Foundation removes zeros at the end, which changes what `doubleValue` is rounded to.
            guard !digits.isMultiple(of: 10) else { return nil }
            let sign = isNegative ? FloatingPointSign.minus : .plus
            return NSDecimalNumber(decimal: Decimal(sign: sign, exponent: -fraction, significand: Decimal(digits)))
        }
        // Both operands are exact, so the quotient is rounded correctly.
        guard digits <= 1 << 53, fraction < Self.powers.count else { return nil }
        return NSNumber(value: (isNegative ? -1 : 1) * Double(digits) / Self.powers[fraction])
    }

    private static let powers = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15]
}

extension Array {
    /// Appends a member of an object or an array. Most have no more than eight, and an empty one needs no memory.
    fileprivate mutating func add(_ member: Element) {
        if capacity == 0 { reserveCapacity(8) }
        append(member)
    }
}
