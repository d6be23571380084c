import Foundation
import Testing

/// Bundles that are made for one test, and removed after it.
enum TemporaryBundle {
    /// Calls `body` with a bundle that has these files.
    static func with(_ files: [String: Data], _ body: (Bundle) throws -> Void) throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("Teapot-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }

        for (path, contents) in files {
            let file = directory.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try contents.write(to: file)
        }
        try body(#require(Bundle(path: directory.path)))
    }

    /// Calls `body` with a bundle that has a UTF-8 strings file for each language; `""` stands for none.
    static func with(strings: [String: String], _ body: (Bundle) throws -> Void) throws {
        let files = strings.map { language, text in
            (language.isEmpty ? "Localizable.strings" : "\(language).lproj/Localizable.strings", Data(text.utf8))
        }
        try with(Dictionary(uniqueKeysWithValues: files), body)
    }
}
