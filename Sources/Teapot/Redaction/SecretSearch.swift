import Foundation

/// Finds known secrets anywhere in text, whatever stands before them. Only this type does so: plain, in base64, percent-encoded (RFC
/// 3986, section 2.1; a space may be `+`), and escaped as in JSON.
///
/// All of every text is searched. So this reads through pointers, and looks up only what may be the beginning of a secret.
struct SecretSearch: Sendable {
    /// By their first four bytes, the longest first.
    private let secrets: [UInt32: [[UInt8]]]
    /// Whether four bytes may be the first of a secret, by their hash.
    private var beginnings = [Bool](repeating: false, count: 1 << (32 - hashShift))

    init(_ values: some Sequence<String>) {
        let forms = values.flatMap { Self.forms(of: Array($0.utf8)) }.filter { $0.count >= Self.keySize }
        secrets = Dictionary(grouping: forms, by: Self.key).mapValues { $0.sorted(byNumber: { -$0.count }) }
        for form in forms + [Self.replacement, Self.placeholder] {
            beginnings[Int((Self.key(form) &* Self.hashFactor) &>> Self.hashShift)] = true
        }
    }

    private static func forms(of secret: [UInt8]) -> [[UInt8]] {
        var base64 = Array(Data(secret).base64EncodedData())
        while base64.last == UInt8(ascii: "=") { base64.removeLast() }
        let forURLs = base64.map { $0 == 0x2B ? 0x2D : $0 == 0x2F ? 0x5F : $0 }
        return [secret, secret.map { $0 == 0x20 ? 0x2B : $0 }, base64, forURLs]
    }

    private static let keySize = 4
    private static let hashFactor: UInt32 = 0x9E37_79B1
    private static let hashShift: UInt32 = 18

    private static func key(_ form: [UInt8]) -> UInt32 {
        var key = 0 as UInt32
        form.withUnsafeBytes { bytes in if let start = bytes.baseAddress { memcpy(&key, start, keySize) } }
        return key
    }

    /// Whether data contains one of them, or takes too long to search.
    func isFound(in data: Data) -> Bool { data.withUnsafeBytes { !ranges(in: $0.bindMemory(to: UInt8.self)).isEmpty } }

    /// The places of these secrets in a text, in order. If that takes too long, the rest of the text is one.
    func ranges(in text: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        guard !secrets.isEmpty else { return [] }
        let plain = places(in: text)
        guard let unescaped = Unescaped(text) else { return plain }
        let others = unescaped.bytes.withUnsafeBufferPointer { unescaped.original(places(in: $0)) }
        return (plain + others).sorted(byNumber: \.lowerBound).reduce(into: []) { ranges, range in
            guard let last = ranges.last, range.lowerBound < last.upperBound else { return ranges.append(range) }
            ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
        }
    }

    private func places(in bytes: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        guard let text = bytes.baseAddress else { return [] }
        var (ranges, position, key) = ([Range<Int>](), 0, 0 as UInt32)
        // The maximum number of comparisons of a character. Without a limit, the time could grow with the square of a text's
        // length: a server can choose secrets that are nearly found at every place.
        var comparisons = 16 * (bytes.count + 64)
        // In a debug build, a call takes longer than the rest of the loop, unless it is one of C. So does reading `self`.
        let (last, size, factor, shift) = (bytes.count - Self.keySize, Self.keySize, Self.hashFactor, Self.hashShift)
        beginnings.withUnsafeBufferPointer { beginnings in
            guard let beginnings = beginnings.baseAddress else { return }
            while position <= last {
                memcpy(&key, text + position, size)
                if !beginnings[Int(truncatingIfNeeded: (key &* factor) &>> shift)] {
                    position += 1
                } else if let end = endOfReplacement(in: bytes, at: position) {
                    position = end
                } else if let end = endOfSecret(in: bytes, at: position, key, &comparisons) {
                    ranges.append(position..<end)
                    position = end
                } else {
                    position += 1
                }
            }
        }
        return ranges
    }

    /// The end of `<redacted>`, or of `redacted-1` in a recording; `nil` if neither begins there.
    private func endOfReplacement(in text: UnsafeBufferPointer<UInt8>, at start: Int) -> Int? {
        let rest = text[start...]
        if rest.starts(with: Self.replacement) { return start + Self.replacement.count }
        guard rest.starts(with: Self.placeholder) else { return nil }
        let number = rest.dropFirst(Self.placeholder.count).prefix(while: ByteSet.digits.contains)
        return number.isEmpty ? nil : number.endIndex
    }

    /// The end of the longest secret that begins at a position, or of the text if the search takes too long.
    private func endOfSecret(
        in text: UnsafeBufferPointer<UInt8>,
        at start: Int,
        _ key: UInt32,
        _ comparisons: inout Int
    ) -> Int? {
        for secret in secrets[key] ?? [] where secret.count <= text.count - start {
            var size = 0
            while size < secret.count, secret[size] == text[start + size] { size += 1 }
            comparisons -= size
            guard comparisons > 0 else { return text.count }
            if size == secret.count { return start + size }
        }
        return nil
    }

    private static let replacement = Array(SecretPolicy.replacement.utf8)
    private static let placeholder = Array(SecretPolicy.placeholder.utf8)
}

/// A text in which `%2F`, `\/` and `\u002f` are characters.
private struct Unescaped {
    private(set) var bytes: [UInt8] = []
    /// The positions after escapes, in this text and in the original.
    private var ends = [(own: 0, original: 0)]

    /// `nil` if there is none.
    init?(_ text: UnsafeBufferPointer<UInt8>) {
        guard let start = text.baseAddress else { return nil }
        var (position, done) = (0, 0)
        while true {
            position = Self.escapes.first(in: start, from: position, to: text.count)
            guard position < text.count else { break }
            guard let (byte, end) = Self.character(in: text, at: position) else {
                position += 1
                continue
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[done..<position]))
            bytes.append(byte)
            ends.append((bytes.count, end))
            (position, done) = (end, end)
        }
        guard done > 0 else { return nil }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[done...]))
    }

    /// Ranges of the original, in order.
    func original(_ ranges: [Range<Int>]) -> [Range<Int>] {
        var index = 0
        func original(_ position: Int) -> Int {
            while index + 1 < ends.count, ends[index + 1].own <= position { index += 1 }
            return ends[index].original + position - ends[index].own
        }
        return ranges.map { range in
            let start = original(range.lowerBound)
            return start..<original(range.upperBound)
        }
    }

    private static let escapes = ByteSet("%\\")

    private static func character(in text: UnsafeBufferPointer<UInt8>, at escape: Int) -> (byte: UInt8, end: Int)? {
        func hexadecimal(_ start: Int, _ count: Int) -> (byte: UInt8, end: Int)? {
            let digits = text.dropFirst(start).prefix(count).compactMap { PercentEncoding.value(ofDigit: $0) }
            guard digits.count == count, digits.dropLast(2).allSatisfy({ $0 == 0 }) else { return nil }
            return (digits.suffix(2).reduce(0) { $0 << 4 | $1 }, start + count)
        }
        if text[escape] == UInt8(ascii: "%") { return hexadecimal(escape + 1, 2) }
        guard escape + 1 < text.count else { return nil }
        if let byte = JSONScanner.escaped(text[escape + 1]) { return (byte, escape + 2) }
        // Above 7F a character is several bytes.
        let unit = text[escape + 1] == UInt8(ascii: "u") ? hexadecimal(escape + 2, 4) : nil
        return unit.flatMap { $0.byte < 0x80 ? $0 : nil }
    }
}
