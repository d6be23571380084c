/// A set of ASCII characters, looked up by their byte.
package struct ByteSet: Sendable {
    package static let digits = ByteSet("0123456789")
    /// The blanks of JSON (RFC 8259, section 2).
    package static let blanks = ByteSet(" \t\r\n")
    static let alphanumerics = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    static let letters = ByteSet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")

    /// A bit for each of the 128 characters.
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    @inline(never) package init(_ characters: String) {
        for byte in characters.utf8 {
            if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 63) }
        }
    }

    package func contains(_ byte: UInt8) -> Bool {
        // A shift that checks its operand takes much longer in debug builds.
        byte < 128 && (byte < 64 ? low : high) &>> UInt64(truncatingIfNeeded: byte) & 1 == 1
    }

    @inline(never) package func contains(allOf text: String) -> Bool {
        var text = text
        return text.withUTF8(contains(allOf:))
    }

    package func contains(allOf text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = text.baseAddress else { return true }
        var (position, count) = (0, text.count)
        while position < count, contains(start[position]) { position += 1 }
        return position == count
    }

    /// The number that a text of ASCII digits stands for; `nil` for any other, and beyond 63 bits. `Int(_:)` takes 3 KB in each module.
    @inline(never) package static func number(of text: String) -> Int? {
        digits.contains(allOf: text) ? Int(text) : nil
    }

    @inline(never) func contains(noneOf text: String) -> Bool {
        var text = text
        return text.withUTF8 { text in
            text.baseAddress.map { first(in: $0, from: 0, to: text.count) } ?? 0 == text.count
        }
    }

    /// The position of the first byte of the set in a part of a text; the end of the part without one.
    @inline(never) func first(in text: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
        let (low, high) = (low, high)
        var position = start
        while position < end {
            let byte = text[position]
            // The same as `contains`, whose call takes longer than the rest in debug builds.
            if byte < 128, (byte < 64 ? low : high) &>> UInt64(truncatingIfNeeded: byte) & 1 == 1 { return position }
            position += 1
        }
        return end
    }

    /// The parts of a text between the bytes of the set, at least one; some may be empty.
    /// The standard library's `split` is compiled once more for each closure, to 3 KB.
    @inline(never) package func parts(of text: String) -> [String] {
        var (text, parts) = (text, [String]())
        text.withUTF8 { bytes in
            var start = 0
            for end in 0...bytes.count where end == bytes.count || contains(bytes[end]) {
                parts.append(String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self))
                start = end + 1
            }
        }
        return parts
    }
}
