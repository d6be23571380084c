import TeapotFoundation

/// Reads JSON in UTF-8 (RFC 8259), and makes the same values of it as `JSONSerialization`, in a fraction of the time.
/// This includes the places where Foundation on Linux departs from the RFC: it accepts a comma after the last element, drops a
/// byte order mark at the start of a string and after an escape, and makes an inexact decimal of a fraction with more than 17
/// characters. Depth takes no stack, as a call can be on a thread with 512 KB.
package struct JSONScanner {
    struct Token {
        enum Kind { case name, string, number, word, open, close }

        let kind: Kind
        let start, end: Int
        /// Whether this is a string of ASCII without escapes, or a number of at most 19 characters without an exponent.
        fileprivate let isPlain: Bool
        /// The bytes of the token; a string includes its quotation marks.
        var range: Range<Int> { start..<end }
    }

    /// The next part: a value, a member or the end of its container, or a comma or that end.
    private enum State { case value, member, separator }

    private let text: UnsafePointer<UInt8>
    private let end: Int
    private(set) var position: Int
    private var state = State.value
    /// Whether the container at the position is an object, and whether each one around that is one.
    private var isInObject: Bool?
    private var containers: [Bool] = []
    private var isPlain = true
    /// Whether a number is too large: Foundation refuses it, unless a later member of the same name replaces it.
    private var isForFoundation = false

    /// Makes a scanner of bytes, which must outlive it.
    init(_ text: UnsafePointer<UInt8>, _ range: Range<Int>) {
        self.text = text
        position = range.lowerBound
        end = range.upperBound
    }

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

    var depth: Int { isInObject == nil ? 0 : containers.count + 1 }

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
            guard depth > 0 else { return next() == nil && state == .separator && position == end ? value : nil }
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
            isAlike = isSame(frame.names[index], frame.lastNames[index])
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

    private func isSame(_ one: Token, _ other: Token) -> Bool {
        guard one.range.count == other.range.count else { return false }
        return memcmp(text + one.range.lowerBound, text + other.range.lowerBound, one.range.count) == 0
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

    /// The content of a string or a name, or the text of another token; `nil` if it is not UTF-8, or an escape is not valid.
    func content(of token: Token) -> String? {
        let isString = token.kind == .name || token.kind == .string
        let inner = isString ? token.range.lowerBound + 1..<token.range.upperBound - 1 : token.range
        let bytes = UnsafeBufferPointer(start: text + inner.lowerBound, count: inner.count)
        if token.isPlain || !isString { return String(decoding: bytes, as: UTF8.self) }
        guard let string = String(bytes: bytes, encoding: .utf8) else { return nil }
        var (rest, content) = (Self(text, inner), [UInt8]())
        while true {
            _ = rest.take("\u{FEFF}")
            let start = rest.position
            while rest.position < rest.end, text[rest.position] != 0x5C { rest.position += 1 }
            if content.isEmpty, rest.position == rest.end { return string }
            content.append(contentsOf: UnsafeBufferPointer(start: text + start, count: rest.position - start))
            guard rest.take(0x5C) else { return String(decoding: content, as: UTF8.self) }
            guard let scalar = rest.takeEscaped() else { return nil }
            if scalar.isASCII { content.append(UInt8(scalar.value)) } else { content += String(scalar).utf8 }
        }
    }

    /// Takes an escape after its backslash (section 7).
    mutating func takeEscaped() -> Unicode.Scalar? {
        if let byte = Self.escaped(byte) {
            position += 1
            return Unicode.Scalar(byte)
        }
        guard take("u"), let unit = takeUnit() else { return nil }
        guard unit & 0xFC00 == 0xD800 else { return Unicode.Scalar(unit) }
        guard take("\\u"), let low = takeUnit(), low & 0xFC00 == 0xDC00 else { return nil }
        return Unicode.Scalar((unit & 0x3FF) << 10 + low & 0x3FF + 0x10000)
    }

    /// The character of an escape with one character after its backslash.
    static func escaped(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x22, 0x2F, 0x5C: byte
        case 0x62: 0x08
        case 0x66: 0x0C
        case 0x6E: 0x0A
        case 0x72: 0x0D
        case 0x74: 0x09
        default: nil
        }
    }

    private mutating func takeUnit() -> UInt32? {
        var unit = 0 as UInt32
        for _ in 0..<4 {
            guard let digit = PercentEncoding.value(ofDigit: byte) else { return nil }
            unit = unit << 4 | UInt32(digit)
            position += 1
        }
        return unit
    }

    /// The next token of one or several values; `nil` at the end, and where the text is not JSON. ``content(of:)`` checks strings.
    /// In a debug build, a call to a collection, a range or the `==` of an enumeration takes longer than the rest of a token.
    mutating func next() -> Token? {
        skipBlanks()
        if case .separator = state {
            if isInObject == nil {
                guard position < end else { return nil }
                state = .value
            } else if take(0x2C) {
                state = .member
                skipBlanks()
            }
        }
        let start = position
        guard let kind = takeToken() else { return nil }
        let token = Token(kind: kind, start: start, end: position, isPlain: isPlain)
        switch kind {
        case .name:
            skipBlanks()
            return take(0x3A) ? token : nil
        case .open: state = .member
        case .string, .number, .word, .close: state = .separator
        }
        return token
    }

    private mutating func takeToken() -> Token.Kind? {
        isPlain = true
        var isName = false
        if case .value = state {
        } else if let isObject = isInObject {
            if take(isObject ? 0x7D : 0x5D) {
                isInObject = containers.popLast()
                return .close
            }
            if case .separator = state { return nil }
            isName = isObject
        }
        state = .value
        let byte = byte
        if byte == 0x22 { return takeString() ? isName ? .name : .string : nil }
        if isName { return nil }
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            // The limit of `JSONSerialization`.
            guard depth < 512 else { return nil }
            if let isInObject { containers.append(isInObject) }
            isInObject = byte == UInt8(ascii: "{")
            position += 1
            return .open
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            return take("true") || take("false") || take("null") ? .word : nil
        default: return takeNumber() ? .number : nil
        }
    }

    private mutating func takeString() -> Bool {
        position += 1
        var bytes = 0 as UInt64
        while position < end {
            // Skips eight bytes at a time, unless one may be a quotation mark, a backslash, a control character or not ASCII.
            while end - position >= 8 {
                memcpy(&bytes, text + position, 8)
                let quotes = (bytes ^ 0x2222_2222_2222_2222) &- 0x0101_0101_0101_0101
                let backslashes = (bytes ^ 0x5C5C_5C5C_5C5C_5C5C) &- 0x0101_0101_0101_0101
                let controls = bytes &- 0x2020_2020_2020_2020
                guard (bytes | quotes | backslashes | controls) & 0x8080_8080_8080_8080 == 0 else { break }
                position += 8
            }
            guard position < end else { break }
            let byte = text[position]
            position += byte == 0x5C ? 2 : 1
            if byte == 0x22 { return true }
            if byte < 0x20 { return false }
            if byte >= 0x80 || byte == 0x5C { isPlain = false }
        }
        return false
    }

    private mutating func takeNumber() -> Bool {
        let start = position
        _ = take(0x2D)
        guard take(0x30) || takeDigits() else { return false }
        if take(0x2E), !takeDigits() { return false }
        isPlain = position - start <= 19
        guard take(0x65) || take(0x45) else { return true }
        isPlain = false
        _ = take(0x2B) || take(0x2D)
        return takeDigits()
    }

    private mutating func takeDigits() -> Bool {
        let start = position
        while position < end, text[position] >= 0x30, text[position] <= 0x39 { position += 1 }
        return start < position
    }

    private mutating func skipBlanks() {
        // In a debug build, reading `byte` takes much longer.
        while position < end, text[position] <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            position += 1
        }
    }

    @inline(__always) private mutating func take(_ word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard end - position >= count, memcmp(text + position, word.utf8Start, count) == 0 else { return false }
        position += count
        return true
    }

    private mutating func take(_ wanted: UInt8) -> Bool {
        guard position < end, text[position] == wanted else { return false }
        position += 1
        return true
    }

    /// The byte at the position; 0, which is not part of any token, at the end.
    private var byte: UInt8 { position < end ? text[position] : 0 }
}

extension Array {
    /// Appends a member of an object or an array. Most have no more than eight, and an empty one needs no memory.
    fileprivate mutating func add(_ member: Element) {
        if capacity == 0 { reserveCapacity(8) }
        append(member)
    }
}
