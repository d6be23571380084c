import Foundation

/// A file of the package, read line by line.
struct TextFile: Sendable {
    /// The path from the package's root.
    let path: String

    let lines: [String]

    /// The lines as samples are compared: without indentation, and without the blank ones.
    let significantLines: [String]

    init(path: String, text: String) {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        significantLines = lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
}
