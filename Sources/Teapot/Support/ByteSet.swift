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
        // A shift that checks its operand takes much longer in debug builds.
        byte < 128 && (byte < 64 ? low : high) &>> UInt64(byte) & 1 == 1
    }
}
