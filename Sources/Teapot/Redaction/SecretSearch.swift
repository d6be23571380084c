import Foundation

/// Finds known secrets in text: plain, in base64, percent-encoded (RFC 3986; a space may be `+`), escaped as in JSON.
struct SecretSearch: Sendable {
    /// The forms of the secrets by the hash of their first two bytes, the longest first; the first list is empty.
    private var lists: [[[UInt8]]] = [[]]
    /// The number of the list for each hash; 0 without one.
    private var numbers = [UInt16](repeating: 0, count: 1 << 12)

    init(_ values: Set<String>) {
        // A part of every replacement is no secret.
        let replacements = SecretPolicy.replacement + "\n" + SecretPolicy.placeholder
        var forms: [[UInt8]] = []
        for value in values where !replacements.contains(value) { forms += Self.forms(of: Array(value.utf8)) }
        for form in forms.sorted(byPlace: { forms[$0].count > forms[$1].count }) where form.count > 3 {
            let key = (Int(form[0]) << 5 ^ Int(form[1])) & 0xFFF
            if numbers[key] == 0 {
                numbers[key] = UInt16(lists.count)
                lists.append([])
            }
            lists[Int(numbers[key])].append(form)
        }
    }

    private static func forms(of secret: [UInt8]) -> [[UInt8]] {
        let base64 = Array(Data(secret).base64EncodedData())
        let encoded = [base64, base64.map { $0 == 0x2B ? 0x2D : $0 == 0x2F ? 0x5F : $0 }]
        return [secret, secret.map { $0 == 0x20 ? 0x2B : $0 }] + encoded + encoded.map { $0.filter { $0 != 0x3D } }
    }

    func isFound(in data: Data) -> Bool { data.withUnsafeBytes { !ranges(in: $0.bindMemory(to: UInt8.self)).isEmpty } }

    /// The places of these secrets in a text, in order. If that takes too long, the rest of the text is one.
    func ranges(in text: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        guard lists.count > 1 else { return [] }
        var ranges = places(in: text)
        if let (unescaped, positions) = Self.unescaped(text) {
            let found = unescaped.withUnsafeBufferPointer { places(in: $0) }
            ranges += found.map { positions[$0.lowerBound]..<positions[$0.upperBound] }
        }
        return TextRedactor.joined(ranges.map { ($0, nil) }).map(\.range)
    }

    private func places(in bytes: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        guard let text = bytes.baseAddress else { return [] }
        let last = bytes.count - 2
        var (places, position) = ([Range<Int>](), 0)
        // A server can choose secrets that are nearly found at every place, so the time would grow with the square of a text's length.
        var comparisons = 16 * (bytes.count + 64)
        numbers.withUnsafeBufferPointer { numbers in
            while position <= last {
                let key = (Int(text[position]) &<< 5 ^ Int(text[position &+ 1])) & 0xFFF
                position &+= 1
                guard numbers[key] > 0 else { continue }
                let (start, rest) = (position - 1, bytes.count - position + 1)
                for form in lists[Int(numbers[key])] where form.count <= rest {
                    comparisons -= 1
                    guard comparisons < 0 || memcmp(text + start, form, form.count) == 0 else { continue }
                    position = comparisons < 0 ? bytes.count : start + form.count
                    break
                }
                if position > start + 1 { places.append(start..<position) }
            }
        }
        return places
    }

    /// The text in which `%2F`, `\/` and `\u002f` are characters, and the positions of these in the original; `nil` without escapes.
    private static func unescaped(_ bytes: UnsafeBufferPointer<UInt8>) -> (text: [UInt8], positions: [Int])? {
        let count = bytes.count
        guard let text = bytes.baseAddress, escapes.first(in: text, from: 0, to: count) < count else { return nil }
        var (unescaped, positions, position) = ([UInt8](), [Int](), 0)
        unescaped.reserveCapacity(count)
        positions.reserveCapacity(count + 1)
        while position < count {
            var (byte, end) = (text[position], position &+ 1)
            if byte == 0x25 || byte == 0x5C, let escaped = character(of: text, position..<count) {
                (byte, end) = escaped
            }
            unescaped.append(byte)
            positions.append(position)
            position = end
        }
        positions.append(position)
        return (unescaped, positions)
    }

    private static let escapes = ByteSet("%\\")
    /// The byte of an escape; of those of JSON, only that of ASCII, as a character above 7F is several bytes.
    private static func character(of text: UnsafePointer<UInt8>, _ escape: Range<Int>) -> (byte: UInt8, end: Int)? {
        let start = escape.lowerBound + 1
        if text[escape.lowerBound] == UInt8(ascii: "%") {
            guard start + 1 < escape.upperBound, let high = PercentEncoding.value(ofDigit: text[start]),
                let low = PercentEncoding.value(ofDigit: text[start + 1])
            else { return nil }
            return (high << 4 | low, start + 2)
        }
        var scanner = JSONScanner(text, start..<escape.upperBound)
        guard let scalar = scanner.takeEscaped(), scalar.isASCII else { return nil }
        return (UInt8(scalar.value), scanner.position)
    }
}
