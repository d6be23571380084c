internal import Foundation

/// A regular file, open for reading until the value goes.
package struct RegularFile: ~Copyable {
    /// Bytes in a piece.
    package static let pieceLength = 262_144

    /// Bytes, when it was opened.
    package let size: Int
    private let url: URL
    private let descriptor: Int32
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

    /// Opens a file. A FIFO is refused at once and not waited for.
    ///
    /// - Parameter url: Where the file is.
    /// - Throws: `fileError` unless it is a regular file that can be read.
    package init(reading url: URL) throws(TeapotError) {
        _ = try Self.size(of: url)
        // Looked at again once it is open: by now it may be another file.
        let descriptor = open(url.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw .fileError(url, errno: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let code = errno
            close(descriptor)
            throw .fileError(url, errno: code)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .fileError(url, "it is not a regular file")
        }
        self.url = url
        self.descriptor = descriptor
        size = Int(clamping: status.st_size)
    }

    deinit {
        close(descriptor)
    }

    /// Reads on, so that no more than one piece need be in memory.
    ///
    /// A file that grows meanwhile is read to its new end.
    ///
    /// - Returns: ``pieceLength`` bytes, fewer where the file ends, none behind its end.
    /// - Throws: `fileError` when reading fails, or when the file turns out to be shorter than it was when it was opened:
    ///   what was read is then a part of it at most.
    package mutating func nextPiece() throws(TeapotError) -> Data {
        let length = Self.pieceLength
        var piece = Data(count: length)
        var filled = 0
        while filled < length {
            let count = piece.withUnsafeMutableBytes { bytes in
                let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[filled...])
                return read(descriptor, rest.baseAddress, rest.count)
            }
            let code = errno
            guard count >= 0 || code == EINTR else { throw .fileError(url, errno: code) }
            guard count != 0 else { break }
            filled += max(count, 0)
        }
        position += filled
        guard filled == length || position >= size else {
            throw .fileError(url, "it became shorter while it was read")
        }
        return piece.prefix(filled)
    }
}
