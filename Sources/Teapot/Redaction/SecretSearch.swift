import Foundation

/// Finds known secrets anywhere in text, whatever stands before them. Only this type does so: plain, in base64, percent-encoded (RFC
/// 3986, section 2.1; a space may be `+`), and escaped as in JSON.
///
/// All of every text is searched. So this reads through pointers, and looks up only what may be the beginning of a secret.
struct SecretSearch: Sendable {
    /// By their first bytes, the longest first.
    private let secrets: [UInt32: [[UInt8]]]
    /// The distance of two looks at a text without escapes: so many places, and three bytes more, are in the shortest secret.
    private let step: Int
    /// Whether four bytes may begin at one of these places in a secret, by their hash. By chance, that is so in one of 64 cases
    /// at most, unless there are thousands of secrets.
    private var beginnings: [Bool]
    private let hashShift: UInt32
    /// Whether a secret begins with a byte.
    private var firstBytes = [Bool](repeating: false, count: 256)

    init(_ values: some Sequence<String>) {
        let forms = values.flatMap { Self.forms(of: Array($0.utf8)) }.filter { $0.count >= Self.keySize }
        secrets = Dictionary(grouping: forms) { Self.key($0, at: 0) }.mapValues { $0.sorted(byNumber: { -$0.count }) }
        step = forms.reduce(4) { min($0, $1.count - Self.keySize + 1) }
        let hashSize = min(6 + Int.bitWidth - (forms.count * step).leadingZeroBitCount, 20)
        hashShift = UInt32(UInt32.bitWidth - hashSize)
        beginnings = Array(repeating: false, count: 1 << hashSize)
        for form in forms { firstBytes[Int(form[0])] = true }
        for form in forms + [Self.replacement, Self.placeholder] {
            for place in 0..<step {
                beginnings[Int((Self.key(form, at: place) &* Self.hashFactor) &>> hashShift)] = true
            }
        }
    }

    /// The texts to look for; the escapes in them are read where they are met.
    private static func forms(of secret: [UInt8]) -> [[UInt8]] {
        var base64 = Array(Data(secret).base64EncodedData())
        while base64.last == UInt8(ascii: "=") { base64.removeLast() }
        let withoutPlus = replacing(0x2B, with: 0x2D, in: base64)
        let forURLs = replacing(0x2F, with: 0x5F, in: withoutPlus ?? base64) ?? withoutPlus
        return [secret, base64] + [replacing(0x20, with: 0x2B, in: secret), forURLs].compactMap(\.self)
    }

    /// `nil` if nothing is replaced.
    private static func replacing(_ byte: UInt8, with other: UInt8, in form: [UInt8]) -> [UInt8]? {
        let isFound = form.withUnsafeBufferPointer { $0.next(Int32(byte), from: 0) < form.count }
        return isFound ? form.map { $0 == byte ? other : $0 } : nil
    }

    private static let keySize = 4
    private static let hashFactor: UInt32 = 0x9E37_79B1

    private static func key(_ form: [UInt8], at place: Int) -> UInt32 {
        var key = 0 as UInt32
        form.withUnsafeBytes { bytes in if let start = bytes.baseAddress { memcpy(&key, start + place, keySize) } }
        return key
    }

    /// Whether data contains one of them, or takes too long to search.
    func isFound(in data: Data) -> Bool { data.withUnsafeBytes { !ranges(in: $0.bindMemory(to: UInt8.self)).isEmpty } }

    /// The places of these secrets in a text, in order. If that takes too long, the rest of the text is one.
    func ranges(in bytes: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        guard let text = bytes.baseAddress, !secrets.isEmpty else { return [] }
        // The maximum number of comparisons of a character. Without a limit, the time could grow with the square of a text's
        // length: a server can choose secrets that are nearly found at every place.
        var comparisons = 16 * (bytes.count + 64)
        var ranges: [Range<Int>] = []
        var (position, near) = (0, 0)
        // The next ones.
        var (percent, backslash) = (-1, -1)
        // In a debug build, a call takes longer than the rest of the loop, unless it is one of C. So does reading `self`.
        let (count, keySize, step) = (bytes.count, Self.keySize, step)
        let (factor, shift) = (Self.hashFactor, hashShift)
        beginnings.withUnsafeBufferPointer { beginnings in
            firstBytes.withUnsafeBufferPointer { firstBytes in
                guard let beginnings = beginnings.baseAddress, let firstBytes = firstBytes.baseAddress else { return }
                var key = 0 as UInt32
                while position + keySize <= count {
                    if percent < position { percent = bytes.next(0x25, from: position) }
                    if backslash < position { backslash = bytes.next(0x5C, from: position) }
                    let escape = percent < backslash ? percent : backslash
                    if position >= near {
                        near = position + step
                        // What begins before `near` has these four bytes, unless it contains an escape.
                        let last = near - 1
                        if escape >= last + step + keySize, last + keySize <= count {
                            memcpy(&key, text + last, keySize)
                            if !beginnings[Int(truncatingIfNeeded: (key &* factor) &>> shift)] {
                                position = near
                                continue
                            }
                        }
                    }
                    let start = position
                    position += 1
                    memcpy(&key, text + start, keySize)
                    let mayBegin = beginnings[Int(truncatingIfNeeded: (key &* factor) &>> shift)]
                    if mayBegin {
                        if let end = endOfReplacement(in: text, count, at: start) {
                            position = end
                            continue
                        }
                    } else {
                        guard escape < start + keySize else { continue }
                        var byte = text[start]
                        if byte == 0x25, !firstBytes[0x25] {
                            // That of two digits, or any other.
                            let (high, low) = (text[start + 1], text[start + 2])
                            byte = (high &<< 4) &+ (high &>> 6) &* 0x90 &+ low & 0xF &+ (low &>> 6) &* 9
                        }
                        guard byte == 0x5C || firstBytes[Int(truncatingIfNeeded: byte)] else { continue }
                    }
                    let hasEscape = escape < start + keySize
                    let end = endOfSecret(in: text, count, at: start, mayBegin ? key : nil, hasEscape, &comparisons)
                    guard let end else { continue }
                    ranges.append(start..<end)
                    position = end
                }
            }
        }
        return ranges
    }

