import Foundation

/// A regular file, read piece by piece.
package struct RegularFile: Sendable {
    /// The size of a piece in bytes.
    static let pieceLength = 262_144

    /// The size in bytes when the file was opened.
    var size: Int { version.size }
    let version: Version
    private let url: URL
    private let handle: FileHandle
    private var position = 0

    /// The identity and state of a file at some moment.
    struct Version: Sendable, Equatable {
        let device: dev_t
        let number: ino_t
        let size: Int
        /// The time of the last change.
        private let time: Duration

        fileprivate init(_ status: stat, of url: URL) throws(TeapotError) {
            guard status.st_mode & S_IFMT == S_IFREG else { throw .fileError(url, "it is not a regular file") }
            device = status.st_dev
            number = status.st_ino
            size = Int(clamping: status.st_size)
            #if canImport(Darwin)
                let time = status.st_mtimespec
            #else
                let time = status.st_mtim
            #endif
            self.time = .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }

        /// Whether a later version begins with all bytes of this one, so that the file was changed only at its end.
        func isBeginning(of later: Version) -> Bool {
            (device, number) == (later.device, later.number) && (self == later || size < later.size)
        }
    }

    /// Checks a file, following symbolic links. Throws `fileError` unless it is a readable regular file.
    static func version(of url: URL) throws(TeapotError) -> Version {
        guard url.isFileURL else { throw .fileError(url, "it is not a file URL") }
        var status = stat()
        guard stat(url.path, &status) == 0 else { throw .fileError(url, errno: errno) }
        let version = try Version(status, of: url)
        guard access(url.path, R_OK) == 0 else { throw .fileError(url, errno: errno) }
        return version
    }

    init(reading url: URL) throws(TeapotError) {
        // Opening anything but a regular file, such as a device, can have side effects.
        _ = try Self.version(of: url)
        handle = try .open(url, O_RDONLY)
        guard let status = handle.status else { throw .fileError(url, errno: errno) }
        version = try Version(status, of: url)
        self.url = url
    }

    /// Reads the next piece. A file that grows meanwhile is read to its new end.
    /// - Returns: ``pieceLength`` bytes, fewer at the end of the file, none after it.
    /// - Throws: `fileError` if reading fails, or if the file became shorter than when it was opened.
    mutating func nextPiece() throws(TeapotError) -> Data {
        let piece = try TeapotError.naming(url) { try handle.read(upToCount: Self.pieceLength) ?? Data() }
        position += piece.count
        guard piece.count == Self.pieceLength || position >= size else { throw shortness }
        return piece
    }

    /// Reads some of the bytes, on any thread. Several threads can read at once.
    /// - Throws: `fileError` if reading fails, or if the file does not have all of them.
    package func bytes(_ range: Range<Int>) throws(TeapotError) -> [UInt8] {
        // With this initializer an empty array writes to the storage that all empty arrays share.
        guard !range.isEmpty else { return [] }
        var code: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            while count < range.count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
                let added = pread(handle.fileDescriptor, rest.baseAddress, rest.count, off_t(range.lowerBound + count))
                if added < 0, errno == EINTR { continue }
                if added < 0 { code = errno }
                guard added > 0 else { return }
                count += added
            }
        }
        guard code == 0 else { throw .fileError(url, errno: code) }
        guard bytes.count == range.count else { throw shortness }
        return bytes
    }

    private var shortness: TeapotError { .fileError(url, "it became shorter while it was being read") }
}

extension FileHandle {
    /// Opens a file as `open(2)` does, but never as a controlling terminal, never inherited by child processes, and without
    /// waiting for the other end of a FIFO.
    static func open(_ url: URL, _ flags: Int32, mode: mode_t = 0o666) throws(TeapotError) -> FileHandle {
        let descriptor = Foundation.open(url.path, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, mode)
        guard descriptor >= 0 else { throw .fileError(url, errno: errno) }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// The status of the file; `nil` if it cannot be read, for the reason in `errno`.
    var status: stat? {
        var status = stat()
        return fstat(fileDescriptor, &status) == 0 ? status : nil
    }
}
