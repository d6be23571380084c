/// Decodes `application/x-www-form-urlencoded` text, which is what httpbin takes queries for.
enum FormDecoder {
    /// The pairs in order. A name without `=` has an empty value.
    static func pairs(_ text: String) -> [(name: String, value: String)] {
        text.utf8.split(separator: UInt8(ascii: "&")).map { pair in
            let halves = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return (decode(halves[0], plusIsSpace: true), halves.count > 1 ? decode(halves[1], plusIsSpace: true) : "")
        }
    }

    /// Takes percent-encoding off. What is not a pair of hex digits after a `%` stays as it is.
    static func decode(_ bytes: some Sequence<UInt8>, plusIsSpace: Bool) -> String {
        let source = Array(bytes)
        var result: [UInt8] = []
        result.reserveCapacity(source.count)
        var index = 0
        while index < source.count {
            let byte = source[index]
            if byte == .percent, index + 2 < source.count, let high = hexValue(source[index + 1]),
                let low = hexValue(source[index + 2])
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(byte == .plus && plusIsSpace ? .space : byte)
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        Character(UnicodeScalar(byte)).hexDigitValue.map { UInt8($0) }
    }
}
