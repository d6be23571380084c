import Foundation

// Puts the Swift samples of README.md and of the DocC pages into the templates of DocumentationTests, so that they are compiled, and
// those that its tests call are run. In a template, the line `//: Pagination 2` stands for the second sample of Pagination.md.
// A sample that is in no template must be a part of one that is, or stand in `Tests/Dependent`.

/// A fenced block of a page (CommonMark, section 4.5).
struct Sample {
    let page: String
    /// Of the first line of its code.
    let line: Int
    let code: [Substring]

    var significantLines: [String] {
        code.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    /// Whether it shows how to depend on the package.
    var isManifest: Bool { code.contains { $0.contains(".package(") || $0.contains(".product(") } }
}

struct Problem: Error {
    let text: String
}

func lines(of file: URL) throws -> [Substring] {
    try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
}

func files(below folder: URL, _ ending: String) throws -> [URL] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(ending) }.sorted()
        .map { folder.appending(path: $0) }
}

func samples(of page: URL) throws -> [Sample] {
    var samples: [Sample] = []
    var opened: (language: Substring, line: Int)?
    let lines = try lines(of: page)
    for (index, line) in lines.enumerated() where line.hasPrefix("```") {
        if let (language, start) = opened.take() {
            if language == "swift" {
                samples.append(Sample(page: page.path, line: start + 1, code: Array(lines[start..<index])))
            }
        } else {
            opened = (line.dropFirst(3), index + 1)
        }
    }
    return samples
}

func fill(_ template: URL, from pages: [String: [Sample]], using used: inout Set<String>) throws -> [String] {
    try lines(of: template).flatMap { line -> [String] in
        guard let marker = line.wholeMatch(of: /( *)\/\/: (\w+) ([0-9]+)/)?.output else { return [String(line)] }
        guard let number = Int(marker.3), let all = pages[String(marker.2)], (1...all.count).contains(number) else {
            throw Problem(text: "\(template.path): there is no sample \(marker.2) \(marker.3)")
        }
        let sample = all[number - 1]
        used.insert("\(sample.page):\(sample.line)")
        // An error of the compiler names the place in the page.
        return ["#sourceLocation(file: \"\(sample.page)\", line: \(sample.line))"]
            + sample.code.map { $0.isEmpty ? "" : "\(marker.1)\($0)" } + ["#sourceLocation()"]
    }
}

func contains(_ lines: [String], _ part: [String]) -> Bool {
    lines.indices.contains { lines[$0...].starts(with: part) }
}

func run(_ root: URL, _ output: URL, _ templates: [URL]) throws {
    let pages = [root.appending(path: "README.md")] + (try files(below: root.appending(path: "Sources"), ".md"))
    let all = try pages.map { ($0.deletingPathExtension().lastPathComponent, try samples(of: $0)) }
    let byPage = Dictionary(all) { first, _ in first }
    var used = Set<String>()
    var compiled: [[String]] = []
    for template in templates {
        let filled = try fill(template, from: byPage, using: &used)
        try filled.joined(separator: "\n").write(
            to: output.appending(path: template.lastPathComponent),
            atomically: true,
            encoding: .utf8
        )
        compiled.append(filled.filter { !$0.hasPrefix("#sourceLocation") })
    }
    let dependent = root.appending(path: "Tests/Dependent")
    compiled += try files(below: dependent, ".swift").filter { !$0.path.contains("/.build/") }.map {
        try lines(of: $0).map(String.init)
    }
    let places = compiled.map { $0.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty } }
    let manifest = Set(
        try lines(of: dependent.appending(path: "Package.swift"))
            .map { $0.trimmingCharacters(in: .whitespaces).trimmingCharacters(in: [","]) }
    )
    for sample in all.flatMap(\.1) where !used.contains("\(sample.page):\(sample.line)") {
        let code = sample.significantLines
        let isCompiled =
            sample.isManifest
            // The address and the version of a dependency cannot be taken from a manifest in this repository.
            ? code.allSatisfy {
                $0.hasPrefix(".package(url:") || $0.hasPrefix("//")
                    || manifest.contains($0.trimmingCharacters(in: [","]))
            } : places.contains { contains($0, code) }
        guard isCompiled else { throw Problem(text: "\(sample.page):\(sample.line): the sample is in no template") }
    }
}

do {
    let arguments = CommandLine.arguments.dropFirst().map { URL(filePath: $0) }
    guard arguments.count > 2 else { throw Problem(text: "usage: SampleTool PACKAGE OUTPUT TEMPLATE…") }
    try run(arguments[0], arguments[1], Array(arguments[2...]))
} catch let problem as Problem {
    FileHandle.standardError.write(Data("error: \(problem.text)\n".utf8))
    exit(1)
}
