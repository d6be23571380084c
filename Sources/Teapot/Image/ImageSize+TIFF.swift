extension ImageSize {
    /// TIFF 6.0, sections 2 and 3: the size stands in two entries of the first image file directory.
    ///
    /// Only the first directory is read, so a chain of directories that leads back to itself does no harm.
    init?(tiff bytes: ImageBytes) {
        let order: ImageBytes.Order = bytes.matches("MM", at: 0) ? .bigEndian : .littleEndian
        guard
            let directory = bytes.number(at: 4, bytes: 4, order).map(UInt64.init),
            let count = bytes.number(at: directory, bytes: 2, order)
        else { return nil }

        var width: UInt32?
        var height: UInt32?
        for index in 0..<UInt64(count) {
            let entry = directory + 2 + index * 12
            guard let tag = bytes.number(at: entry, bytes: 2, order) else { return nil }
            switch tag {
            case 256: width = Self.tiffValue(bytes, entry, order)
            case 257: height = Self.tiffValue(bytes, entry, order)
            default: continue
            }
            if let width, let height {
                self.init(width: width, height: height)
                return
            }
        }
        return nil
    }

    /// The one SHORT or LONG of an entry: two bytes of tag, two of type, four of count, four of value, a SHORT in the first two.
    private static func tiffValue(_ bytes: ImageBytes, _ entry: UInt64, _ order: ImageBytes.Order) -> UInt32? {
        guard bytes.number(at: entry + 4, bytes: 4, order) == 1 else { return nil }
        return switch bytes.number(at: entry + 2, bytes: 2, order) {
        case 3: bytes.number(at: entry + 8, bytes: 2, order)
        case 4: bytes.number(at: entry + 8, bytes: 4, order)
        default: nil
        }
    }
}
