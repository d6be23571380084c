import Foundation

/// Replaces secrets in JSON (RFC 8259) in place, so that everything else keeps its bytes: the order of members, numbers that no
/// `Double` can represent, and blanks.
extension TextRedactor {
    /// Redacts an object or an array in text, or a string that is a whole line.
    ///
    /// - Returns: Its end; `nil` if there is none.
    mutating func redactJSON(in start: Int, _ pass: inout Pass) -> Int? {
        guard start >= pass.failed, pass.text[start] != UInt8(ascii: "\"") || pass.isAtStartOfLine(start) else {
            return nil
        }
        let (edits, isReadable) = (pass.edits.count, pass.isReadable)
        guard let end = redactJSON(from: start, isAll: false, &pass) else {
            pass.edits.removeSubrange(edits...)
            return nil
        }
        pass.isReadable = isReadable
        let own = pass.edits[edits...]
        pass.edits.removeSubrange(edits...)
        searchKnown(upTo: start, &pass)
        pass.edits += own
        pass.searched = end
        if let last = own.last { pass.replaced = last.range.upperBound }
        return end
    }

    /// Redacts one value, or all values to the end of the text.
    mutating func redactJSON(from start: Int, isAll: Bool, _ pass: inout Pass) -> Int? {
        var scanner = JSONScanner(pass.json, start..<pass.count)
        var (depth, hasNames) = (0, false)
        while let token = scanner.next() {
            switch token.kind {
            case .open: depth += 1
            case .close: depth -= 1
            case .word: break
            case .name, .string, .number:
                hasNames = hasNames || token.kind == .name
                guard redact(token, &scanner, &pass) else { return fail(start, scanner, hasNames, &pass) }
            }
            guard depth == 0, !isAll, token.kind != .name else { continue }
            let end = token.range.upperBound
            return token.kind == .string && !pass.isAtEndOfLine(end) ? nil : end
        }
        return isAll && scanner.isAtEnd ? pass.count : fail(start, scanner, hasNames, &pass)
    }

    /// Notes that there is no JSON. A body in which it should be cannot be read.
    private func fail(_ start: Int, _ scanner: JSONScanner, _ hasNames: Bool, _ pass: inout Pass) -> Int? {
        pass.failed = max(start + 1, scanner.position)
        // Only the beginning of `{"a": …` is not a script, and the rest may be cut off.
        let isLikeJSON = hasNames || scanner.position >= pass.count
        if isLikeJSON, start < Self.maximumPrefix || pass.isAtStartOfLine(start) { pass.isReadable = false }
        return nil
    }

    /// In bytes, for what stands before JSON: `)]}',`, `callback(`.
    private static let maximumPrefix = 128

    /// Redacts a name with its value, a string or a number.
    ///
    /// - Returns: Whether the token is valid.
    private mutating func redact(_ token: JSONScanner.Token, _ scanner: inout JSONScanner, _ pass: inout Pass) -> Bool {
        let isNumber = token.kind == .number
        let range = isNumber ? token.range : token.range.lowerBound + 1..<token.range.upperBound - 1
        let bytes = UnsafeBufferPointer(start: pass.json + range.lowerBound, count: range.count)
        var content: String?
        if isNumber {
            // It is replaced as a whole or not at all.
            if let search, search.ranges(in: bytes, from: 0) == [0..<bytes.count] {
                pass.edits.append((token.range, "\"\(SecretPolicy.replacement)\""))
            }
        } else if bytes.isEmpty || memchr(pass.json + range.lowerBound, 0x5C, range.count) == nil {
            if let new = redacted(bytes) { pass.edits.append((token.range, Self.json(new))) }
        } else {
            guard let old = scanner.content(of: token) else { return false }
            content = old
            let new = redacted(old)
            if new != old { pass.edits.append((token.range, Self.json(new))) }
        }
        guard token.kind == .name, isSecret(content ?? String(decoding: bytes, as: UTF8.self)) else { return true }
        guard let value = takeSecret(&scanner) else { return false }
        if !Self.holdsNoSecret.contains(pass.string(value)) {
            pass.edits.append((value, "\"\(SecretPolicy.replacement)\""))
        }
        return true
    }

