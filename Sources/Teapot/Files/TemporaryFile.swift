internal import Foundation

/// A file in the directory for temporary files that goes when the last reference to it does.
final class TemporaryFile: Sendable {
    let url: URL

    /// Makes an empty file, which other users cannot read.
    ///
    /// - Throws: `fileError` when it cannot be made.
    init() throws(TeapotError) {
        url = FileManager.default.temporaryDirectory.appending(path: "Teapot-\(UUID().uuidString)")
        _ = try FileHandle.open(url, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
    }

    deinit {
        unlink(url.path)
    }

    /// Opens the file to write and read it.
    func open() throws(TeapotError) -> FileHandle {
        try .open(url, O_RDWR | O_NOFOLLOW)
    }
}

extension TemporaryFile: Hashable {
    static func == (lhs: TemporaryFile, rhs: TemporaryFile) -> Bool { lhs.url == rhs.url }

    func hash(into hasher: inout Hasher) { hasher.combine(url) }
}

extension FileHandle {
    /// Opens a file in the way of `open(2)`; never a terminal, never one that children of the process inherit, and without
    /// waiting for the other end of a FIFO.
    static func open(_ url: URL, _ flags: Int32, mode: mode_t = 0o666) throws(TeapotError) -> FileHandle {
        let descriptor = Foundation.open(url.path, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, mode)
        guard descriptor >= 0 else { throw .fileError(url, errno: errno) }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }
}

extension TeapotError {
    /// Does something with a file, and names the file in the error, with the system's reason where Foundation tells it.
    static func naming<Value>(_ url: URL, _ access: () throws -> Value) throws(TeapotError) -> Value {
        do {
            return try access()
        } catch let error as TeapotError {
            throw error
        } catch {
            let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
            if let cause = cause as NSError?, cause.domain == NSPOSIXErrorDomain {
                throw .fileError(url, errno: Int32(clamping: cause.code))
            }
            throw .fileError(url, error.localizedDescription)
        }
    }
}
