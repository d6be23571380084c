internal import Foundation

/// What has come of a body and was not read yet: a bounded part in memory, the rest in a file without a name.
///
/// Not thread-safe: it is used under the lock of the one who has it.
struct BodyBuffer {
    /// From so many bytes on, more goes to the file.
    static let capacity = 1 << 20
    /// The most bytes that are read from the file at once.
    private static let readLength = 1 << 18

    private var memory = Data()
    private var file: FileHandle?
    private var fileStart = 0
    private var fileEnd = 0

    /// Whether so much is waiting that more had better not come.
    var isFull: Bool { memory.count >= Self.capacity || fileStart < fileEnd }

    mutating func append(_ piece: Data) throws(TeapotError) {
        guard isFull else { return memory.append(piece) }
        // Its name goes at once, the file when the handle does.
        let file = if let file { file } else { try TemporaryFile().open() }
        self.file = file
        try Self.access {
            try file.seek(toOffset: UInt64(fileEnd))
            try file.write(contentsOf: piece)
        }
        fileEnd += piece.count
    }

    /// Takes what came first; `nil` when there is nothing.
    mutating func next() throws(TeapotError) -> Data? {
        guard memory.isEmpty else {
            defer { memory = Data() }
            return memory
        }
        guard let file, fileStart < fileEnd else { return nil }
        let length = min(fileEnd - fileStart, Self.readLength)
        let piece = try Self.access {
            try file.seek(toOffset: UInt64(fileStart))
            return try file.read(upToCount: length)
        }
        guard let piece, !piece.isEmpty else {
            throw .fileError(FileManager.default.temporaryDirectory, "a file became shorter while it was read")
        }
        fileStart += piece.count
        if fileStart == fileEnd {
            (fileStart, fileEnd) = (0, 0)
            try Self.access { try file.truncate(atOffset: 0) }
        }
        return piece
    }

    private static func access<Value>(_ body: () throws -> Value) throws(TeapotError) -> Value {
        try TeapotError.naming(FileManager.default.temporaryDirectory, body)
    }
}
