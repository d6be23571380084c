/// A width and a height as they stand in a file, zero included.
///
/// There is one initialiser for each format. It takes bytes that start with the format's signature, and gives nil when the
/// size is not where the format says.
struct ImageSize {
    var width: UInt32
    var height: UInt32

    init(width: UInt32, height: UInt32) {
        self.width = width
        self.height = height
    }

    /// PNG (third edition, section 11.2.1): the first chunk is IHDR, and starts with the size.
    init?(png bytes: ImageBytes) {
        guard
            bytes.number(at: 8, bytes: 4, .bigEndian) == 13, bytes.matches("IHDR", at: 12),
            let width = bytes.number(at: 16, bytes: 4, .bigEndian), width <= Int32.max,
            let height = bytes.number(at: 20, bytes: 4, .bigEndian), height <= Int32.max
        else { return nil }

        self.init(width: width, height: height)
    }

    /// GIF89a, section 18: the size of the logical screen follows the signature.
    init?(gif bytes: ImageBytes) {
        guard
            let width = bytes.number(at: 6, bytes: 2, .littleEndian),
            let height = bytes.number(at: 8, bytes: 2, .littleEndian)
        else { return nil }

        self.init(width: width, height: height)
    }

    /// BMP: the old BITMAPCOREHEADER of 12 bytes has a 16-bit size; the others, a signed 32-bit one, where a negative
    /// height means that the top row comes first.
    init?(bmp bytes: ImageBytes) {
        if bytes.bitmapHeaderSize == 12 {
            guard
                let width = bytes.number(at: 18, bytes: 2, .littleEndian),
                let height = bytes.number(at: 20, bytes: 2, .littleEndian)
            else { return nil }

            self.init(width: width, height: height)
        } else {
            guard
                let width = bytes.number(at: 18, bytes: 4, .littleEndian), width <= Int32.max,
                let height = bytes.number(at: 22, bytes: 4, .littleEndian)
            else { return nil }

            self.init(width: width, height: Int32(bitPattern: height).magnitude)
        }
    }
}
