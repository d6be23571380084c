import Foundation

/// The files of this package that hold documentation, found from the place of this source file.
enum PackageFiles {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent()

    /// README.md and every page of the DocC catalogs: the pages whose samples are compiled.
    static func pages() throws -> [TextFile] {
        let catalogs = try files(below: "Sources") { path in
            path.hasSuffix(".md") && path.split(separator: "/").contains { $0.hasSuffix(".docc") }
        }
        return try [file("README.md")] + catalogs
    }

    /// The pages at the top level that link to other files.
    static func topLevelPages() throws -> [TextFile] {
        try ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].filter(exists).map(file)
    }

    /// The sources that samples must stand in. They are part of this target, or of a package that CI builds, so they are known
    /// to compile.
    static let samples = Result {
        try ["Tests/DocumentationTests", "Tests/Dependent/Tests/DependentTests"].flatMap { folder in
            try files(below: folder) { path in path.hasPrefix("Samples") && path.hasSuffix(".swift") }
        }
    }

    /// The manifest that lines about depending on Teapot must stand in. CI builds it.
    static func manifest() throws -> TextFile {
        try file("Tests/Dependent/Package.swift")
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
