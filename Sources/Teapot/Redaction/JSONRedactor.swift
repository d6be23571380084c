internal import Foundation

/// Replaces secrets in JSON (RFC 8259) in place, so that everything else keeps its bytes: the order of members, numbers that no
/// `Double` can represent, and blanks.
package struct JSONRedactor {
    /// The strings, and the numbers of 6 digits or more, in values that were replaced by name, and the additions of `redact`.
    /// Prose under another name within such a value, such as the `string` of `"password": {"type": "string"}`, is not included.
    package private(set) var secrets: [String] = []

    private let isSecret: (String) -> Bool
    private let redact: (String, inout [String]) -> String

    /// Makes a redactor.
    ///
    /// - Parameters:
    ///   - isSecret: Whether to replace the value of a member with this name. `null`, `true` and `false` stay.
    ///   - redact: Returns the replacement for a string, or for the text of a number; the same text to keep it. A number is
    ///     replaced as a whole or not at all. It can add to ``secrets``.
    package init(isSecret: @escaping (String) -> Bool, redact: @escaping (String, inout [String]) -> String) {
        self.isSecret = isSecret
        self.redact = redact
    }

    /// Whether a text is a JSON object, array or string, or several of them, one per line.
    package static func isJSON(_ text: String) -> Bool {
        guard let start = text.utf8.first(where: { !blanks.contains($0) }), starts.contains(start),
            // JSON in UTF-16 is read by Foundation, but not here.
            !text.utf8.contains(0)
        else { return false }
        if isValid(text) { return true }
        let lines = text.utf8.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
            .map { String(Substring($0)) }
        return lines.count > 1 && lines.allSatisfy { $0.allSatisfy(\.isWhitespace) || isValid($0) }
    }

    private static func isValid(_ text: String) -> Bool {
        (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)) != nil
    }

    /// A text that ``isJSON(_:)``, without its secrets and those of JSON in its strings.
    package mutating func redacted(_ json: String) -> String {
        let text = Array(json.utf8)
        var result: [UInt8] = []
        var done = 0
        var position = 0

        func replace(_ range: Range<Int>, with value: String) {
            result += text[done..<range.lowerBound] + Self.encoded(value)
            done = range.upperBound
        }

        while position < text.count {
            guard let token = Self.scalar(in: text, at: position) else {
                position += 1
                continue
            }
            position = token.upperBound
            let old = Self.decoded(text[token])
            let new = redacted(scalar: old)
            let isReplaced = text[token.lowerBound] == UInt8(ascii: "\"") || new == SecretPolicy.replacement
            if new != old, isReplaced { replace(token, with: new) }
            // A string before a colon is a name.
            let colon = text.end(of: Self.blanks, from: position)
            guard colon < text.count, text[colon] == UInt8(ascii: ":"), isSecret(old) else { continue }
            let start = text.end(of: Self.blanks, from: colon + 1)
            let value = start..<Self.endOfValue(in: text, from: start)
            position = value.upperBound
            if Self.holdsNoSecret.contains(String(decoding: text[value], as: UTF8.self)) { continue }
            secrets += strings(in: text, value)
            replace(value, with: SecretPolicy.replacement)
        }
        return String(decoding: result + text[done...], as: UTF8.self)
    }

    private mutating func redacted(scalar text: String) -> String {
        Self.isJSON(text) ? redacted(text) : redact(text, &secrets)
    }

    // MARK: - Tokens

    /// The string, number or word that begins at a position; `nil` if none does.
    private static func scalar(in text: [UInt8], at start: Int) -> Range<Int>? {
        guard text[start] == UInt8(ascii: "\"") else {
            let end = text.end(of: wordBytes, from: start)
            return start < end ? start..<end : nil
        }
        var position = start + 1
        while position < text.count, text[position] != UInt8(ascii: "\"") {
            position += text[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return start..<min(position + 1, text.count)
    }

    private static func endOfValue(in text: [UInt8], from start: Int) -> Int {
        var depth = 0
        var position = start
        while position < text.count {
            if let token = scalar(in: text, at: position) {
                position = token.upperBound
            } else {
                if text[position] == UInt8(ascii: "{") || text[position] == UInt8(ascii: "[") { depth += 1 }
                if text[position] == UInt8(ascii: "}") || text[position] == UInt8(ascii: "]") { depth -= 1 }
                position += 1
            }
            if depth == 0 { break }
        }
        return position
    }

    /// The strings and long numbers in a secret value, without names.
    private func strings(in text: [UInt8], _ value: Range<Int>) -> [String] {
        var strings: [String] = []
        var isBelowSecret = true
        var position = value.lowerBound
        while position < value.upperBound {
            guard let token = Self.scalar(in: text, at: position) else {
                position += 1
                continue
            }
            position = token.upperBound
            let next = text.end(of: Self.blanks, from: position)
            let isName = next < text.count && text[next] == UInt8(ascii: ":")
            guard text[token.lowerBound] == UInt8(ascii: "\"") else {
                let isLong = text[token].count { Self.digits.contains($0) } >= 6
                if isBelowSecret, isLong { strings.append(Self.decoded(text[token])) }
                continue
            }
            let string = Self.decoded(text[token])
            if isName {
                isBelowSecret = isSecret(string)
            } else if isBelowSecret || !SecretPolicy.isProse(string) {
                strings.append(string)
            }
        }
        return strings
    }

    /// The content of a string, or the text of a number.
    private static func decoded(_ token: ArraySlice<UInt8>) -> String {
        guard token.first == UInt8(ascii: "\"") else { return String(decoding: token, as: UTF8.self) }
        let inner = String(decoding: token.dropFirst().dropLast(), as: UTF8.self)
        guard token.contains(UInt8(ascii: "\\")) else { return inner }
        return (try? JSONSerialization.jsonObject(with: Data(token), options: .fragmentsAllowed)) as? String ?? inner
    }

    private static func encoded(_ text: String) -> [UInt8] {
        let options: JSONSerialization.WritingOptions = [.fragmentsAllowed, .withoutEscapingSlashes]
        // Text can always be written; the other branch only avoids a trap.
        let data = try? JSONSerialization.data(withJSONObject: text, options: options)
        return data.map(Array.init) ?? Array("\"\"".utf8)
    }

    private static let starts = ByteSet("{[\"")
    private static let blanks = ByteSet(" \t\r\n")
    private static let wordBytes = ByteSet(ByteSet.alphanumerics + "+-.")
    private static let digits = ByteSet("0123456789")
    private static let holdsNoSecret: Set<String> = ["null", "true", "false"]
}
