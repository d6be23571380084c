/// A set of ASCII characters, looked up by their byte.
package struct ByteSet: Sendable {
    package static let digits = ByteSet("0123456789")
    static let alphanumerics = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

    /// A bit for each of the 128.
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    init(_ characters: String) {
        for byte in characters.utf8 {
            if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 63) }
        }
    }

    package func contains(_ byte: UInt8) -> Bool {
        byte < 128 && (byte < 64 ? low : high) >> UInt64(byte & 63) & 1 == 1
    }
}

extension [UInt8] {
    /// The index of the first byte of a set, from a given index; without one, the end.
    func firstIndex(in set: ByteSet, from start: Int) -> Int {
        var position = start
        while position < count, !set.contains(self[position]) { position += 1 }
        return position
    }

    /// The byte in hexadecimal digits; `nil` if they are missing, or their value is larger.
    func hexadecimal(_ range: Range<Int>) -> UInt8? {
        guard range.upperBound <= count else { return nil }
        let digits = self[range]
        guard digits.allSatisfy(PercentEncoding.hexadecimal.contains) else { return nil }
        return UInt8(exactly: digits.reduce(0) { $0 << 4 | UInt($1 & 0xF + ($1 > UInt8(ascii: "9") ? 9 : 0)) })
    }
}
