import Foundation

/// Splits bytes into lines at LF, CR LF or CR.
struct LineSplitter {
    private var bytes = Data()
    private var position = Position()

    /// The number of bytes after the lines taken.
    var count: Int { bytes.count - position.taken }

    mutating func append(_ piece: Data) {
        // A slice would keep the bytes before it in memory.
        if position.taken > 0 { bytes = Data(bytes.dropFirst(position.taken)) }
        position.rebase()
        bytes.append(piece)
    }

    /// The next complete line.
    mutating func next() -> String? {
        // Without `Data`'s own subscript, which takes longer than all else.
        bytes.withUnsafeBytes { bytes in position.next(in: bytes).map { String(decoding: bytes[$0], as: UTF8.self) } }
    }

    /// The next complete lines, at most so many.
    mutating func next(maximum: Int) -> [String] {
        bytes.withUnsafeBytes { bytes in
            var lines: [String] = []
            while lines.count < maximum, let line = position.next(in: bytes) {
                lines.append(String(decoding: bytes[line], as: UTF8.self))
            }
            return lines
        }
    }

    /// The rest at the end; `nil` if it is empty.
    mutating func last() -> String? {
        defer { self = LineSplitter() }
        return count == 0 ? nil : String(decoding: bytes.dropFirst(position.taken), as: UTF8.self)
    }
}

/// The state of a search for lines in some bytes.
private struct Position {
    /// The number of bytes at the beginning that belong to lines taken.
    private(set) var taken = 0
    /// The number of bytes at the beginning whose line breaks were taken.
    private var searched = 0
    /// The index of the next LF, or the number of bytes if there is none; `nil` if it is not known. Kept, as in text without LF the
    /// search for one would go through all of the rest for each line.
    private var nextLineFeed: Int?
    /// Whether the last line ended in CR, so that a following LF belongs to it.
    private var skipsLineFeed = false

    /// The bytes of the lines taken are gone, and others may come behind the rest.
    mutating func rebase() {
        searched = max(searched - taken, 0)
        taken = 0
        nextLineFeed = nil
    }

    /// Takes the next complete line, and gives the range of its text.
    mutating func next(in bytes: UnsafeRawBufferPointer) -> Range<Int>? {
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
        return taken..<searched
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
}
