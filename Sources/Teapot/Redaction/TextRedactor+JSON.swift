import Foundation

/// Replaces secrets in JSON (RFC 8259) in place, so that everything else keeps its bytes: the order of members, numbers that no
/// `Double` can represent, and blanks. Only this file reads values that are JSON: objects, arrays, and what is escaped in strings.
extension TextRedactor {
    /// Redacts an object or an array in text, or a string that is all of it.
    ///
    /// - Returns: Its end; `nil` if there is none, or it holds no text: `[1]` may be part of a known secret.
    mutating func redactJSON(at start: Int) -> Int? {
        let isString = text[start] == UInt8(ascii: "\"")
        guard start >= failed, !isString || start == first else { return nil }
        var scanner = JSONScanner(text, start..<count)
        let (edited, before) = (edits.count, passed)
        var (depth, holdsText, isComplete) = (0, false, false)
        while !isComplete, let token = scanner.next() {
            switch token.kind {
            case .open: depth += 1
            case .close: depth -= 1
            case .name, .string: holdsText = true
            case .number, .word: break
            }
            guard redact(token, &scanner) else { break }
            if case .name = token.kind { continue }
            isComplete = depth == 0
        }
        if isComplete, holdsText, !isString || scanner.next() == nil && scanner.isAtEnd { return scanner.position }
        edits.removeSubrange(edited...)
        passed = before
        failed = max(start + 1, scanner.position)
        if !isComplete, mustBeJSON(at: start, holdsText) { isReadable = false }
        return nil
    }

    /// Whether what is not JSON makes the text unreadable: in a page, there may be scripts, and `[DONE]` is text.
    private mutating func mustBeJSON(at start: Int, _ holdsText: Bool) -> Bool {
        guard isReadable, self[first] != UInt8(ascii: "<") else { return false }
        if start == first, text[start] != UInt8(ascii: "[") { return true }
        // Only the beginning of `{"a": …` is not a script, and that of `{"a` may be cut off.
        let mayHoldText = text[start] == UInt8(ascii: "[") || failed >= count
        guard holdsText || mayHoldText && memchr(text + start, 0x22, min(failed, count) - start) != nil else { return false }
        var line = start
        while let before = self[line - 1], Self.spaces.contains(before) { line -= 1 }
        return start < Self.maximumPrefix || self[line - 1].map { $0 < 0x20 } == true
    }

    /// In bytes, for what stands before JSON: `)]}',`, `callback(`.
    private static let maximumPrefix = 128

    /// Passes the known secrets up to the end of a token. Those that begin before it are not part of it, and are replaced themselves.
    ///
    /// - Returns: The first one that begins in it.
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

    /// - Returns: Whether the token is valid.
    private mutating func redact(_ token: JSONScanner.Token, _ scanner: inout JSONScanner) -> Bool {
        switch token.kind {
        case .open, .close, .word: return true
        case .number:
            // It is replaced as a whole or not at all.
            guard hasKnown, passKnown(in: token) == token.range else { return true }
            edits.append((token.range, .secret(string(token.range), isQuoted: true)))
            return true
        case .string: return redact(string: token, scanner)
        case .name: return redact(string: token, scanner) && redactValue(of: token, &scanner)
        }
    }

    private mutating func redact(string token: JSONScanner.Token, _ scanner: JSONScanner) -> Bool {
        let (hasSecret, end) = (hasKnown && passKnown(in: token) != nil, token.end - 1)
        let hasEscape = memchr(text + token.start, 0x5C, end - token.start) != nil
        guard hasSecret || hasEscape || Self.marks.first(in: text, from: token.start + 1, to: end) < end else { return true }
        guard let old = scanner.content(of: token) else { return false }
        if depth == Self.maximumDepth, old.contains("\"") {
            edits.append((token.range, .secret(old, isQuoted: true)))
        } else if let new = Self.redacted(old, in: context, depth: depth + 1), new != old {
            // Text can always be written.
            edits.append((token.range, .text((try? JSONWriter.data(of: new).text) ?? "\"\"")))
        }
        return true
    }

    private mutating func redactValue(of token: JSONScanner.Token, _ scanner: inout JSONScanner) -> Bool {
        let (start, size) = (text + token.start + 1, token.end - token.start - 2)
        let hasEscape = memchr(start, 0x5C, size) != nil
        guard hasEscape || context.policy.mayBeSecret(start, size), let name = scanner.content(of: token) else { return true }
        let isSecret = isSecret(name)
        guard isSecret || ["code", "ticket"].contains(name) && context.policy.isSecretItem(name) else { return true }
        var ahead = scanner
        guard let (range, content) = ahead.takeValue() else { return false }
        // By a ticket, a server knows its client, as those of CAS, Proxmox or Alfresco: not a number, nor the key of an issue.
        let isTicket = content.map { $0.utf8.count >= 16 && !$0.contains(where: \.isWhitespace) } == true
        guard isSecret || (name == "code" ? isTokenRequest : isTicket) else { return true }
        scanner = ahead
        let value = string(range)
        if !Self.holdsNoSecret.contains(value) { edits.append((range, .secret(content ?? value, isQuoted: true))) }
        return true
    }

    /// The maximum number of strings around JSON. Each takes stack and time.
    private static let maximumDepth = 4
    private static let holdsNoSecret: Set<String> = ["null", "true", "false"]
}
