extension ImageSize {
    /// JPEG (ITU-T T.81, annex B): the size stands in the frame header, somewhere behind other segments.
    ///
    /// A height of zero, which promises the height in a later DNL segment, is read as zero.
    init?(jpeg bytes: ImageBytes) {
        var offset: UInt64 = 2
        while true {
            guard bytes.byte(at: offset) == 0xFF else { return nil }
            // Any number of fill bytes may stand in front of a marker (B.1.1.2).
            while bytes.byte(at: offset) == 0xFF { offset += 1 }
            guard let marker = bytes.byte(at: offset) else { return nil }
            offset += 1

            switch marker {
            case 0x01, 0xD0...0xD8:
                // TEM, RSTn and SOI stand alone.
                continue
            case 0x00, 0xD9, 0xDA:
                // A stuffed byte, the end of the image, or its scan: no frame header comes any more.
                return nil
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                // SOFn: length, precision, height, width, … The gaps are DHT, JPG and DAC.
                guard
                    let length = bytes.number(at: offset, bytes: 2, .bigEndian), length >= 8,
                    let height = bytes.number(at: offset + 3, bytes: 2, .bigEndian),
                    let width = bytes.number(at: offset + 5, bytes: 2, .bigEndian)
                else { return nil }

                self.init(width: width, height: height)
                return
            default:
                // The length counts its own two bytes.
                guard let length = bytes.number(at: offset, bytes: 2, .bigEndian), length >= 2 else { return nil }
                offset += UInt64(length)
            }
        }
    }
}
