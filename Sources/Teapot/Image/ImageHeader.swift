import Foundation

/// The header of an image: its format, and its size in pixels.
///
/// Nothing is decoded, and the data can be anything: data that ends before the size, or has wrong lengths and offsets, is not
/// an image.
struct ImageHeader: Hashable {
    /// The format according to the signature.
    let format: ImageFormat
    /// The width in pixels, 1 or more.
    let pixelWidth: Int
    /// The height in pixels, 1 or more.
    let pixelHeight: Int

    /// Reads the header of an image.
    ///
    /// - Parameter data: The bytes of a file or a body. The result is nil if they are not an image of a known format, or if the
    ///   width or height is zero or unreadable.
    init?(_ data: Data) {
        let bytes = ImageBytes(data)
        guard
            let format = ImageFormat(signatureOf: bytes), let size = Self.size(format, bytes),
            let width = Int(exactly: size.width), width > 0, let height = Int(exactly: size.height), height > 0
        else { return nil }
        (self.format, pixelWidth, pixelHeight) = (format, width, height)
    }

    /// Zero included.
    private typealias Size = (width: UInt32, height: UInt32)

    /// The size in an image that starts with the signature of the format; nil if it is not in its place.
    private static func size(_ format: ImageFormat, _ bytes: ImageBytes) -> Size? {
        switch format {
        case .png:
            // Third edition, section 11.2.1: the first chunk is IHDR, and starts with the size.
            guard bytes.number(at: 8, bytes: 4, .bigEndian) == 13, bytes.matches("IHDR", at: 12) else { return nil }
            return bytes.size(at: 16, bytes: 4, .bigEndian).flatMap { max($0.width, $0.height) <= Int32.max ? $0 : nil }
        case .jpeg: return jpeg(bytes)
        case .gif:
            // GIF89a, section 18: the size of the logical screen follows the signature.
            return bytes.size(at: 6, bytes: 2, .littleEndian)
        case .webp: return webp(bytes)
        case .bmp:
            // The old BITMAPCOREHEADER of 12 bytes has a 16-bit size; the others have a signed 32-bit one, where a negative
            // height means that the top row comes first.
            if bytes.bitmapHeaderSize == 12 { return bytes.size(at: 18, bytes: 2, .littleEndian) }
            guard let size = bytes.size(at: 18, bytes: 4, .littleEndian), size.width <= Int32.max else { return nil }
            return (size.width, Int32(bitPattern: size.height).magnitude)
        case .tiff: return tiff(bytes)
        }
    }

    /// JPEG (ITU-T T.81, annex B): the size is in the frame header, after other segments.
    ///
    /// A height of zero, which announces the height in a later DNL segment, is read as zero.
    private static func jpeg(_ bytes: ImageBytes) -> Size? {
        var offset: UInt64 = 2
        while true {
            guard bytes.byte(at: offset) == 0xFF else { return nil }
            // Any number of fill bytes may precede a marker (B.1.1.2).
            while bytes.byte(at: offset) == 0xFF { offset += 1 }
            guard let marker = bytes.byte(at: offset) else { return nil }
            offset += 1

            switch marker {
            case 0x01, 0xD0...0xD8:
                // TEM, RSTn and SOI have no content.
                continue
            case 0x00, 0xD9, 0xDA:
                // A stuffed byte, the end of the image, or its scan: no frame header follows.
                return nil
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                // SOFn: length, precision, height, width, … The gaps are DHT, JPG and DAC.
                guard let length = bytes.number(at: offset, bytes: 2, .bigEndian), length >= 8 else { return nil }
                return bytes.size(at: offset + 3, bytes: 2, .bigEndian).map { ($0.height, $0.width) }
            default:
                // The length counts its own two bytes.
                guard let length = bytes.number(at: offset, bytes: 2, .bigEndian), length >= 2 else { return nil }
                offset += UInt64(length)
            }
        }
    }

