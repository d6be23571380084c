internal import Foundation

/// A regular file, read piece by piece.
package struct RegularFile {
    /// In bytes.
    package static let pieceLength = 262_144

    /// In bytes, when it was opened.
    package let size: Int
    private let url: URL
    private let handle: FileHandle
    private var position = 0

    /// The size of a file in bytes, symbolic links followed.
    ///
    /// - Throws: `fileError` unless it is a regular file that can be read.
    package static func size(of url: URL) throws(TeapotError) -> Int {
        guard url.isFileURL else { throw .fileError(url, "it is not the URL of a file") }
        var status = stat()
        guard stat(url.path, &status) == 0 else { throw .fileError(url, errno: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .fileError(url, "it is not a regular file") }
        guard access(url.path, R_OK) == 0 else { throw .fileError(url, errno: errno) }
        return Int(clamping: status.st_size)
    }

    /// Opens a file.
    ///
    /// - Throws: `fileError` unless it is a regular file that can be read.
    package init(reading url: URL) throws(TeapotError) {
        size = try Self.size(of: url)
        handle = try .open(url, O_RDONLY)
        self.url = url
    }

    /// Reads on. A file that grows meanwhile is read to its new end.
    ///
    /// - Returns: ``pieceLength`` bytes, fewer where the file ends, none behind its end.
    /// - Throws: `fileError` when reading fails, or when the file is shorter than it was when it was opened.
    package mutating func nextPiece() throws(TeapotError) -> Data {
        let piece = try TeapotError.naming(url) { try handle.read(upToCount: Self.pieceLength) ?? Data() }
        position += piece.count
        guard piece.count == Self.pieceLength || position >= size else {
            throw .fileError(url, "it became shorter while it was read")
        }
        return piece
    }
}
