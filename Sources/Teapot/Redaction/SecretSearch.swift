import Foundation

/// Finds known secrets anywhere in text: plain, in base64, percent-encoded (RFC 3986, section 2.1; a space may be `+`), and
/// escaped as in JSON.
///
/// It looks at every byte of every text. So it reads through pointers, and looks up only what may be the beginning of a secret.
struct SecretSearch: Sendable {
    /// By their first bytes, the longest first.
    private let secrets: [UInt32: [[UInt8]]]
    /// Whether a secret may begin with four bytes, by their hash. By chance, that is so in one of 64 cases at most, unless
    /// there are thousands of secrets.
    private var beginnings: [Bool]
    private let hashShift: UInt32
    /// Whether a secret begins with a byte.
    private var firstBytes = [Bool](repeating: false, count: 256)

    init(_ values: some Sequence<String>) {
        let forms = Set(values.flatMap(Self.forms)).map { Array($0.utf8) }.filter { $0.count >= Self.keySize }
        secrets = Dictionary(grouping: forms.sorted { $0.count > $1.count }) { form in
            form[..<Self.keySize].reduce(0) { $0 << 8 | UInt32($1) }
        }
        let size = UInt32.bitWidth - UInt32(truncatingIfNeeded: secrets.count).leadingZeroBitCount
        let hashSize = min(6 + size, 18)
        hashShift = UInt32(UInt32.bitWidth - hashSize)
        beginnings = Array(repeating: false, count: 1 << hashSize)
        for key in secrets.keys {
            beginnings[Self.hash(key, hashShift)] = true
            firstBytes[Int(key >> 24)] = true
        }
    }

    /// The texts to look for; the escapes in them are read where they are met.
    private static func forms(of secret: String) -> [String] {
        let base64 = Data(secret.utf8).base64EncodedString().trimmingCharacters(in: ["="])
        let forURLs = base64.replacing("+", with: "-").replacing("/", with: "_")
        return [secret, secret.replacing(" ", with: "+"), base64, forURLs]
    }

    private static let keySize = 4

    private static func hash(_ key: UInt32, _ shift: UInt32) -> Int { Int((key &* 0x9E37_79B1) &>> shift) }

    /// Whether data contains one of them, or takes too long to search.
    func isFound(in data: Data) -> Bool {
        data.withUnsafeBytes { !ranges(in: $0.bindMemory(to: UInt8.self)).isEmpty }
    }

    /// The places of these secrets in a text, in order. If that takes too long, the rest of the text is one.
    func ranges(in bytes: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        guard let text = bytes.baseAddress, !secrets.isEmpty else { return [] }
        // The maximum number of comparisons of a character. Without a limit, the time could grow with the square of a text's
        // length: a server can choose secrets that are nearly found at every place.
        var steps = 16 * (bytes.count + 64)
        var ranges: [Range<Int>] = []
        beginnings.withUnsafeBufferPointer { beginnings in
            guard let beginnings = beginnings.baseAddress else { return }
            // The next byte to be read, the four bytes before it, and the place of the last escape among the bytes read.
            var (next, key, escape) = (0, 0 as UInt32, -1)
            var first = 0
            // Read once: in a debug build, each takes longer than the rest of the loop.
            let (count, keySize, shift, replacementKey) = (bytes.count, Self.keySize, hashShift, Self.replacementKey)
            while next < count {
                let byte = text[next]
                key = key &<< 8 | UInt32(byte)
                if byte == 0x25 || byte == 0x5C { escape = next }
                next += 1
                let position = next - keySize
                guard position >= first else { continue }
                if key == replacementKey, isReplacement(text + position, count - position) {
                    first = position + Self.replacement.count
                    next = first
                    continue
                }
                let hasEscape = escape >= position
                // Without `||`: in a debug build, it retains all that it reads.
                if !beginnings[Self.hash(key, shift)] {
                    guard hasEscape, mayBegin(text[position]) else { continue }
                }
                let end = endOfSecret(in: bytes, at: position, key, hasEscape: hasEscape, &steps)
                guard let end else { continue }
                ranges.append(position..<end)
                first = end
                next = end
            }
        }
        return ranges
    }

