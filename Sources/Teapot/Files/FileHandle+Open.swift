import Foundation

extension FileHandle {
    /// Opens a file as `open(2)` does, but never as a controlling terminal, never inherited by child processes, and without
    /// waiting for the other end of a FIFO.
    static func open(_ url: URL, _ flags: Int32, mode: mode_t = 0o666) throws(TeapotError) -> FileHandle {
        let descriptor = Foundation.open(url.path, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, mode)
        guard descriptor >= 0 else { throw .fileError(url, errno: errno) }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }
}
