/// Very many zeros as a deflate stream (RFC 1951), a thousandth of their size: one of them, and then, over and over, "258 bytes
/// like the last one", which takes 13 bits.
package struct DeflatedZeros {
    /// How many there are; a little less than were asked for.
    package let count: Int
    package let stream: [UInt8]

    package init(atMost size: Int) {
        var bytes: [UInt8] = []
        var (buffer, length) = (0, 0)
        func put(_ code: Int, _ bits: Int) {
            for shift in (0..<bits).reversed() {
                buffer |= (code >> shift & 1) << length
                length += 1
                if length == 8 {
                    bytes.append(UInt8(buffer))
                    (buffer, length) = (0, 0)
                }
            }
        }
        // The last block, with fixed codes; the literal 0.
        put(1, 1)
        put(0b10, 2)
        put(0b0011_0000, 8)
        // Eight copies are 13 bytes, and begin again where they began within a byte.
        let start = bytes.count
        for _ in 0..<8 {
            put(0b1100_0101, 8)
            put(0, 5)
        }
        let eight = Array(bytes[start...])
        let times = (size - 1) / (8 * 258)
        for _ in 1..<times { bytes += eight }
        put(0, 7)
        if length > 0 { put(0, 8 - length) }
        count = times * 8 * 258 + 1
        stream = bytes
    }
}
