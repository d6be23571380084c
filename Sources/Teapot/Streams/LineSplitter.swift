import Foundation

/// Splits bytes into lines at LF, CR LF or CR.
struct LineSplitter {
    private var bytes = Data()
    /// The number of bytes at the beginning that belong to lines taken.
    private var taken = 0
    /// The number of bytes at the beginning whose line breaks were taken.
    private var searched = 0
    /// The index of the next LF, or the number of bytes if there is none; `nil` if it is not known. Kept, as in text without LF the
    /// search for one would go through all of the rest for each line.
    private var nextLineFeed: Int?
    /// Whether the last line ended in CR, so that a following LF belongs to it.
    private var skipsLineFeed = false

    /// The number of bytes after the lines taken.
    var count: Int { bytes.count - taken }

    mutating func append(_ piece: Data) {
        // A slice would keep the bytes before it in memory.
        if taken > 0 { bytes = Data(bytes.dropFirst(taken)) }
        searched = max(searched - taken, 0)
        taken = 0
        nextLineFeed = nil
        bytes.append(piece)
    }

    /// The next complete line.
    mutating func next() -> String? {
        // Without `Data`'s own subscript, which takes longer than all else.
        bytes.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return nil }
            if skipsLineFeed, taken < bytes.count {
                if bytes[taken] == Self.lineFeed { taken += 1 }
                skipsLineFeed = false
            }
            searched = max(searched, taken)
            let rest = start + searched
            let distance = { (byte: UInt8, limit: Int) in
                memchr(rest, Int32(byte), limit).map { rest.distance(to: UnsafeRawPointer($0)) } ?? limit
            }
            let lineFeed =
                nextLineFeed.flatMap { $0 < searched ? nil : $0 }
                ?? searched + distance(Self.lineFeed, bytes.count - searched)
            nextLineFeed = lineFeed
            searched += distance(Self.carriageReturn, lineFeed - searched)
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
