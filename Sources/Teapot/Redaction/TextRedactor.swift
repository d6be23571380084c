import Foundation

/// Finds secrets in text of any kind: a URL, a form, a log, a page, XML.
///
/// It scans the bytes once, and looks at each a limited number of times. Replacements stay unchanged when the text is redacted
/// again.
struct TextRedactor {
    private let policy: SecretPolicy
    private let text: [UInt8]
    private var redactedText: [UInt8] = []
    /// The number of bytes that were copied or left out.
    private var done = 0
    /// The name of the element whose content is a secret, while inside its start tag.
    private var secretTag: ArraySlice<UInt8>?
    private var known: [String: Bool] = [:]
    /// The replaced values, in order, without the blanks and quotation marks around them.
    private(set) var secrets: [String] = []

    init(of text: String, by policy: SecretPolicy) {
        self.text = Array(text.utf8)
        self.policy = policy
    }

    mutating func redacted() -> String {
        var position = 0
        while position < text.count {
            guard let secret = secret(at: position) else {
                position += 1
                continue
            }
            redactedText += text[done..<secret.lowerBound] + Self.replacement
            text[position] == UInt8(ascii: ">") ? add(content: text[secret]) : add(text[secret])
            done = secret.upperBound
            position = max(done, position + 1)
        }
        return String(decoding: redactedText + text[done...], as: UTF8.self)
    }

    private mutating func add(_ secret: ArraySlice<UInt8>) {
        let text = String(decoding: secret, as: UTF8.self).trimmingCharacters(in: Self.outerCharacters)
        if !text.isEmpty { secrets.append(text) }
    }

    /// Adds the text between the tags in the content of an element.
    private mutating func add(content: ArraySlice<UInt8>) {
        var rest = content
        while let tag = rest.firstIndex(of: UInt8(ascii: "<")) {
            add(rest[..<tag])
            if let end = end(ofSectionAt: tag, limit: content.endIndex) {
                let isData = text[tag...].starts(with: Self.dataStart)
                if isData {
                    add(text[(tag + Self.dataStart.count)..<max(end - Self.dataEnd.count, tag + Self.dataStart.count)])
                }
                rest = content[end...]
            } else {
                let end = text.firstIndex(in: Self.tagEnds, from: tag, limit: content.endIndex)
                rest = content[min(end + 1, content.endIndex)...]
            }
        }
        add(rest)
    }

    /// The secret that begins at a byte such as `=` or `:`.
    private mutating func secret(at position: Int) -> Range<Int>? {
        switch text[position] {
        case UInt8(ascii: "="): return itemValue(at: position)
        case UInt8(ascii: ":"): return fieldValue(at: position)
        case UInt8(ascii: "/"): return userInformation(at: position)
        case UInt8(ascii: "B"), UInt8(ascii: "b"): return credentials(at: position)
        case UInt8(ascii: "<"):
            secretTag = secretTag(at: position)
            return nil
        case UInt8(ascii: ">"):
            defer { secretTag = nil }
            return secretTag.flatMap { elementContent(of: $0, at: position) }
        default: return nil
        }
    }

    // MARK: - Names and values

    /// `token=value`, `token="value"`, `token = value`
    private mutating func itemValue(at equalsSign: Int) -> Range<Int>? {
        guard let name = name(before: equalsSign), isSecret(name), !text[(equalsSign + 1)...].starts(with: "= ".utf8)
        else { return nil }
        var start = equalsSign + 1
        // If blanks precede the sign, others follow it.
        if Self.blanks.contains(text[equalsSign - 1]) { start = text.end(of: Self.blanks, from: start) }
        return start..<(quotedEnd(from: start) ?? text.firstIndex(in: Self.itemEnds, from: start))
    }

    /// `Authorization: value` to the end of the line, and `"token": "value"`.
    private mutating func fieldValue(at colon: Int) -> Range<Int>? {
        guard
            let name = name(before: colon), name.first != UInt8(ascii: "$"), !isAfterSlash(name), isSecret(name),
            !text[(colon + 1)...].starts(with: ":".utf8), !text[(colon + 1)...].starts(with: "//".utf8)
        else { return nil }
        let start = text.end(of: Self.blanks, from: colon + 1)
        let end = quotedEnd(from: start) ?? text.firstIndex(in: Self.lineEnds, from: start)
        return start < end ? start..<end : nil
    }

    /// The name before an equals sign or a colon; it may be in quotation marks.
    private func name(before end: Int) -> ArraySlice<UInt8>? {
        var end = end
        while end > done, Self.blanks.contains(text[end - 1]) { end -= 1 }
        if end > done, Self.quotes.contains(text[end - 1]) {
            end -= 1
            if end > done, text[end - 1] == UInt8(ascii: "\\") { end -= 1 }
        }
        var start = end
        while start > done, Self.nameBytes.contains(text[start - 1]) || text[start - 1] > 0x7F {
            start -= 1
            if end - start > Self.maximumNameLength { return nil }
        }
        return start < end ? text[start..<end] : nil
    }

    /// The name of a file in an error, as in `/etc/server.key: no such file`.
    private func isAfterSlash(_ name: ArraySlice<UInt8>) -> Bool {
        name.startIndex > 0 && text[name.startIndex - 1] == UInt8(ascii: "/")
    }

    private mutating func isSecret(_ name: ArraySlice<UInt8>) -> Bool {
        let name = String(decoding: name, as: UTF8.self)
        if let isSecret = known[name] { return isSecret }
        let isSecret = policy.isSecret(name.removingPercentEncoding ?? name)
        if known.count < 256 { known[name] = isSecret }
        return isSecret
    }

    // MARK: - URLs, credentials, elements

