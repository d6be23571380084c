internal import Foundation

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
