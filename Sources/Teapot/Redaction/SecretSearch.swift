internal import Foundation

/// Replaces known secrets in text, plain or encoded for a URL, a form or JSON, but not within a word.
package struct SecretSearch: Sendable {
    /// By their first byte, longest first.
    private let secrets: [[[UInt8]]]
    private let shortest: Int

    package init(_ values: some Sequence<String>) {
        let all = Set(values).map { Array($0.utf8) }.sorted { $0.count > $1.count }
        var secrets = [[[UInt8]]](repeating: [], count: 256)
        for secret in all { if let first = secret.first { secrets[Int(first)].append(secret) } }
        self.secrets = secrets
        shortest = all.last?.count ?? .max
    }

    /// Whether data contains one of them unencoded.
    package func isFound(in data: Data) -> Bool {
        let bytes = Array(data)
        return bytes.indices.contains { start in
            secrets[Int(bytes[start])].contains { bytes[start...].starts(with: $0) }
        }
    }

    /// A text with these secrets redacted.
    package func redacted(_ text: String) -> String {
        guard shortest <= text.utf8.count else { return text }
        let bytes = Array(text.utf8)
        var redacted: [UInt8] = []
        var done = 0
        var position = 0
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "<"), bytes[position...].starts(with: Self.replacement) {
                position += Self.replacement.count
            } else if let end = endOfSecret(in: bytes, at: position), !Self.isWord(before: position, in: bytes) {
                redacted += bytes[done..<position] + Self.replacement
                (done, position) = (end, end)
            } else {
                position += 1
            }
        }
        return done == 0 ? text : String(decoding: redacted + bytes[done...], as: UTF8.self)
    }

    private func endOfSecret(in text: [UInt8], at start: Int) -> Int? {
        let plain = text[start]
        let decoded = Self.mayBeEncoded.contains(plain) ? Self.character(in: text, at: start).byte : plain
        for secret in secrets[Int(plain)] {
            if let end = Self.end(of: secret, in: text, from: start) { return end }
        }
        guard decoded != plain else { return nil }
        for secret in secrets[Int(decoded)] {
            if let end = Self.end(of: secret, in: text, from: start) { return end }
        }
        return nil
    }

    /// Whether a word would continue at a position. Escapes such as `%41`, `%2541`, `\u0041` or `\n` count as decoded.
    private static func isWord(before end: Int, in text: [UInt8]) -> Bool {
        guard end > 0, wordBytes.contains(text[end - 1]) else { return false }
        if end > 1, text[end - 2] == UInt8(ascii: "\\"), escapes.contains(text[end - 1]) { return false }
        if end > 5, text[(end - 6)...].starts(with: "\\u".utf8), let byte = text.hexadecimal((end - 4)..<end) {
            return wordBytes.contains(byte)
        }
        guard end > 2, let byte = text.hexadecimal((end - 2)..<end) else { return true }
        var start = end - 3
        while start > 1, text[start] == UInt8(ascii: "5"), text[start - 1] == UInt8(ascii: "2") { start -= 2 }
        return text[start] != UInt8(ascii: "%") || wordBytes.contains(byte)
    }

    private static func end(of secret: [UInt8], in text: [UInt8], from start: Int) -> Int? {
        var position = start
        for byte in secret {
            guard position < text.count else { return nil }
            let character = character(in: text, at: position)
            if character.byte == byte {
                position = character.end
            } else if text[position] == byte {
                position += 1
            } else {
                return nil
            }
        }
        return position < text.count && wordBytes.contains(character(in: text, at: position).byte) ? nil : position
    }

    /// The character at a position: `%2F`, `+`, `\/` and `\u002f` each encode another byte.
    private static func character(in text: [UInt8], at position: Int) -> (byte: UInt8, end: Int) {
        let plain = (text[position], position + 1)
        switch text[position] {
        case UInt8(ascii: "+"):
            return (UInt8(ascii: " "), position + 1)
        case UInt8(ascii: "%"):
            return text.hexadecimal((position + 1)..<(position + 3)).map { ($0, position + 3) } ?? plain
        case UInt8(ascii: "\\") where position + 1 < text.count:
            let next = text[position + 1]
            guard next == UInt8(ascii: "u") else { return "\"\\/".utf8.contains(next) ? (next, position + 2) : plain }
            // Above 7F a character is several bytes.
            let byte = text.hexadecimal((position + 2)..<(position + 6)).flatMap { $0 < 0x80 ? $0 : nil }
            return byte.map { ($0, position + 6) } ?? plain
        default:
            return plain
        }
    }

    /// Letters and digits. A byte above 7F may be a quotation mark: it is better to redact too much.
    private static let wordBytes = ByteSet(ByteSet.alphanumerics)
    private static let mayBeEncoded = ByteSet("%+\\")
    private static let escapes = ByteSet("bfnrt")
    private static let replacement = Array(SecretPolicy.replacement.utf8)
}
