import Foundation
import TestSupport
import Testing

extension TemporaryFolder {
    /// Calls `body` with a bundle that is a plain folder, as the build directory is one. The files in it are given as texts
    /// by path, such as `A.resources/get.json`.
    static func with(_ files: [String: String], _ body: (Bundle) throws -> Void) throws {
        try with { folder in
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
}
