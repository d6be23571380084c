import Foundation

/// Replaces secrets in JSON (RFC 8259) in place. All else keeps its bytes, such as the order of members and any number.
extension TextRedactor {
    /// Redacts an object or an array in text, or a string that is a whole line.
    /// - Returns: Its end; `nil` if there is none, or it holds no text: `[1]` may be part of a known secret.
    mutating func redactJSON(at start: Int) -> Int? {
        let isString = text[start] == UInt8(ascii: "\"")
        guard start >= failed, !isString || start == first || isLineEnd(start - 1) else { return nil }
        var scanner = JSONScanner(text, start..<count)
        let (edited, before) = (edits.count, passed)
        var (holdsText, isComplete) = (false, false)
        tokens: while !isComplete, let token = scanner.next() {
            switch token.kind {
            case .open, .close, .word: break
            case .number:
                // It is replaced as a whole or not at all.
                guard passKnown(in: token) == token.range else { break }
                edits.append((token.range, replacement(of: string(token.range), isQuoted: true)))
            case .string, .name:
                holdsText = true
                guard redact(string: token, scanner), token.kind == .string || redactValue(of: token, &scanner)
                else { break tokens }
            }
            isComplete = scanner.depth == 0 && token.kind != .name
        }
        if isComplete, holdsText, !isString || isLineEnd(scanner.position) { return scanner.position }
        edits.removeSubrange(edited...)
        passed = before
        failed = max(start + 1, scanner.position)
        if !isComplete, mustBeJSON(at: start, holdsText) { isReadable = false }
        return nil
    }

    /// Whether text that is not JSON makes the whole unreadable: a page may have scripts, and `[DONE]` is text.
    private mutating func mustBeJSON(at start: Int, _ holdsText: Bool) -> Bool {
        guard isReadable, self[first] != UInt8(ascii: "<") else { return false }
        if start == first, text[start] != UInt8(ascii: "[") { return true }
        // Only the beginning of `{"a": …` is not a script, and that of `{"a` may be cut off.
        let mayHoldText = text[start] == UInt8(ascii: "[") || text[start] == UInt8(ascii: "{") && failed >= count
        return holdsText || mayHoldText && memchr(text + start, 0x22, min(failed, count) - start) != nil
    }

    /// Passes the known secrets up to the end of a token. Those that begin before the token are replaced separately.
    /// - Returns: The first secret that begins in the token.
    private mutating func passKnown(in token: JSONScanner.Token) -> Range<Int>? {
        while passed < known.count, known[passed].lowerBound < token.start {
            edits.append((known[passed], nil))
            passed += 1
        }
        guard passed < known.count, known[passed].lowerBound < token.end else { return nil }
        let first = known[passed]
        while passed < known.count, known[passed].upperBound <= token.end { passed += 1 }
        return first
    }

    /// - Returns: Whether the string, or the name, is valid.
    private mutating func redact(string token: JSONScanner.Token, _ scanner: JSONScanner) -> Bool {
        let (hasSecret, end) = (passKnown(in: token) != nil, token.end - 1)
        let hasEscape = memchr(text + token.start, 0x5C, end - token.start) != nil
        guard hasSecret || hasEscape || Self.marks.first(in: text, from: token.start + 1, to: end) < end
        else { return true }
        guard let old = scanner.content(of: token) else { return false }
        // Each string around JSON takes stack and time.
        if depth == 4, old.contains("\"") {
            edits.append((token.range, replacement(of: old, isQuoted: true)))
        } else if let new = Self.redacted(old, in: context, depth: depth + 1), new != old {
            edits.append((token.range, (try? JSONWriter.data(of: new).text) ?? "\"\""))
        }
        return true
    }

    private mutating func redactValue(of token: JSONScanner.Token, _ scanner: inout JSONScanner) -> Bool {
        guard let name = scanner.content(of: token) else { return false }
        let lowered = [4, 6].contains(name.utf8.count) ? name.lowercased() : ""
        let isSecret = isSecret(name)
        let isItem = SecretName.items.contains(lowered) && context.policy.isSecret(lowered, in: .item)
        guard isSecret || isItem else { return true }
        var ahead = scanner
        guard let first = ahead.next() else { return false }
        if case .word = first.kind { return true }
        if case .number = first.kind, isSecret, !context.policy.isSecret(name, in: .number) { return true }
        if !isSecret, lowered == "code" ? !isTokenRequest : !isTicket(first, scanner) { return true }
        guard let (range, content) = scanner.takeValue() else { return false }
        edits.append((range, replacement(of: content ?? string(range), isQuoted: true)))
        return true
    }

    /// Whether a value may be a ticket by which a server knows its client (CAS, Proxmox, Alfresco): not a number, nor the key of an issue.
    private func isTicket(_ value: JSONScanner.Token, _ scanner: JSONScanner) -> Bool {
        guard case .string = value.kind, let text = scanner.content(of: value) else { return false }
        return text.utf8.count >= 16 && !text.contains(where: \.isWhitespace)
    }
}
