import Foundation

/// Splits bytes into lines at LF, CR LF or CR.
struct LineSplitter {
    private var bytes: [UInt8] = []
    private var position = Position()

    /// The number of bytes after the lines taken.
    var count: Int { bytes.count - position.taken }

    @inline(never) mutating func append(_ piece: Data) {
        bytes.removeFirst(position.taken)
        position.rebase()
        bytes += piece
    }

    mutating func next() -> String? { bytes.withUnsafeBytes { position.next(in: $0) }.map(text) }

    mutating func next(maximum: Int) -> [String] {
        var lines: [String] = []
        while lines.count < maximum, let line = next() { lines.append(line) }
        return lines
    }

    /// The rest at the end; `nil` if it is empty.
    mutating func last() -> String? {
        defer { self = LineSplitter() }
        return count == 0 ? nil : text(position.taken..<bytes.count)
    }

    private func text(_ range: Range<Int>) -> String {
        bytes.withUnsafeBytes { String(decoding: $0[range], as: UTF8.self) }
    }
}

/// The state of a search for lines in some bytes.
private struct Position {
    /// The number of bytes at the beginning that belong to lines taken.
    private(set) var taken = 0
    /// The number of bytes at the beginning whose line breaks were taken.
    private var searched = 0
    /// The index of the next LF, or the number of bytes if there is none; less than ``searched`` if unknown. It is kept because in text
    /// without LF each line's search for an LF would go through all of the rest.
    private var nextLineFeed = -1
    /// Whether the last line ended in CR, so that a following LF belongs to it.
    private var skipsLineFeed = false

    /// Follows the removal of the lines taken, after which other bytes may be appended.
    mutating func rebase() {
        searched = max(searched - taken, 0)
        taken = 0
        nextLineFeed = -1
    }

    /// Takes the next complete line, and gives the range of its text.
    mutating func next(in bytes: UnsafeRawBufferPointer) -> Range<Int>? {
        guard let start = bytes.baseAddress else { return nil }
        if skipsLineFeed, taken < bytes.count {
            if bytes[taken] == UInt8(ascii: "\n") { taken += 1 }
            skipsLineFeed = false
        }
        searched = max(searched, taken)
        let rest = start + searched
        let distance = { (byte: UInt8, limit: Int) in
            memchr(rest, Int32(byte), limit).map { rest.distance(to: UnsafeRawPointer($0)) } ?? limit
        }
        if nextLineFeed < searched { nextLineFeed = searched + distance(UInt8(ascii: "\n"), bytes.count - searched) }
        searched += distance(UInt8(ascii: "\r"), nextLineFeed - searched)
        guard searched < bytes.count else { return nil }
        skipsLineFeed = bytes[searched] == UInt8(ascii: "\r")
        defer { taken = searched + 1 }
        return taken..<searched
    }
}
