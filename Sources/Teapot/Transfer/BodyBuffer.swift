internal import Foundation

/// What has come of a body and was not read yet: a bounded part in memory, the rest in a file without a name.
///
/// Not thread-safe: it is used under the lock of the one who has it.
struct BodyBuffer {
    /// The most bytes in memory.
    static let capacity = 1 << 20
    /// The most bytes that are read from the file at once.
    private static let readSize = 1 << 18

    private var memory = Data()
    private var file: FileHandle?
    private var fileStart: UInt64 = 0
    private var fileEnd: UInt64 = 0

    var isEmpty: Bool { memory.isEmpty && fileStart == fileEnd }

    /// Whether so much is waiting that more had better not come.
    var isFull: Bool { memory.count >= Self.capacity || fileStart < fileEnd }

    mutating func append(_ piece: Data) throws {
        guard isFull else { return memory.append(piece) }
        let file = try file ?? Self.makeFile()
        self.file = file
        try file.seek(toOffset: fileEnd)
        try file.write(contentsOf: piece)
        fileEnd += UInt64(piece.count)
    }

    /// Takes what came first; `nil` when there is nothing.
    mutating func next() throws -> Data? {
        guard memory.isEmpty else {
            defer { memory = Data() }
            return memory
        }
        guard let file, fileStart < fileEnd else { return nil }
        try file.seek(toOffset: fileStart)
        let count = Int(min(fileEnd - fileStart, UInt64(Self.readSize)))
        guard let piece = try file.read(upToCount: count), !piece.isEmpty else {
            throw CocoaError(.fileReadCorruptFile)
        }
        fileStart += UInt64(piece.count)
        if fileStart == fileEnd {
            try file.truncate(atOffset: 0)
            (fileStart, fileEnd) = (0, 0)
        }
        return piece
    }

    /// The file is gone when the handle is.
    private static func makeFile() throws -> FileHandle {
        let temporary = try TemporaryFile()
        return try withExtendedLifetime(temporary) { try FileHandle(forUpdating: temporary.url) }
    }
}