    /// Takes a secret value, and keeps its strings and long numbers.
    mutating func takeSecret(_ scanner: inout JSONScanner) -> Range<Int>? {
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
            if depth == 0, token.kind != .name { return start.map { $0..<token.range.upperBound } }
        }
        return nil
    }

    /// The strings and long numbers of a text that is a JSON object or array.
    static func strings(ofJSON text: String) -> [String] {
        guard text.first == "{" || text.first == "[" else { return [] }
        return Array(text.utf8).withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return [] }
            var (redactor, scanner) = (TextRedactor(by: .off), JSONScanner(start, 0..<bytes.count))
            return redactor.takeSecret(&scanner) == nil ? [] : redactor.secrets
        }
    }

    /// Text can always be written; the other branch only avoids a trap.
    private static func json(_ text: String) -> String { (try? JSONWriter.data(of: text).text) ?? "\"\"" }

    private static let holdsNoSecret: Set<String> = ["null", "true", "false"]
}

extension TextRedactor.Pass {
    /// The end of a JSON object or array.
    func endOfContainer(at start: Int) -> Int? {
        guard let byte = self[start], byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") else { return nil }
        var (scanner, depth) = (JSONScanner(json, start..<count), 0)
        while let token = scanner.next() {
            if token.kind == .open { depth += 1 }
            if token.kind == .close { depth -= 1 }
            if depth == 0 { return token.range.upperBound }
        }
        return nil
    }

    /// Whether only blanks stand before a position in its line.
    func isAtStartOfLine(_ position: Int) -> Bool {
        var position = position
        while position > 0, json[position - 1] == 0x20 || json[position - 1] == 0x09 { position -= 1 }
        return position == 0 || json[position - 1] == 0x0A || json[position - 1] == 0x0D
    }

    /// Whether only blanks stand after a position in its line.
    func isAtEndOfLine(_ position: Int) -> Bool {
        var position = position
        while position < count, json[position] == 0x20 || json[position] == 0x09 { position += 1 }
        return position == count || json[position] == 0x0A || json[position] == 0x0D
    }
}

/// Text in which JSON may stand on lines of its own: `data:` at the start of a line (HTML standard, section 9.2.5), a byte order
/// mark and a record separator (RFC 7464) count as blanks. So JSON is read across the lines of an event.
struct JSONLines {
    /// As many bytes as in the text; none if nothing had to be replaced.
    private(set) var bytes: [UInt8] = []
    /// The position of the first byte that is not blank.
    private(set) var start = 0
    /// Whether the text begins with an object, an array or a string, before any `data:`.
    private(set) var beginsLikeJSON = false

    init(_ text: UnsafeBufferPointer<UInt8>) {
        guard let source = text.baseAddress else { return }
        let count = text.count
        func blank(_ range: Range<Int>, with byte: UInt8) {
            if bytes.isEmpty { bytes = Array(text) }
            for index in range { bytes[index] = byte }
        }
        if count >= 3, source[0] == 0xEF, source[1] == 0xBB, source[2] == 0xBF {
            blank(0..<3, with: 0x20)
            start = 3
        }
        var isFirst = true
        var position = start
        var isAtStart = true
        while position < count {
            let byte = source[position]
            if byte == Self.separator {
                blank(position..<position + 1, with: 0x0A)
            } else if isFirst, !TextRedactor.blanks.contains(byte) {
                (isFirst, start) = (false, position)
                beginsLikeJSON = byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "\"")
            }
            if isAtStart, byte == UInt8(ascii: "d"), count - position >= 5, memcmp(source + position, "data:", 5) == 0 {
                blank(position..<position + 5, with: 0x20)
                position += 4
            }
            isAtStart = byte == 0x0A || byte == 0x0D
            position += 1
        }
    }

    private static let separator: UInt8 = 0x1E
}