    /// `//user:password@host`
    private func userInformation(at slash: Int) -> Range<Int>? {
        guard text[slash...].starts(with: "//".utf8) else { return nil }
        let start = slash + 2
        let end = text.firstIndex(in: Self.authorityEnds, from: start)
        return text[start..<end].lastIndex(of: UInt8(ascii: "@")).map { start..<$0 }
    }

    /// `Bearer value` and `Basic value`, unless the value is a word of a sentence, or a parameter of a challenge.
    private func credentials(at position: Int) -> Range<Int>? {
        guard position == done || !Self.nameBytes.contains(text[position - 1]) else { return nil }
        let schemeEnd = text.firstIndex(in: Self.blanks, from: position, limit: position + 7)
        guard ["bearer", "basic"].contains(String(decoding: text[position..<schemeEnd], as: UTF8.self).lowercased())
        else { return nil }
        let start = text.end(of: Self.blanks, from: schemeEnd)
        let padding = text.end(of: Self.credentialBytes, from: start)
        let end = text.end(of: Self.padding, from: padding)
        let isWord = text[start..<padding].dropFirst().allSatisfy(Self.wordBytes.contains)
        // `realm="tea"`, and other text with an equals sign.
        let isParameter = end > padding && (isWord || end < text.count && Self.credentialBytes.contains(text[end]))
        return start == padding || isParameter || isWord && padding - start < 16 ? nil : start..<end
    }

    private mutating func secretTag(at position: Int) -> ArraySlice<UInt8>? {
        let start = position + 1
        let end = text.firstIndex(in: Self.tagNameEnds, from: start, limit: start + Self.maximumNameLength)
        guard end > start, isSecret(text[start..<end]) else { return nil }
        return text[start..<end]
    }

    /// All content of an element, up to its end tag, or the end of the text.
    private func elementContent(of name: ArraySlice<UInt8>, at tagEnd: Int) -> Range<Int>? {
        guard text[tagEnd - 1] != UInt8(ascii: "/") else { return nil }
        let start = tagEnd + 1
        // The depth of elements of this name.
        var depth = 1
        var position = start
        while position < text.count {
            guard text[position] == UInt8(ascii: "<") else {
                position += 1
                continue
            }
            if let end = end(ofSectionAt: position, limit: text.count) {
                position = end
                continue
            }
            let isEnd = position + 1 < text.count && text[position + 1] == UInt8(ascii: "/")
            if isTag(of: name, at: position + (isEnd ? 2 : 1)) {
                depth += isEnd ? -1 : isSelfClosing(position) ? 0 : 1
                if depth == 0 { break }
            }
            position += 1
        }
        return start < position ? start..<position : nil
    }

    private func isTag(of name: ArraySlice<UInt8>, at start: Int) -> Bool {
        let end = start + name.count
        guard end <= text.count, end == text.count || Self.tagNameEnds.contains(text[end]) else { return false }
        // The bit that distinguishes the case of letters; other bytes that it equates do not occur in names.
        return zip(text[start..<end], name).allSatisfy { $0 | 0x20 == $1 | 0x20 }
    }

    private func isSelfClosing(_ tag: Int) -> Bool {
        let end = text.firstIndex(in: Self.tagBounds, from: tag + 1)
        return end < text.count && text[end] == UInt8(ascii: ">") && text[end - 1] == UInt8(ascii: "/")
    }

    /// The end of a comment or a CDATA section, which contain no tags; `nil` for anything else.
    private func end(ofSectionAt position: Int, limit: Int) -> Int? {
        let isData = text[position...].starts(with: Self.dataStart)
        guard isData || text[position...].starts(with: "<!--".utf8) else { return nil }
        let ending = isData ? Self.dataEnd : Self.commentEnd
        var end = position + 4
        while end < limit, !text[end...].starts(with: ending) { end += 1 }
        return min(end + ending.count, limit)
    }

    // MARK: - Bytes

    /// The end of text in quotation marks, which may be escaped, as in JSON within JSON, or of redacted text; `nil` for
    /// anything else.
    private func quotedEnd(from start: Int) -> Int? {
        if text[start...].starts(with: Self.replacement) { return start + Self.replacement.count }
        let isEscaped = text[start...].starts(with: "\\\"".utf8)
        let opening = isEscaped ? start + 1 : start
        guard opening < text.count, Self.quotes.contains(text[opening]) else { return nil }
        var position = opening + 1
        while position < text.count {
            if text[position] == UInt8(ascii: "\\"), !isEscaped {
                position += 1
            } else if text[position] == text[opening] {
                return position + 1
            }
            position += 1
        }
        return text.count
    }

    static let replacement = Array(SecretPolicy.replacement.utf8)
    private static let maximumNameLength = 128
    private static let nameBytes = ByteSet(ByteSet.alphanumerics + "_-.$[]%")
    private static let quotes = ByteSet("\"'")
    private static let outerCharacters = CharacterSet(charactersIn: "\"'\\ \t\r\n")
    private static let blanks = ByteSet(" \t")
    private static let lineEnds = ByteSet("\r\n")
    static let itemEnds = ByteSet("&# \t\r\n\"<>")
    private static let authorityEnds = ByteSet("/?# \t\r\n\"<>")
    private static let tagEnds = ByteSet(">")
    private static let tagBounds = ByteSet("<>")
    private static let dataStart = Array("<![CDATA[".utf8)
    private static let dataEnd = Array("]]>".utf8)
    private static let commentEnd = Array("-->".utf8)
    private static let tagNameEnds = ByteSet("/ \t\r\n<>")
    private static let credentialBytes = ByteSet(ByteSet.alphanumerics + "-._~+/")
    private static let wordBytes = ByteSet("abcdefghijklmnopqrstuvwxyz._")
    private static let padding = ByteSet("=")
}
