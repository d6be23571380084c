import Foundation
import Testing

/// A link of a Markdown page to another file of the package.
struct Link: Sendable, CustomTestStringConvertible {
    /// The page's path and the line's number.
    let location: String

    /// The path from the package's root, without the fragment.
    let path: String

    var testDescription: String { "\(location) to \(path)" }

    /// The relative links of a page: `[text](path)`, `![text](path)` and `[label]: path`, outside of code.
    static func relative(in page: TextFile) -> [Link] {
        var links: [Link] = []
        var fence: Fence?
        for (index, line) in page.lines.enumerated() {
            if let open = fence {
                if open.isClosed(by: line) { fence = nil }
            } else if let open = Fence(line) {
                fence = open
            } else {
                links += targets(in: line).compactMap(path).map { path in
                    let target = URL(filePath: "/\(page.path)").deletingLastPathComponent().appending(path: path)
                    let fromRoot = target.standardizedFileURL.path.dropFirst()
                    return Link(location: "\(page.path):\(index + 1)", path: String(fromRoot))
                }
            }
        }
        return links
    }

    private static func targets(in line: String) -> [String] {
        let prose = line.replacing(/`[^`]*`/, with: "code")
        let inline = prose.matches(of: /\]\(\s*<?([^)\s>]+)/).map(\.1)
        let definitions = prose.matches(of: /^\s*\[[^\]]+\]:\s*<?([^\s>]+)/).map(\.1)
        return (inline + definitions).map(String.init)
    }

    /// The file that a target names, or nil where it names none: a URL, or a heading of the same page.
    private static func path(of target: String) -> String? {
        guard target.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:/) == nil else { return nil }
        let path = target.prefix { $0 != "#" }
        return path.isEmpty ? nil : path.removingPercentEncoding ?? String(path)
    }
}
