import Foundation

/// Replaces secrets in JSON (RFC 8259) in place, so that everything else keeps its bytes: the order of members, numbers that no
/// `Double` can represent, and blanks. Only this file reads values that are JSON: objects, arrays, and what is escaped in strings.
extension TextRedactor {
    /// Redacts an object or an array in text, or a string that is a whole line. An event of an event stream that cannot be read
    /// is replaced.
    /// - Returns: Its end; `nil` if there is none.
    mutating func redactJSON(in start: Int, _ pass: inout Pass) -> Int? {
        guard start >= pass.failed else { return nil }
        let isString = pass.text[start] == UInt8(ascii: "\"")
        // Most quotation marks stand in text.
        if isString, start > 0, pass.json[start - 1] > 0x20 { return nil }
        let line = pass.lineBefore(start)
        guard line != .text || !isString else { return nil }
        let event = line == .event ? pass.endOfEvent(at: start) : nil
        let (edits, kept, passed) = (pass.edits.count, pass.kept.count, pass.passed)
        let (end, isLikeJSON) = redactJSON(from: start, to: event ?? pass.count, isAll: false, &pass)
        // `[1]` without a string may be part of a known secret.
        if let end, isLikeJSON || event != nil {
            pass.replaced = end
            return end
        }
        if pass.edits.count > edits { pass.edits.removeSubrange(edits...) }
        if pass.kept.count > kept { pass.kept.removeSubrange(kept...) }
        pass.passed = passed
        let isBroken = event.map { pass.isBrokenJSON(from: start, to: $0) } ?? false
        guard end == nil, isLikeJSON || isBroken, pass.isStrict else { return nil }
        if let event {
            pass.edits.append((start..<event, replacement(of: pass.string(start..<event))))
            pass.replaced = event
            return event
        }
        if !isString, line == .blank || start < Self.maximumPrefix { pass.isReadable = false }
        return nil
    }

    /// Redacts one value, or all values up to an end.
    /// - Returns: The end of the value; `nil` without one. Whether it holds text, or seems to be JSON that is broken or cut off.
    mutating func redactJSON(from start: Int, to limit: Int, isAll: Bool, _ pass: inout Pass) -> (
        end: Int?, isLikeJSON: Bool
    ) {
        var scanner = JSONScanner(pass.json, start..<limit)
        var (depth, hasNames, hasStrings, isValid) = (0, false, false, true)
        while isValid, let token = scanner.next() {
            switch token.kind {
            case .open: depth += 1
            case .close: depth -= 1
            case .word: break
            case .name:
                hasNames = true
                isValid = redact(token, &scanner, &pass)
            case .string:
                hasStrings = true
                isValid = redact(token, &scanner, &pass)
            case .number: isValid = redact(token, &scanner, &pass)
            }
            guard depth == 0, !isAll, isValid, token.kind != .name else { continue }
            let end = token.end
            if token.kind == .string, !pass.isAtEndOfLine(end) { return (nil, false) }
            if !hasNames, !hasStrings { pass.failed = end }
            return (end, hasNames || hasStrings)
        }
        if isAll, isValid, scanner.isAtEnd { return (limit, true) }
        pass.failed = max(start + 1, scanner.position)
        // Only the beginning of `{"a": …` is not a script, and that of `["a` may be cut off.
        let isCutOff = scanner.position >= limit && memchr(pass.json + start, 0x22, limit - start) != nil
        return (nil, hasNames || isCutOff)
    }

    /// In bytes, for what stands before JSON: `)]}',`, `callback(`.
    private static let maximumPrefix = 128

