import Foundation

/// The files of this package that hold documentation, found from the place of this source file.
enum PackageFiles {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The pages at the top level that link to other files.
    static func topLevelPages() throws -> [TextFile] {
        try ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].filter(exists).map(file)
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    static func file(_ path: String) throws -> TextFile {
        try TextFile(path: path, text: text(path))
    }

    static func files(below directory: String, where isIncluded: (String) -> Bool) throws -> [TextFile] {
        try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: directory).path)
            .filter(isIncluded)
            .sorted()
            .map { try file("\(directory)/\($0)") }
    }
}
