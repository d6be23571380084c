import Foundation
import Testing

/// A folder that is made for one test, and removed after it.
enum TemporaryFolder {
    /// Calls `body` with a bundle that is a plain folder, as the build directory is one. The files in it are given as texts
    /// by path, such as `A.resources/get.json`.
    static func with(_ files: [String: String], _ body: (Bundle) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "TeapotMock-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }

        for (path, text) in files {
            let file = folder.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: file)
        }
        try body(#require(Bundle(path: folder.path)))
    }
}
