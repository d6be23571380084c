/// A set of ASCII characters, looked up by their byte.
package struct ByteSet: Sendable {
    package static let digits = ByteSet("0123456789")
    /// Those of JSON (RFC 8259, section 2).
    package static let blanks = ByteSet(" \t\r\n")
    static let alphanumerics = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    static let letters = ByteSet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")

    /// A bit for each of the 128.
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    init(_ characters: String) {
        for byte in characters.utf8 {
            if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 63) }
        }
    }

    package func contains(_ byte: UInt8) -> Bool {
        // A shift that checks its operand takes much longer in debug builds.
        byte < 128 && (byte < 64 ? low : high) &>> UInt64(truncatingIfNeeded: byte) & 1 == 1
    }

    func contains(allOf text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            guard let start = bytes.baseAddress else { return true }
            var (position, count) = (0, bytes.count)
            while position < count, contains(start[position]) { position += 1 }
            return position == count
        }
    }

    /// The position of the first byte of the set in a part of a text; the end of the part without one.
    func first(in text: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
        let (low, high) = (low, high)
        var position = start
        while position < end {
            let byte = text[position]
            // As `contains`, whose call takes longer than the rest in debug builds.
            if byte < 128, (byte < 64 ? low : high) &>> UInt64(truncatingIfNeeded: byte) & 1 == 1 { return position }
            position += 1
        }
        return end
    }
}
