import Foundation
import LoopbackServer
@testable import Teapot
import TestTraits
import Testing

/// Strings files and templates in any shape.
@Suite(.firstInTurn, .exitTests)
struct StringsFuzzTests {
    private static let keys = LocalizedStrings.english.keys.sorted()

    @Test func `there is always a sentence, and never a key`() async throws {
        let run = FuzzRun("strings", cases: 750)
        await #expect(processExitsWith: .success) { [run = run as FuzzRun] in
            try await run.check { generator in
                let file = Self.file(&generator)
                let damage = Data(Mutation.damage(Array(file.data), times: generator.number(0...3), &generator))
                return Self.problems(file.data, damage, file.texts)
            }
        }
        run.conclude()
    }

    @Test func `a template takes its arguments and nothing else`() async throws {
        let run = FuzzRun("templates", cases: 1_500)
        await #expect(processExitsWith: .success) { [run = run as FuzzRun] in
            try await run.check { generator in
                let pieces = [
                    "%", "%", "%@", "%d", "%1$@", "%2$d", "%3$", "%%", "$", "@", "l", "ld", "lld", "9", "0", "u",
                ]
                let template = (0..<generator.number(0...12))
                    .map { _ in generator.oneIn(3) ? generator.text(upTo: 1) : generator.pick(pieces) }.joined()
                let arguments = (0..<generator.number(0...3)).map { _ in generator.pick(["", "%@", "%1$@%%", "a", "é"])
                }
                let (filled, expected) = (
                    MessageTemplate.filled(template, with: arguments), Self.filled(template, arguments)
                )
                guard !filled.utf8.elementsEqual(expected.utf8) else { return [] }
                return [
                    "\(filled.debugDescription), not \(expected.debugDescription), for \(template.debugDescription)"
                ]
            }
        }
        run.conclude()
    }

    // MARK: - Files

    /// A file that parses, and what it says.
    private static func file(_ generator: inout SeededGenerator) -> (data: Data, texts: [String: String]) {
        var (lines, texts) = ("", [String: String]())
        for _ in 0..<generator.number(0...6) {
            let key = generator.oneIn(8) ? generator.text(upTo: 2) + "." : generator.pick(keys)
            let text = generator.oneIn(8) ? key : generator.text(upTo: 4)
            // The parser minds a key that comes twice, and some do not count.
            guard texts[key] == nil else { continue }
            texts[key] = text
            lines += "\(generator.pick(["", "/* */ ", "// x\n"]))\(quoted(key)) = \(quoted(text));\n"
        }
        let isWide = generator.oneIn(4)
        return ((isWide ? lines.data(using: .utf16) : nil) ?? Data(lines.utf8), texts)
    }

    /// By scalars: a quotation mark with a combining character behind it is one all the same.
    private static func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { $0 == "\\" || $0 == "\"" ? "\\\($0)" : "\($0)" }
        return "\"" + escaped.joined() + "\""
    }

    private static func problems(_ file: Data, _ damage: Data, _ texts: [String: String]) -> [String] {
        var problems: [String] = []
        for key in keys {
            let text = BundleStrings.texts(in: damage)[key]
            if text == key || text?.isEmpty == true { problems.append("\(key) is \(text.debugDescription)") }
            // Parsers differ in what they make of control characters.
            guard let said = texts[key], !texts.values.contains(where: \.holdsControlCharacters), file == damage else {
                continue
            }
            let expected = said.isEmpty || said == key ? nil : said
            if text != expected {
                problems.append("\(key) is \(text.debugDescription), not \(expected.debugDescription)")
            }
        }
        return problems
    }

    // MARK: - Templates

    /// The rules of a template, told once more.
    private static func filled(_ template: String, _ arguments: [String]) -> String {
        var used = 0
        let placeholder = /%(?:(%)|(?:([0-9]+)\$)?(?:@|d|i|u|ld|lld))/.matchingSemantics(.unicodeScalar)
        return template.replacing(placeholder) { match in
            if match.output.1 != nil { return "%" }
            let position = match.output.2.map { Int($0) ?? 0 } ?? used + 1
            guard arguments.indices.contains(position - 1) else { return String(match.output.0) }
            if match.output.2 == nil { used += 1 }
            return arguments[position - 1]
        }
    }
}
