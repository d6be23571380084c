import Foundation

/// The files of this package that hold documentation, found from the place of this source file.
enum PackageFiles {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The pages that are read in the repository, and link to other files.
    static func pages() throws -> [TextFile] {
        let isReadme = { (path: String) in
            path == "README.md" || path.hasSuffix("/README.md") && !path.contains(".build/")
        }
        return try ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(file)
            + [".ci", "Sources", "Tests"].flatMap { try files(below: $0, where: isReadme) }
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
