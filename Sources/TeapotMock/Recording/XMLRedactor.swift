import Teapot

/// Redacts secrets in XML. It is not parsed: only tags, the values of attributes, CDATA sections, comments and other text are told
/// apart, so that a replaced value ends where it ends for a parser. The result is as well-formed as the text was.
struct XMLRedactor {
    private let policy: SecretPolicy
    /// The replaced values.
    private(set) var secrets: [String] = []
    /// The number of texts around this one that contain XML as text.
    private let depth: Int

    init(_ policy: SecretPolicy, depth: Int = 0) {
        self.policy = policy
        self.depth = depth
    }

    /// Whether a text begins like XML or HTML.
    static func isMarkup(_ text: String) -> Bool { text.first { !$0.isWhitespace } == "<" }

    /// The XML without its secrets; `nil` if its parts cannot be told apart, as in a document type with declarations.
    mutating func redacted(_ text: String) -> String? {
        var (result, rest) = ("", text[...])
        while let start = Self.tagStart(in: rest) {
            result += self.text(rest[..<start])
            rest = rest[start...]
            let section = Self.sections.first { rest.utf8.starts(with: $0.start.utf8) }
            if let section {
                guard let end = rest.firstRange(of: section.end) else { return nil }
                let content = rest.dropFirst(section.start.count)[..<end.lowerBound]
                result += section.start + policy.redacted(text: String(content), secrets: &secrets) + section.end
                rest = rest[end.upperBound...]
            } else {
                guard let tag = takeTag(&rest) else { return nil }
                result += tag
            }
        }
        return result + self.text(rest)
    }

    /// The first `<` that does not begin a replacement.
    private static func tagStart(in text: Substring) -> Substring.Index? {
        var rest = text
        while let start = rest.utf8.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[start...]
            guard rest.utf8.starts(with: SecretPolicy.replacement.utf8) else { return start }
            rest = rest.dropFirst(SecretPolicy.replacement.count)
        }
        return nil
    }

    private static let sections = [(start: "<![CDATA[", end: "]]>"), (start: "<!--", end: "-->")]

    /// Takes a tag, in which each `=` is to be followed by a value in quotation marks.
    private mutating func takeTag(_ rest: inout Substring) -> String? {
        var (result, pair) = ("<", "")
        rest = rest.dropFirst()
        while let mark = rest.utf8.firstIndex(where: Self.marks.contains) {
            let (before, byte) = (rest[..<mark], rest.utf8[mark])
            rest = rest[rest.utf8.index(after: mark)...]
            let name = before.reversed().drop(while: \.isWhitespace)
            let isValue = name.first == "="
            guard byte != UInt8(ascii: "<"), before.utf8.count(where: { $0 == UInt8(ascii: "=") }) == (isValue ? 1 : 0)
            else { return nil }
            result += "\(before)\(Unicode.Scalar(byte))"
            if byte == UInt8(ascii: ">") { return isValue ? nil : result }
            guard let end = rest.utf8.firstIndex(of: byte) else { return nil }
            let value = rest[..<end]
            rest = rest[rest.utf8.index(after: end)...]
            let attribute = isValue ? Self.name(name.dropFirst()) : ""
            let lowered = attribute.lowercased()
            if ["key", "name"].contains(lowered) { pair = Self.decoded(String(value)) }
            // As in `<add key="Password" value="…"/>`.
            let isPair = lowered == "value" && policy.isSecret(pair)
            if isPair || lowered != "key" && policy.isSecret(attribute) {
                secrets += Set([String(value), Self.decoded(String(value))]).filter { $0 != SecretPolicy.replacement }
                result += SecretPolicy.replacement
            } else {
                result += text(value, quote: byte)
            }
            result.unicodeScalars.append(Unicode.Scalar(byte))
        }
        return nil
    }

    private static let marks: Set = [UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'")]

    /// The name before an equals sign, without a prefix of a namespace.
    private static func name(_ reversed: some Sequence<Character>) -> String {
        let name = reversed.drop(while: \.isWhitespace).prefix { $0.isLetter || $0.isNumber || "_-.".contains($0) }
        return String(name.prefix(128).reversed())
    }

    /// Text between tags, or a value. References in it are decoded first: `&amp;` can be the end of a secret, or a part of one.
    private mutating func text(_ text: Substring, quote: UInt8? = nil) -> String {
        let text = String(text)
        let decoded = Self.decoded(text)
        var redacted: String?
        if decoded != text, Self.isMarkup(decoded), depth < 2 {
            var inner = XMLRedactor(policy, depth: depth + 1)
            redacted = inner.redacted(decoded)
            if redacted != nil { secrets += inner.secrets }
        }
        let result = redacted ?? policy.redacted(text: decoded, secrets: &secrets)
        return result == decoded ? text : Self.escaped(result, like: text, quote: quote)
    }

    // MARK: - References

    /// The text with the characters for which references stand (XML 1.0, section 4.1): `&lt;`, `&#60;` and `&#x3C;` are `<`.
    static func decoded(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        return text.replacing(/&(?:#x([0-9A-Fa-f]{1,8})|#([0-9]{1,8})|(amp|lt|gt|quot|apos));/) { reference in
            let (whole, hexadecimal, decimal, name) = reference.output
            let number = hexadecimal.flatMap { UInt32($0, radix: 16) } ?? decimal.flatMap { UInt32($0) }
            if let name { return names.first { $0.name == name }?.character ?? String(whole) }
            return number.flatMap(Unicode.Scalar.init).map { String(Character($0)) } ?? String(whole)
        }
    }

    private static let names = [
        (name: "amp", character: "&"), (name: "lt", character: "<"), (name: "gt", character: ">"),
        (name: "quot", character: "\""), (name: "apos", character: "'"),
    ]

    /// Text with references for what must have one, and for what has one in another text. Replacements stay as they are.
    private static func escaped(_ text: String, like other: String, quote: UInt8?) -> String {
        let escapes = names.filter { name, character in
            name == "amp" || name == "lt" || other.contains("&\(name);")
                || quote.map { character == String(Unicode.Scalar($0)) } == true
        }
        let parts = text.split(separator: SecretPolicy.replacement, omittingEmptySubsequences: false)
        return parts.map { part in
            escapes.reduce(String(part)) { $0.replacing($1.character, with: "&\($1.name);") }
        }
        .joined(separator: SecretPolicy.replacement)
    }

    /// The characters of XML in a row, wherever sections begin and end.
    static func characters(_ text: String) -> String {
        decoded(sections.reduce(text) { $0.replacing($1.start, with: "").replacing($1.end, with: "") })
    }

    /// XML in which `<redacted>` is text for a parser.
    static func escapingReplacements(in text: String) -> String {
        text.replacing(SecretPolicy.replacement, with: "&lt;redacted&gt;")
    }
}
