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
