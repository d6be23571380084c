internal import Foundation

/// What can be told of a file before it is read.
enum RegularFile {
    /// The size of a file in bytes, symbolic links followed.
    ///
    /// - Throws: `fileError` unless it is a regular file that can be read.
    static func size(of url: URL) throws(TeapotError) -> Int {
        guard url.isFileURL else { throw .fileError(url, "it is not the URL of a file") }
        var status = stat()
        guard stat(url.path, &status) == 0 else { throw .fileError(url, errno: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .fileError(url, "it is not a regular file") }
        guard access(url.path, R_OK) == 0 else { throw .fileError(url, errno: errno) }
        return Int(status.st_size)
    }
}
