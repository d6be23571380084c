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
        let isPlain: Bool
        /// The bytes of the token; a string includes its quotation marks.
        var range: Range<Int> { start..<end }
    }

    /// The next part: a value, a member or the end of its container, or a comma or that end.
    private enum State { case value, member, separator }

    let text: UnsafePointer<UInt8>
    private let end: Int
    private(set) var position: Int
    private var state = State.value
    /// Whether the container at the position is an object, and whether each one around that is one.
    private var isInObject: Bool?
    private var containers: [Bool] = []
    private var isPlain = true
    /// Whether a number is too large: Foundation refuses it, unless a later member of the same name replaces it.
    var isForFoundation = false

    /// Makes a scanner of bytes, which must outlive it.
    init(_ text: UnsafePointer<UInt8>, _ range: Range<Int>) {
        self.text = text
        position = range.lowerBound
        end = range.upperBound
    }

    var isAtEnd: Bool { state == .separator && isInObject == nil && position == end }
    /// The number of containers around the position.
    var depth: Int { isInObject == nil ? 0 : containers.count + 1 }

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