    /// TIFF 6.0, sections 2 and 3: the size is in two entries of the first image file directory.
    ///
    /// Only the first directory is read, so a chain of directories that leads back to itself does no harm.
    private static func tiff(_ bytes: ImageBytes) -> Size? {
        let order: ImageBytes.Order = bytes.matches("MM", at: 0) ? .bigEndian : .littleEndian
        guard
            let directory = bytes.number(at: 4, bytes: 4, order).map(UInt64.init),
            let count = bytes.number(at: directory, bytes: 2, order)
        else { return nil }

        var (width, height): (UInt32?, UInt32?)
        for index in 0..<UInt64(count) {
            let entry = directory + 2 + index * 12
            guard let tag = bytes.number(at: entry, bytes: 2, order) else { return nil }
            if tag == 256 { width = tiffValue(bytes, entry, order) }
            if tag == 257 { height = tiffValue(bytes, entry, order) }
            if let width, let height { return (width, height) }
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

    /// WebP (RFC 9649): the first chunk is `VP8 ` (lossy), `VP8L` (lossless) or `VP8X` (extended), each with a size of its own
    /// shape.
    private static func webp(_ bytes: ImageBytes) -> Size? {
        let start: UInt64 = 20
        if bytes.matches("VP8 ", at: 12) {
            // A key frame (RFC 6386, section 9.1): three bytes of frame tag, the start code, then 14-bit sizes, each below two
            // bits of scale.
            guard let tag = bytes.byte(at: start), tag & 1 == 0, bytes.matches([0x9D, 0x01, 0x2A], at: start + 3) else {
                return nil
            }
            return bytes.size(at: start + 6, bytes: 2, .littleEndian).map { ($0.width & 0x3FFF, $0.height & 0x3FFF) }
        }
        if bytes.matches("VP8L", at: 12) {
            // Section 3.4: the signature byte, then 14 bits each of width and height less one, an alpha bit, and version 0.
            let bits = bytes.number(at: start + 1, bytes: 4, .littleEndian)
            guard bytes.byte(at: start) == 0x2F, let bits, bits >> 29 == 0 else { return nil }
            return ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
        }
        // Section 2.7: four bytes of flags, then 24 bits each of canvas width and height less one.
        guard bytes.matches("VP8X", at: 12) else { return nil }
        return bytes.size(at: start + 4, bytes: 3, .littleEndian).map { ($0.width + 1, $0.height + 1) }
    }
}

/// Reads numbers at offsets of some data, never outside it.
///
/// Offsets are 64 bits wide, and come from 32-bit fields of the file at most, so adding to them cannot overflow, even if `Int`
/// has 32 bits.
struct ImageBytes {
    /// The order of the bytes in a number.
    enum Order {
        case littleEndian
        case bigEndian
    }

    private let data: Data

    init(_ data: Data) {
        self.data = data
    }

    /// The unsigned number in `count` bytes, four at most; nil beyond the end.
    func number(at offset: UInt64, bytes count: UInt64, _ order: Order) -> UInt32? {
        let available = UInt64(data.count)
        guard offset <= available, count <= available - offset, count <= 4 else { return nil }

        // A slice of data does not start at index 0. The offset is inside the data, so it fits an Int.
        let start = data.startIndex + Int(offset)
        let field = data[start..<start + Int(count)]
        return switch order {
        case .littleEndian: field.reversed().reduce(0) { $0 << 8 | UInt32($1) }
        case .bigEndian: field.reduce(0) { $0 << 8 | UInt32($1) }
        }
    }

    /// A width, and a height after it, of as many bytes each; nil beyond the end.
    func size(at offset: UInt64, bytes count: UInt64, _ order: Order) -> (width: UInt32, height: UInt32)? {
        guard let width = number(at: offset, bytes: count, order),
            let height = number(at: offset + count, bytes: count, order)
        else { return nil }
        return (width, height)
    }

    /// The byte at an offset; nil beyond the end.
    func byte(at offset: UInt64) -> UInt8? {
        guard offset < UInt64(data.count) else { return nil }
        return data[data.startIndex + Int(offset)]
    }

    /// Whether the bytes at an offset are exactly these.
    func matches(_ expected: [UInt8], at offset: UInt64) -> Bool {
        let available = UInt64(data.count)
        guard offset <= available, UInt64(expected.count) <= available - offset else { return false }
        return data.dropFirst(Int(offset)).starts(with: expected)
    }

    /// Whether the bytes at an offset are exactly this text.
    func matches(_ expected: String, at offset: UInt64) -> Bool {
        matches(Array(expected.utf8), at: offset)
    }

    /// The length in bytes that a bitmap's second header states.
    var bitmapHeaderSize: UInt32? {
        number(at: 14, bytes: 4, .littleEndian)
    }
}
