import LoopbackServer
import TestTraits
import Testing

@testable internal import Teapot
@testable internal import TeapotMock

/// What the fast ways of redaction leave out, compared with the slow ones.
@Suite(.inTurn, .exitTests)
struct RedactionFuzzTests {
    @Test func `secrets are found where a search of each place finds them`() async throws {
        let run = FuzzRun("secrets", cases: 2_000)
        await #expect(processExitsWith: .success) { [run = run as FuzzRun] in
            try await run.check { generator in
                let parts = [
                    "hush", "-", "hush-", "ush-h", "h", "tea", "<redacted>", "aHVza", "x", "hush-hush", "pot-tea-1",
                ]
                let text = (0..<Int.random(in: 0...20, using: &generator))
                    .compactMap { _ in parts.randomElement(using: &generator) }.joined()
                let secrets = ["hush-hush", "hush-hush-hush", "tea-pot-tea", "ush-hu"].shuffled(using: &generator)
                    .prefix(Int.random(in: 1...4, using: &generator))
                let found = Array(text.utf8).withUnsafeBufferPointer { SecretSearch(Set(secrets)).ranges(in: $0) }
                let expected = Self.places(of: secrets.map { Array($0.utf8) }, in: Array(text.utf8))
                return found == expected ? [] : ["\(found), not \(expected) in \(text)"]
            }
        }
        run.conclude()
    }

    @Test func `escapes that are said to hide no copies do not, if the text is redacted again`() async throws {
        let run = FuzzRun("redaction", cases: 2_000)
        await #expect(processExitsWith: .success) { [run = run as FuzzRun] in
            try await run.check { generator in
                let text = Self.document(&generator)
                let credential = Credential(headerField: "X-Key", value: "hush\n\"hush\"")
                let (placeholders, policy) = (Placeholders(), SecretPolicy.standard.adding([credential]))
                var first = RecordingRedactor(policy, placeholders, keeping: [])
                guard let once = try? first.body(text, mediaType: "") else { return [] }
                placeholders.isComplete = true
                let values = first.secrets.values.union(["tea-pot", "hush\n\"hush\""])
                let second = RecordingRedactor(.standard, placeholders, keeping: [], echoes: values)
                guard once.contains("\\"), !second.mayHaveEchoes(once) else { return [] }
                let again = second.policy.redacted(body: once, replacing: placeholders.placeholder) ?? "nothing"
                return again == once ? [] : ["\(text) is \(once), then \(again)"]
            }
        }
        run.conclude()
    }

    /// From left to right, the longest first.
    private static func places(of secrets: [[UInt8]], in text: [UInt8]) -> [Range<Int>] {
        let replacement = Array(SecretPolicy.replacement.utf8)
        var (places, position) = ([Range<Int>](), 0)
        while position < text.count {
            let rest = text[position...]
            let secret = secrets.filter { rest.starts(with: $0) }.max { $0.count < $1.count }
            if let secret, !rest.starts(with: replacement) { places.append(position..<position + secret.count) }
            position += rest.starts(with: replacement) ? replacement.count : secret?.count ?? 1
        }
        return places
    }

    private static func document(_ generator: inout SeededGenerator) -> String {
        func pick(_ parts: String...) -> String { parts.randomElement(using: &generator) ?? "" }
        func string(_ depth: Int) -> String {
            let text = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                pick(
                    "tea",
                    "hush\\n\\\"hush\\\"",
                    "tea-pot",
                    "tea\\u002dpot",
                    "\\u00fc",
                    "\\/",
                    "\\t",
                    "a=b",
                    "pin=123456",
                    "%22",
                    " "
                )
            }
            guard depth < 2, Bool.random(using: &generator) else { return "\"\(text.joined())\"" }
            let inner = value(depth + 1).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            return "\"\(text.joined())\(inner)\""
        }
        func value(_ depth: Int) -> String {
            switch Int.random(in: 0...(depth < 3 ? 6 : 3), using: &generator) {
            case 0: return pick("null", "1", "12345678", "true")
            case 1, 2, 3: return string(depth)
            case 4: return "[\(value(depth + 1)),\(value(depth + 1))]"
            default:
                let names = (
                    pick("id", "title", "token", "tok\\u0065n", "tokenhush\\n\\\"hush\\\""),
                    pick("token", "pin", "note", "tea-pot")
                )
                return "{\"\(names.0)\":\(value(depth + 1)), \"\(names.1)\": \(value(depth + 1))}"
            }
        }
        return pick("", "", "data: ", "x ") + value(0)
    }
}
