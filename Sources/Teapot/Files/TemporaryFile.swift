import Foundation

/// A file in the temporary directory that is removed with its last reference.
final class TemporaryFile: Sendable {
    let url: URL

    /// Makes an empty file, which other users cannot read.
    /// - Throws: `fileError` when it cannot be made.
    init() throws(TeapotError) {
        url = FileManager.default.temporaryDirectory.appending(path: "Teapot-\(String.randomToken())")
        _ = try FileHandle.open(url, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
    }

    deinit { unlink(url.path) }

    /// Opens the file for reading and writing.
    func open() throws(TeapotError) -> FileHandle { try .open(url, O_RDWR | O_NOFOLLOW) }
}

extension FileHandle {
    /// Opens a file as `open(2)` does, but never as a controlling terminal, never inherited by child processes, and without
    /// waiting for the other end of a FIFO.
    static func open(_ url: URL, _ flags: Int32, mode: mode_t = 0o666) throws(TeapotError) -> FileHandle {
        let descriptor = Foundation.open(url.path, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, mode)
        guard descriptor >= 0 else { throw .fileError(url, errno: errno) }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }
}

extension TeapotError {
    /// Accesses a file, and adds its name to any error, with the system's reason if Foundation provides it.
    static func naming<Value>(_ url: URL, _ access: () throws -> Value) throws(TeapotError) -> Value {
        do { return try access() } catch { throw fileError(url, error) }
    }

    @inline(never) private static func fileError(_ url: URL, _ error: any Error) -> TeapotError {
        if let error = error as? TeapotError { return error }
        let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
        guard let cause = cause as NSError?, cause.domain == NSPOSIXErrorDomain else {
            return .fileError(url, error.localizedDescription)
        }
        return .fileError(url, errno: Int32(clamping: cause.code))
    }
}
