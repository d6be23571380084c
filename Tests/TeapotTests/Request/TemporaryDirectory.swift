internal import Foundation

/// A directory for the files of one test, removed after it.
enum TemporaryDirectory {
    /// Calls `body` with an empty directory.
    static func with(_ body: (URL) throws -> Void) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "TeapotTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: directory) }
        try body(directory)
    }
}
