import TestTraits
import Testing

/// Every Swift sample of the documentation compiles: it stands, line by line, in a source of this target.
@Suite(.inTurn)
struct SampleTests {
    @Test func `README has samples`() throws {
        let blocks = try CodeBlock.all(in: PackageFiles.file("README.md"))
        #expect(blocks.contains { $0.language == "swift" && !$0.isManifest })
    }

    @Test(arguments: try CodeBlock.samples().filter { !$0.isManifest })
    func `sample is compiled`(_ block: CodeBlock) throws {
        try #require(!block.lines.isEmpty, "\(block.location): the sample is empty")
        let search = try Search(for: block.lines, in: PackageFiles.samples.get())
        let line = block.lines.dropFirst(search.matched).first
        #expect(
            line == nil,
            """
            \(block.location): the sample is not in Tests/DocumentationTests/Samples*.swift. \
            First line not found: \(line ?? "") (after \(search.matched) lines found in \(search.path ?? "no file"))
            """
        )
    }

    /// The address and the version of a dependency cannot be taken from a manifest in this repository.
    @Test(arguments: try CodeBlock.samples().filter(\.isManifest))
    func `manifest line is built`(_ block: CodeBlock) throws {
        let manifest = try PackageFiles.manifest()
        let built = Set(manifest.significantLines.map(withoutComma))
        let lines = block.lines.filter { !$0.hasPrefix(".package(url:") && !$0.hasPrefix("//") }
        let missing = lines.first { !built.contains(withoutComma($0)) }
        #expect(missing == nil, "\(block.location): \(manifest.path) has no line: \(missing ?? "")")
    }

    private func withoutComma(_ line: String) -> String {
        line.hasSuffix(",") ? String(line.dropLast()) : line
    }
}