    /// Redacts a name with its value, a string or a number.
    /// - Returns: Whether the token is valid.
    private mutating func redact(_ token: JSONScanner.Token, _ scanner: inout JSONScanner, _ pass: inout Pass) -> Bool {
        let known = pass.passKnown(in: token)
        if case .number = token.kind {
            // It is replaced as a whole or not at all.
            if let known, known == token.range { pass.edits.append((known, jsonReplacement(of: pass.string(known)))) }
            return true
        }
        let (text, count) = (pass.json + token.start + 1, token.end - token.start - 2)
        var content: String?
        if memchr(text, 0x5C, count) == nil {
            let bytes = UnsafeBufferPointer(start: text, count: count)
            if let new = redacted(bytes, hasKnown: known != nil) { pass.edits.append((token.range, Self.json(new))) }
        } else {
            guard let old = scanner.content(of: token) else { return false }
            content = old
            if depth == Self.maximumDepth, old.contains("\"") {
                pass.edits.append((token.range, jsonReplacement(of: old)))
            } else {
                depth += 1
                let new = redacted(old)
                depth -= 1
                if new != old { pass.edits.append((token.range, Self.json(new))) }
            }
        }
        guard case .name = token.kind else { return true }
        let isSecret = if let content { isSecret(content) } else { isSecret(text, count) }
        let isCode = count == 4 && memcmp(text, "code", 4) == 0 && policy.isOn && !policy.isException("code")
            && pass.isTokenRequest
        guard isSecret || isCode || isTicket(text, count, scanner) else { return true }
        guard let value = takeSecret(&scanner) else { return false }
        let whole = pass.string(value)
        if Self.holdsNoSecret.contains(whole) { return true }
        // Of a string, the content was taken.
        let secret = whole.first == "\"" ? secrets.last ?? whole : whole
        pass.edits.append((value, jsonReplacement(of: secret)))
        return true
    }

    /// Whether a member is a ticket by which a server knows its client, as those of CAS, Proxmox or Alfresco: not a number, nor the key of
    /// an issue.
    private func isTicket(_ name: UnsafePointer<UInt8>, _ count: Int, _ scanner: JSONScanner) -> Bool {
        guard count == 6, memcmp(name, "ticket", 6) == 0, policy.isOn, !policy.isException("ticket") else { return false }
        var ahead = scanner
        guard let value = ahead.next(), case .string = value.kind, let text = ahead.content(of: value) else {
            return false
        }
        return text.utf8.count >= 16 && !text.contains(where: \.isWhitespace)
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

    func jsonReplacement(of secret: String) -> String { "\"\(replacement(of: secret))\"" }

    /// The maximum number of strings around JSON. Each takes stack and time.
    private static let maximumDepth = 4
    private static let holdsNoSecret: Set<String> = ["null", "true", "false"]
}

extension TextRedactor.Pass {
    enum Line { case text, blank, event }

    /// The beginning of a line, up to a position: text, only blanks, or the `data:` of an event.
    func lineBefore(_ position: Int) -> Line {
        var (position, line) = (position, Line.blank)
        while position > 0, json[position - 1] == 0x20 || json[position - 1] == 0x09 {
            position -= 1
            if text[position] == UInt8(ascii: ":") { line = .event }
        }
        return position == 0 || json[position - 1] == 0x0A || json[position - 1] == 0x0D ? line : .text
    }

    /// The end of an event without the blank line after it.
    mutating func endOfEvent(at start: Int) -> Int {
        guard start >= event else { return event }
        var position = start
        while position < count {
            position = first(of: Self.lineEnds, from: position)
            let isPair = self[position] == 0x0D && self[position + 1] == 0x0A
            let next = position + (isPair ? 2 : 1)
            if next >= count || Self.lineEnds.contains(text[next]) { break }
            position = next
        }
        event = position
        return position
    }

    private static let lineEnds = ByteSet("\r\n")

    /// Whether an event begins like JSON that is not valid: there is a string, or an object with something else in its first line.
    /// `[DONE]` is text.
    func isBrokenJSON(from start: Int, to end: Int) -> Bool {
        guard failed > start else { return false }
        if text[start] == UInt8(ascii: "{"), first(of: Self.lineEnds, from: start) > failed { return true }
        return memchr(json + start, 0x22, min(failed, end) - start) != nil
    }

    /// Whether only blanks stand after a position in its line.
    func isAtEndOfLine(_ position: Int) -> Bool {
        var position = position
        while position < count, json[position] == 0x20 || json[position] == 0x09 { position += 1 }
        return position == count || json[position] == 0x0A || json[position] == 0x0D
    }
}
