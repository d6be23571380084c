internal import Foundation

/// Reads numbers at offsets of some data, none of them outside it.
///
/// Offsets are 64 bits wide, and come from 32-bit fields of the file at most: adding to them cannot overflow, also where
/// `Int` has 32 bits.
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

    /// The unsigned number in `count` bytes, four at most, or nil when they are not all there.
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

    /// The byte at an offset, or nil behind the end.
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

    /// The length that a bitmap's second header gives itself, in bytes.
    var bitmapHeaderSize: UInt32? {
        number(at: 14, bytes: 4, .littleEndian)
    }
}
