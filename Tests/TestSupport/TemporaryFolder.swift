package import Foundation

/// A folder of its own for one test, which goes with the last reference to it.
package final class TemporaryFolder: Sendable {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "TeapotTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// Calls `body` with an empty folder, which goes after that.
    package static func with(_ body: (URL) throws -> Void) throws {
        let folder = try TemporaryFolder()
        try withExtendedLifetime(folder) { try body(folder.url) }
    }

    package func file(_ name: String) -> URL { url.appending(path: name) }

    /// The names of the files in the folder.
    package var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
    }

    /// The text of a file; `nil` if there is none.
    package func text(_ name: String) -> String? {
        (try? Data(contentsOf: file(name))).map { String(decoding: $0, as: UTF8.self) }
    }

    package func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: file(name))
    }
}
