import Foundation

/// Splits bytes into lines at LF, CR LF or CR.
struct LineSplitter {
    private var bytes = Data()
    /// The number of bytes at the beginning that belong to lines taken.
    private var taken = 0
    /// The number of bytes at the beginning whose line breaks were taken.
    private var searched = 0
    /// Whether the last line ended in CR, so that a following LF belongs to it.
    private var skipsLineFeed = false

    /// The number of bytes after the lines taken.
    var count: Int { bytes.count - taken }

    mutating func append(_ piece: Data) {
        // A slice would keep the bytes before it in memory.
        if taken > 0 { bytes = Data(bytes.dropFirst(taken)) }
        searched = max(searched - taken, 0)
        taken = 0
        bytes.append(piece)
    }

    /// The next complete line.
    mutating func next() -> String? {
        // Without `Data`'s own subscript, which takes longer than all else.
        bytes.withUnsafeBytes { bytes in
            if skipsLineFeed, taken < bytes.count {
                if bytes[taken] == Self.lineFeed { taken += 1 }
                skipsLineFeed = false
            }
            searched = max(searched, taken)
            while searched < bytes.count, bytes[searched] != Self.lineFeed, bytes[searched] != Self.carriageReturn {
                searched += 1
            }
            guard searched < bytes.count else { return nil }
            skipsLineFeed = bytes[searched] == Self.carriageReturn
            defer { taken = searched + 1 }
            return String(decoding: bytes[taken..<searched], as: UTF8.self)
        }
    }

    /// The rest at the end; `nil` if it is empty.
    mutating func last() -> String? {
        defer { self = LineSplitter() }
        return count == 0 ? nil : String(decoding: bytes.dropFirst(taken), as: UTF8.self)
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
}
