import Foundation
import LoopbackServer

/// The content of files, piece by piece, since it may not fit into memory.
extension TransferTrials {
    private static let pieceSize = 1 << 20

    private var pieces: [Range<Int>] {
        stride(from: 0, to: size, by: Self.pieceSize).map { $0..<min($0 + Self.pieceSize, size) }
    }

    /// Writes the server's file.
    func writeContent(to file: URL) throws {
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        for range in pieces { try handle.write(contentsOf: GeneratedFile.bytes(range)) }
        try handle.close()
    }

    /// Compares a file with that of the server, byte by byte.
    func expectContent(of file: URL) throws {
        let handle = try FileHandle(forReadingFrom: file)
        for range in pieces {
            guard try handle.read(upToCount: range.count) == GeneratedFile.bytes(range) else {
                throw Mismatch(
                    expected: "the server's bytes",
                    found: "others between \(range.lowerBound) and \(range.upperBound)"
                )
            }
        }
        let rest = try handle.read(upToCount: 1) ?? Data()
        try expect(0, found: rest.count)
    }

    /// The size in bytes; 0 if the file does not exist.
    func size(of file: URL) -> Int {
        var status = stat()
        return stat(file.path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Checks that these files, and no others, are in a directory.
    func expectFiles(_ names: Set<String>, in directory: URL) throws {
        try expect(names, found: Set(FileManager.default.contentsOfDirectory(atPath: directory.path)))
    }
}
