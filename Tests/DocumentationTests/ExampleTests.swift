import Foundation
import TestTraits
import Testing

/// The code that `swift run TeapotExample` shows is the code that it runs.
@Suite(.inTurn)
struct ExampleTests {
    /// The argument `code` of a step.
    struct ShownCode: CustomTestStringConvertible {
        let code: CodeBlock
        /// The lines after it, which begin with the body of the step.
        let body: TextFile

        var testDescription: String { code.location }
    }

    @Test func `shows six to nine steps`() throws {
        #expect(try (6...9).contains(Self.shown().count))
    }

    @Test(arguments: try shown())
    func `shown code runs`(_ shown: ShownCode) throws {
        try #require(!shown.code.lines.isEmpty)
        let search = Search(for: shown.code.lines, in: [shown.body])
        let line = shown.code.lines.dropFirst(search.matched).first
        #expect(line == nil, "\(shown.code.location): the step does not run the line that it shows: \(line ?? "")")
    }

    @Test func `pages to read next exist`() throws {
        let file = try PackageFiles.file("\(Self.directory)/Walkthrough.swift")
        var count = 0
        for line in file.significantLines where line.contains(".md") {
            let words = line.split { $0 == " " || $0 == "," }.map(String.init)
            let catalog = words.first.flatMap { $0.hasSuffix(".docc") ? "\($0)/" : nil } ?? ""
            for page in words where page.hasSuffix(".md") {
                #expect(PackageFiles.exists(catalog + page), "\(catalog)\(page)")
                count += 1
            }
        }
        #expect(count >= 4)
    }

    private static let directory = "Sources/TeapotExample"

    private static func shown() throws -> [ShownCode] {
        try PackageFiles.files(below: directory) { $0.hasSuffix(".swift") }.flatMap { file in
            try file.lines.indices.filter { file.lines[$0].hasSuffix("code: \"\"\"") }.map { start in
                let after = file.lines[(start + 1)...]
                let end = try #require(after.firstIndex { $0.hasSuffix("\"\"\"") })
                let text = TextFile(path: file.path, text: after[..<end].joined(separator: "\n"))
                // In a literal, a backslash is written twice.
                let lines = text.significantLines.map { $0.replacingOccurrences(of: #"\\"#, with: #"\"#) }
                let block = CodeBlock(location: "\(file.path):\(start + 1)", lines: lines)
                let rest = after[(end + 1)...].prefix { !$0.contains("checklist.step(") }
                return ShownCode(code: block, body: TextFile(path: file.path, text: rest.joined(separator: "\n")))
            }
        }
    }
}
