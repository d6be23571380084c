internal import Foundation

/// A file that goes when the last reference to it does.
final class TemporaryFile: Sendable {
    let url: URL

    /// Makes an empty file of its own in the directory for temporary files, which others cannot read.
    ///
    /// - Throws: `fileError` when it cannot be made.
    init() throws(TeapotError) {
        url = FileManager.default.temporaryDirectory.appending(path: "Teapot-\(UUID().uuidString)")
        let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .fileError(url, errno: errno) }
        close(descriptor)
    }

    deinit {
        unlink(url.path)
    }
}

extension TemporaryFile: Hashable {
    static func == (lhs: TemporaryFile, rhs: TemporaryFile) -> Bool { lhs.url == rhs.url }

    func hash(into hasher: inout Hasher) { hasher.combine(url) }
}
