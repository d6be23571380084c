import Foundation

/// A temporary directory, which is removed with its contents when the last reference is released.
final class TemporaryDirectory: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "TeapotExample-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit {
        remove()
    }

    /// Makes a directory in it.
    func makeDirectory(_ name: String) throws -> URL {
        let directory = url.appending(path: name)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        return directory
    }

    func remove() {
        try? FileManager.default.removeItem(at: url)
    }
}
