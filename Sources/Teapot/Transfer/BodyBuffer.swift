internal import Foundation

/// What has come of a body and was not read yet: a bounded part in memory, the rest in files without a name.
///
/// Not thread-safe: it is used under the lock of the one who has it.
struct BodyBuffer {
    /// A part of the rest; the file goes when all of it was read.
    private struct Segment {
        let file: FileHandle
        var start = 0
        var end = 0
    }

    /// From so many bytes on, more goes to files.
    static let capacity = 1 << 20
    /// From so many bytes on, more goes to another file.
    private static let segmentLength = 1 << 24
    /// The most bytes that are read from a file at once.
    private static let readLength = 1 << 18

    private var memory = Data()
    private var segments: [Segment] = []

    /// Whether so much is waiting that more had better not come.
    var isFull: Bool { memory.count >= Self.capacity || !segments.isEmpty }

    mutating func append(_ piece: Data) throws(TeapotError) {
        guard isFull else { return memory.append(piece) }
        if segments.last.map({ $0.end >= Self.segmentLength }) ?? true {
            // Its name goes at once, the file when the handle does.
            segments.append(Segment(file: try TemporaryFile().open()))
        }
        let last = segments.count - 1
        try Self.access {
            try segments[last].file.seek(toOffset: UInt64(segments[last].end))
            try segments[last].file.write(contentsOf: piece)
        }
        segments[last].end += piece.count
    }

    /// Takes what came first; `nil` when there is nothing.
    mutating func next() throws(TeapotError) -> Data? {
        guard memory.isEmpty else {
            defer { memory = Data() }
            return memory
        }
        guard let first = segments.first else { return nil }
        let piece = try Self.access {
            try first.file.seek(toOffset: UInt64(first.start))
            return try first.file.read(upToCount: min(first.end - first.start, Self.readLength))
        }
        guard let piece, !piece.isEmpty else {
            throw .fileError(FileManager.default.temporaryDirectory, "a file became shorter while it was read")
        }
        segments[0].start += piece.count
        if segments[0].start == segments[0].end { segments.removeFirst() }
        return piece
    }

    private static func access<Value>(_ body: () throws -> Value) throws(TeapotError) -> Value {
        try TeapotError.naming(FileManager.default.temporaryDirectory, body)
    }
}
