import Foundation
import Testing

/// A fenced code block of a Markdown page.
struct CodeBlock: Sendable, CustomTestStringConvertible {
    /// The page's path and the number of the opening fence's line: `README.md:12`.
    let location: String

    /// The first word after the opening fence, in lower case.
    let language: String

    /// The lines between the fences, without indentation, and without the blank ones.
    let lines: [String]

    /// Whether the block shows how to depend on the package, and belongs into a manifest.
    var isManifest: Bool {
        lines.contains { $0.contains(".package(") || $0.contains(".product(") }
    }

    var testDescription: String { location }

    /// Every fenced block of a page. One that is never closed reaches to the page's end, as CommonMark has it.
    static func all(in page: TextFile) -> [CodeBlock] {
        var blocks: [CodeBlock] = []
        var index = 0
        while index < page.lines.count {
            guard let fence = Fence(page.lines[index]) else {
                index += 1
                continue
            }
            let rest = page.lines[(index + 1)...]
            let end = rest.firstIndex(where: fence.isClosed) ?? rest.endIndex
            let content = TextFile(path: page.path, text: rest[..<end].joined(separator: "\n"))
            let location = "\(page.path):\(index + 1)"
            blocks.append(CodeBlock(location: location, language: fence.language, lines: content.significantLines))
            index = end + 1
        }
        return blocks
    }

    /// The Swift blocks of every page.
    static func samples() throws -> [CodeBlock] {
        try PackageFiles.pages().flatMap(all).filter { $0.language == "swift" }
    }
}
