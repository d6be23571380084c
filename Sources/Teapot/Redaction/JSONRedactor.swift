import Foundation

/// Replaces secrets in JSON (RFC 8259) in place, so that everything else keeps its bytes: the order of members, numbers that no
/// `Double` can represent, and blanks.
struct JSONRedactor {
    let policy: SecretPolicy
    /// The strings, and the numbers of 6 digits or more, in values that were replaced by name, and secrets in other strings.
    private(set) var secrets: [String] = []

    init(by policy: SecretPolicy) { self.policy = policy }

    /// Whether a text is a JSON object, array or string, or several of them, one per line.
    static func isJSON(_ text: String) -> Bool {
        guard let start = text.utf8.first(where: { !blanks.contains($0) }), starts.contains(start),
            // JSON in UTF-16 is read by Foundation, but not here.
            !text.utf8.contains(0)
        else { return false }
        if isValid(text) { return true }
        let lines = text.utf8.split(separator: UInt8(ascii: "\n")).map { String(Substring($0)) }
        return lines.count > 1 && lines.allSatisfy { $0.allSatisfy(\.isWhitespace) || isValid($0) }
    }

    private static func isValid(_ text: String) -> Bool {
        JSONScanner.value(of: Data(text.utf8)) != nil
    }

    /// A text that ``isJSON(_:)``, without its secrets.
    mutating func redacted(_ json: String) -> String {
        let text = Array(json.utf8)
        var result: [UInt8] = []
        var done = 0

        func replace(_ range: Range<Int>, with value: String) {
            result += text[done..<range.lowerBound]
            // Text can always be written; the other branch only avoids a trap.
            result += (try? JSONWriter.data(of: value)) ?? Data("\"\"".utf8)
            done = range.upperBound
        }

        let isComplete = text.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return true }
            var scanner = JSONScanner(start, 0..<bytes.count)
            while let token = scanner.next() {
                guard token.kind != .open, token.kind != .close else { continue }
                guard let old = scanner.content(of: token) else { return false }
                // A number is replaced as a whole or not at all.
                let new = policy.redacted(text: old, secrets: &secrets)
                let isString = token.kind == .name || token.kind == .string
                if new != old, isString || new == SecretPolicy.replacement { replace(token.range, with: new) }
                guard token.kind == .name, policy.isSecret(old) else { continue }
                guard let value = takeSecret(&scanner) else { return false }
                if !Self.holdsNoSecret.contains(String(decoding: text[value], as: UTF8.self)) {
                    replace(value, with: SecretPolicy.replacement)
                }
            }
            return scanner.isAtEnd
        }
        // Text that is not JSON after all could hold anything.
        return String(decoding: result + (isComplete ? text[done...] : []), as: UTF8.self)
    }

    /// Takes the value of a secret member, and keeps its strings and long numbers.
    private mutating func takeSecret(_ scanner: inout JSONScanner) -> Range<Int>? {
        var (start, depth) = (nil as Int?, 0)
        while let token = scanner.next(), let content = scanner.content(of: token) {
            switch token.kind {
            case .open: depth += 1
            case .close: depth -= 1
            case .name: break
            case .string: secrets.append(content)
            case .number, .word: if content.utf8.count(where: ByteSet.digits.contains) >= 6 { secrets.append(content) }
            }
            start = start ?? token.range.lowerBound
            if depth == 0 { return start.map { $0..<token.range.upperBound } }
        }
        return nil
    }

    private static let starts = ByteSet("{[\"")
    private static let blanks = ByteSet(" \t\r\n")
    private static let holdsNoSecret: Set<String> = ["null", "true", "false"]
}
