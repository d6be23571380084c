extension ImageSize {
    /// WebP (RFC 9649): the first chunk is `VP8 ` (lossy), `VP8L` (lossless) or `VP8X` (extended), each with a size of its own shape.
    init?(webp bytes: ImageBytes) {
        let payload: UInt64 = 20
        if bytes.matches("VP8 ", at: 12) {
            self.init(lossyWebP: bytes, at: payload)
        } else if bytes.matches("VP8L", at: 12) {
            self.init(losslessWebP: bytes, at: payload)
        } else if bytes.matches("VP8X", at: 12) {
            self.init(extendedWebP: bytes, at: payload)
        } else {
            return nil
        }
    }

    /// A VP8 key frame (RFC 6386, section 9.1): three bytes of frame tag, the start code, then 14-bit sizes, each below two bits of scale.
    private init?(lossyWebP bytes: ImageBytes, at offset: UInt64) {
        guard
            let tag = bytes.byte(at: offset), tag & 1 == 0,
            bytes.matches([0x9D, 0x01, 0x2A], at: offset + 3),
            let width = bytes.number(at: offset + 6, bytes: 2, .littleEndian),
            let height = bytes.number(at: offset + 8, bytes: 2, .littleEndian)
        else { return nil }

        self.init(width: width & 0x3FFF, height: height & 0x3FFF)
    }

    /// RFC 9649, section 3.4: the signature byte, then 14 bits each of width and height less one, an alpha bit, and version 0.
    private init?(losslessWebP bytes: ImageBytes, at offset: UInt64) {
        guard
            bytes.byte(at: offset) == 0x2F,
            let bits = bytes.number(at: offset + 1, bytes: 4, .littleEndian), bits >> 29 == 0
        else { return nil }

        self.init(width: (bits & 0x3FFF) + 1, height: (bits >> 14 & 0x3FFF) + 1)
    }

    /// RFC 9649, section 2.7: four bytes of flags, then 24 bits each of canvas width and height less one.
    private init?(extendedWebP bytes: ImageBytes, at offset: UInt64) {
        guard
            let width = bytes.number(at: offset + 4, bytes: 3, .littleEndian),
            let height = bytes.number(at: offset + 7, bytes: 3, .littleEndian)
        else { return nil }

        self.init(width: width + 1, height: height + 1)
    }
}