    /// Whether a secret may begin with a byte, or with the escape that it begins.
    private func mayBegin(_ byte: UInt8) -> Bool {
        guard byte != 0x25, byte != 0x5C else { return true }
        return firstBytes[Int(byte)]
    }

    private func isReplacement(_ text: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        count >= Self.replacement.count && memcmp(text, Self.replacement, Self.replacement.count) == 0
    }

    /// The end of the longest secret that begins at a position, or of the text if the search takes too long.
    private func endOfSecret(
        in text: UnsafeBufferPointer<UInt8>,
        at start: Int,
        _ key: UInt32,
        hasEscape: Bool,
        _ steps: inout Int
    ) -> Int? {
        if beginnings[Self.hash(key, hashShift)], let end = longest(of: secrets[key], in: text, at: start, &steps) {
            return end
        }
        guard hasEscape else { return nil }
        var (key, position) = (0 as UInt32, start)
        for index in 0..<Self.keySize {
            guard position < text.count else { return nil }
            let (byte, end) = Self.character(in: text, at: position)
            if index == 0, !firstBytes[Int(byte)] { return nil }
            key = key << 8 | UInt32(byte)
            position = end
        }
        guard beginnings[Self.hash(key, hashShift)] else { return nil }
        return longest(of: secrets[key], in: text, at: start, &steps)
    }

    private func longest(
        of secrets: [[UInt8]]?,
        in text: UnsafeBufferPointer<UInt8>,
        at start: Int,
        _ steps: inout Int
    ) -> Int? {
        for secret in secrets ?? [] {
            // A secret may itself contain what looks like an escape.
            for readsEscapes in [false, true] {
                var position = start
                let isFound = secret.allSatisfy { byte in
                    guard position < text.count else { return false }
                    steps -= 1
                    let (decoded, end) = Self.character(in: text, at: position)
                    let isPlain = text[position] == byte && !(readsEscapes && decoded == byte)
                    position = isPlain ? position + 1 : end
                    return isPlain || decoded == byte
                }
                guard steps > 0 else { return text.count }
                if isFound { return position }
            }
        }
        return nil
    }

    /// The character at a position: `%2F`, `\/` and `\u002f` each stand for another byte.
    private static func character(in text: UnsafeBufferPointer<UInt8>, at position: Int) -> (byte: UInt8, end: Int) {
        let byte = text[position]
        if byte == UInt8(ascii: "%") {
            return hexadecimal(text, position + 1, digits: 2).map { ($0, position + 3) } ?? (byte, position + 1)
        }
        guard byte == UInt8(ascii: "\\"), position + 1 < text.count else { return (byte, position + 1) }
        let next = text[position + 1]
        if next == UInt8(ascii: "u") {
            // Above 7F a character is several bytes.
            let byte = hexadecimal(text, position + 2, digits: 4).flatMap { $0 < 0x80 ? $0 : nil }
            return byte.map { ($0, position + 6) } ?? (text[position], position + 1)
        }
        let isEscaped = next == UInt8(ascii: "\"") || next == UInt8(ascii: "\\") || next == UInt8(ascii: "/")
        return isEscaped ? (next, position + 2) : (byte, position + 1)
    }

    /// The byte in hexadecimal digits; `nil` if they are missing, or their value is larger.
    private static func hexadecimal(_ text: UnsafeBufferPointer<UInt8>, _ start: Int, digits: Int) -> UInt8? {
        guard start + digits <= text.count else { return nil }
        var value = 0 as UInt32
        for index in start..<start + digits {
            let digit = text[index]
            guard PercentEncoding.hexadecimal.contains(digit) else { return nil }
            value = value << 4 | UInt32(digit & 0xF + (digit > UInt8(ascii: "9") ? 9 : 0))
        }
        return UInt8(exactly: value)
    }

    private static let replacement = Array(SecretPolicy.replacement.utf8)
    /// Its first four bytes.
    private static let replacementKey = replacement.prefix(keySize).reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
}
