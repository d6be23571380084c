import Foundation

/// Splits bytes into lines at LF, CR LF or CR.
struct LineSplitter {
    private var bytes = Data()
    /// The number of searched bytes, after the lines taken, without a line break.
    private var searched = 0
    /// Whether the last line ended in CR, so that a following LF belongs to it.
    private var skipsLineFeed = false

    /// The number of bytes after the lines taken.
    var count: Int { bytes.count }

    @inline(never)
    mutating func append(_ chunk: Data) {
        // A slice keeps the bytes before it in memory.
        if bytes.startIndex > 0 { bytes = Data(bytes) }
        bytes.append(chunk)
    }

    /// The next complete line.
    mutating func next() -> String? {
        if skipsLineFeed, let first = bytes.first {
            if first == Self.lineFeed { bytes = bytes.dropFirst() }
            skipsLineFeed = false
        }
        let start = bytes.startIndex
        // Without `Data`'s own subscript, which takes longer than all else.
        let length = bytes.withUnsafeBytes { bytes in
            var index = searched
            while index < bytes.count, bytes[index] != Self.lineFeed, bytes[index] != Self.carriageReturn { index += 1 }
            return index
        }
        guard length < count else {
            searched = length
            return nil
        }
        let end = start + length
        defer {
            skipsLineFeed = bytes[end] == Self.carriageReturn
            bytes = bytes[(end + 1)...]
            searched = 0
        }
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    /// The rest at the end; `nil` if it is empty.
    mutating func last() -> String? {
        defer { (bytes, searched) = (Data(), 0) }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
}