    /// The end of `<redacted>`, or of `redacted-1` in a recording; `nil` if neither begins there.
    private func endOfReplacement(in text: UnsafePointer<UInt8>, _ count: Int, at start: Int) -> Int? {
        func begins(with word: [UInt8]) -> Bool {
            count - start >= word.count && memcmp(text + start, word, word.count) == 0
        }
        if begins(with: Self.replacement) { return start + Self.replacement.count }
        guard begins(with: Self.placeholder) else { return nil }
        let number = start + Self.placeholder.count
        var end = number
        while end < count, ByteSet.digits.contains(text[end]) { end += 1 }
        return end > number ? end : nil
    }

    /// The end of the longest secret that begins at a position, or of the text if the search takes too long. The key is that of
    /// the bytes there, if a secret may begin with them.
    private func endOfSecret(
        in text: UnsafePointer<UInt8>,
        _ count: Int,
        at start: Int,
        _ key: UInt32?,
        _ hasEscape: Bool,
        _ comparisons: inout Int
    ) -> Int? {
        if let key, let end = longest(with: key, in: text, count, at: start, &comparisons) { return end }
        guard hasEscape else { return nil }
        var (key, position, shift) = (0 as UInt32, start, 0 as UInt32)
        while shift < UInt32.bitWidth {
            guard position < count else { return nil }
            let (byte, end) = Self.character(in: text, count, at: position)
            if shift == 0, !firstBytes[Int(byte)] { return nil }
            key |= UInt32(truncatingIfNeeded: byte) &<< shift
            position = end
            shift += 8
        }
        return longest(with: UInt32(littleEndian: key), in: text, count, at: start, &comparisons)
    }

    private func longest(
        with key: UInt32,
        in text: UnsafePointer<UInt8>,
        _ count: Int,
        at start: Int,
        _ comparisons: inout Int
    ) -> Int? {
        for secret in secrets[key] ?? [] {
            let size = secret.count
            // A secret may itself contain what looks like an escape.
            var (readsEscapes, hasEscape) = (false, true)
            while hasEscape {
                var (position, index) = (start, 0)
                hasEscape = false
                while index < size, position < count {
                    comparisons -= 1
                    let (decoded, end) = Self.character(in: text, count, at: position)
                    if end > position + 1 { hasEscape = !readsEscapes }
                    let isPlain = text[position] == secret[index] && !(readsEscapes && decoded == secret[index])
                    guard isPlain || decoded == secret[index] else { break }
                    position = isPlain ? position + 1 : end
                    index += 1
                }
                guard comparisons > 0 else { return count }
                if index == size { return position }
                readsEscapes = true
            }
        }
        return nil
    }

    /// The character at a position: `%2F`, `\/` and `\u002f` each stand for another byte.
    private static func character(in text: UnsafePointer<UInt8>, _ count: Int, at position: Int) -> (
        byte: UInt8, end: Int
    ) {
        let byte = text[position]
        if byte == 0x25 {
            if let decoded = hexadecimal(text, length: count, from: position + 1, digits: 2) {
                return (decoded, position + 3)
            }
        } else if byte == 0x5C, position + 1 < count {
            if text[position + 1] == 0x75 {
                // Above 7F a character is several bytes.
                if let decoded = hexadecimal(text, length: count, from: position + 2, digits: 4), decoded < 0x80 {
                    return (decoded, position + 6)
                }
            } else if let decoded = JSONScanner.escaped(text[position + 1]) {
                return (decoded, position + 2)
            }
        }
        return (byte, position + 1)
    }

    /// The byte in hexadecimal digits; `nil` if they are missing, or their value is larger.
    private static func hexadecimal(_ text: UnsafePointer<UInt8>, length count: Int, from start: Int, digits: Int)
        -> UInt8?
    {
        guard start + digits <= count else { return nil }
        var (value, index) = (0 as UInt32, start)
        while index < start + digits {
            guard let digit = PercentEncoding.value(ofDigit: text[index]) else { return nil }
            value = value &<< 4 | UInt32(truncatingIfNeeded: digit)
            index += 1
        }
        return value < 0x100 ? UInt8(truncatingIfNeeded: value) : nil
    }

    private static let replacement = Array(SecretPolicy.replacement.utf8)
    private static let placeholder = Array(SecretPolicy.placeholder.utf8)
}

extension UnsafeBufferPointer<UInt8> {
    /// The next place of a byte; the end without one. By C, which is fast in a debug build, too.
    func next(_ byte: Int32, from position: Int) -> Int {
        guard let baseAddress, let place = memchr(baseAddress + position, byte, count - position) else { return count }
        return UnsafeRawPointer(baseAddress).distance(to: place)
    }
}
