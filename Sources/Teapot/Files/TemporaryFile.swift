import Foundation

/// A file in the temporary directory that is removed with its last reference.
final class TemporaryFile: Sendable {
    let url: URL

    /// Makes an empty file, which other users cannot read.
    init() throws(TeapotError) {
        url = FileManager.default.temporaryDirectory.appending(path: "Teapot-\(String.randomToken())")
        _ = try FileHandle.open(url, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
    }

    deinit { unlink(url.path) }
    func open() throws(TeapotError) -> FileHandle { try .open(url, O_RDWR | O_NOFOLLOW) }
}
