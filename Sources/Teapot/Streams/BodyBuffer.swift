import Foundation

/// The part of a body that has not been read yet and is too large for memory, in one unnamed file. Only its owner's queue uses it.
///
/// The file is divided into blocks. Blocks that were read are reused, and unused ones at the end are cut off.
struct BodyBuffer {
    /// A block of the file, and the part of it that has not been read.
    private struct Block {
        let number: Int
        var start = 0
        var end = 0
    }

    /// The size of a block in bytes.
    private static let blockLength = 1 << 24
    private static var directory: URL { FileManager.default.temporaryDirectory }

    /// `nil` while the file is empty.
    private var file: FileHandle?
    /// The blocks with unread bytes, in the order in which they are read.
    private var blocks: [Block] = []
    var isEmpty: Bool { blocks.isEmpty }

    mutating func append(_ piece: Data) throws(TeapotError) {
        // The name of the file is removed at once, so that the file ends with its handle.
        let file = if let file { file } else { try TemporaryFile().open() }
        self.file = file
        var rest = piece
        while !rest.isEmpty {
            if blocks.last.map({ $0.end == Self.blockLength }) ?? true { blocks.append(Block(number: freeNumber)) }
            let last = blocks.count - 1
            let part = rest.prefix(Self.blockLength - blocks[last].end)
            try TeapotError.naming(Self.directory) {
                try file.seek(toOffset: UInt64(blocks[last].number * Self.blockLength + blocks[last].end))
                try file.write(contentsOf: part)
            }
            blocks[last].end += part.count
            rest = rest.dropFirst(part.count)
        }
    }

    /// Takes the first piece; `nil` when there is none.
    mutating func next() throws(TeapotError) -> Data? {
        guard let file, let first = blocks.first else { return nil }
        let piece = try TeapotError.naming(Self.directory) {
            try file.seek(toOffset: UInt64(first.number * Self.blockLength + first.start))
            return try file.read(upToCount: min(first.end - first.start, RegularFile.pieceLength))
        }
        guard let piece, !piece.isEmpty else {
            throw .fileError(Self.directory, "a file became shorter while it was being read")
        }
        blocks[0].start += piece.count
        if blocks[0].start == blocks[0].end { try removeFirst(of: file) }
        return piece
    }

    /// The first unused block of the file.
    private var freeNumber: Int {
        (0..<blocks.count).first { number in !blocks.contains { $0.number == number } } ?? blocks.count
    }

    private mutating func removeFirst(of file: FileHandle) throws(TeapotError) {
        let removed = blocks.removeFirst()
        guard let last = blocks.map(\.number).max() else { return self.file = nil }
        guard removed.number > last else { return }
        try TeapotError.naming(Self.directory) { try file.truncate(atOffset: UInt64((last + 1) * Self.blockLength)) }
    }
}
