import Teapot

/// Redacts secrets in XML: attributes and elements with a secret name, the `value` or the content beside such a `name` or `key`, and
/// the secrets of any text. The XML is not parsed. Only tags, the values of attributes, CDATA sections, comments and other text are told
/// apart, so that a replaced value ends where it ends for a parser. The result is as well-formed as the text was.
struct XMLRedactor {
    private let policy: SecretPolicy
    private let replacing: (String) -> String
    /// The replaced values as they are written, with references.
    private(set) var secrets: [String] = []
    /// The number of texts around this one that contain XML as text.
    private let depth: Int
    /// Whether XML within the text can be read, too.
    private var isReadable = true
    /// The number of open elements from one on whose content is a secret.
    private var secretDepth = 0
    /// The name of the outermost of these elements.
    private var secretName = ""

    init(_ policy: SecretPolicy, _ replacing: @escaping (String) -> String, depth: Int = 0) {
        self.policy = policy
        self.replacing = replacing
        self.depth = depth
    }

    /// Whether a text begins like XML or HTML.
    static func isMarkup(_ text: String) -> Bool { text.first { !$0.isWhitespace } == "<" }

    /// The XML without its secrets; `nil` if its parts cannot be told apart, as in a document type with declarations.
    mutating func redacted(_ text: String) -> String? {
        var (result, rest) = ("", text[...])
        while let start = rest.utf8.firstIndex(of: UInt8(ascii: "<")) {
            result += content(rest[..<start])
            rest = rest[start...]
            guard let section = Self.section(at: rest) else {
                guard let tag = takeTag(&rest) else { return nil }
                result += tag
                continue
            }
            let inner = rest.utf8.dropFirst(section.start.utf8.count)
            guard let end = inner.firstRange(of: section.end.utf8) else { return nil }
            result += section.start + content(Substring(inner[..<end.lowerBound]), isPlain: true) + section.end
            rest = rest[end.upperBound...]
        }
        result += content(rest)
        return isReadable ? result : nil
    }

    private static let sections = [(start: "<![CDATA[", end: "]]>"), (start: "<!--", end: "-->")]

    private static func section(at rest: Substring) -> (start: String, end: String)? {
        // By bytes, since the next character may combine with the last of a start.
        for section in sections where Array(rest.utf8.prefix(section.start.utf8.count)) == Array(section.start.utf8) {
            return section
        }
        return nil
    }

    /// Redacts the text between tags. In a section, the text is plain: references are not decoded.
    private mutating func content(_ text: Substring, isPlain: Bool = false) -> String {
        let value = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let isNumber = value.utf8.allSatisfy { ByteSet.digits.contains($0) }
        let isHarmless = value.isEmpty || isNumber && secretDepth == 1 && !policy.isSecret(secretName, in: .number)
        if secretDepth > 0, let place = text.range(of: value), !isHarmless {
            return text[..<place.lowerBound] + replacement(of: value, isPlain: isPlain) + text[place.upperBound...]
        }
        let text = String(text)
        guard isPlain else { return self.text(text) }
        return markup(text) ?? policy.redacted(text: text, replacing: replacing)
    }

    private mutating func replacement(of value: String, isPlain: Bool = false) -> String {
        let decoded = isPlain ? value : Self.decoded(value)
        if value != decoded { secrets.append(value) }
        return replacing(decoded)
    }

    private struct Attribute {
        let before: Substring
        let name: String
        let value: Substring
        let quote: String
    }

    /// Takes a tag, in which each `=` is to be followed by a value in quotation marks.
    private mutating func takeTag(_ rest: inout Substring) -> String? {
        var attributes: [Attribute] = []
        let tag = rest
        rest = rest.dropFirst()
        while let mark = rest.utf8.firstIndex(where: Self.marks.contains) {
            let (before, byte) = (rest[..<mark], rest.utf8[mark])
            rest = rest[rest.utf8.index(after: mark)...]
            let name = before.reversed().drop(while: \.isWhitespace)
            let isValue = name.first == "="
            var signCount = 0
            for byte in before.utf8 where byte == UInt8(ascii: "=") { signCount += 1 }
            guard byte != UInt8(ascii: "<"), signCount == (isValue ? 1 : 0) else { return nil }
            if byte == UInt8(ascii: ">") { return isValue ? nil : redacted(tag, attributes, end: before) }
            guard let end = rest.utf8.firstIndex(of: byte) else { return nil }
            let quote = byte == UInt8(ascii: "'") ? "'" : "\""
            let attributeName = isValue ? Self.name(name.dropFirst()) : ""
            attributes.append(Attribute(before: before, name: attributeName, value: rest[..<end], quote: quote))
            rest = rest[rest.utf8.index(after: end)...]
        }
        return nil
    }

    private mutating func redacted(_ tag: Substring, _ attributes: [Attribute], end: Substring) -> String {
        let element = tag.dropFirst().prefix { !$0.isWhitespace && $0 != ">" && $0 != "/" }
        // As in `<add key="Password" value="…"/>`, in any order.
        var names: [String] = []
        for attribute in attributes where ["key", "name"].contains(attribute.name.lowercased()) {
            names.append(Self.decoded(String(attribute.value)))
        }
        let secret = (names + [Self.localName(element)]).first(where: policy.isSecret)
        var result = "<"
        for attribute in attributes {
            let (name, quote) = (attribute.name, attribute.quote)
            let isSecretValue = name.lowercased() == "value" && secret != nil || policy.isSecret(name)
            let value = String(attribute.value)
            result += attribute.before + quote
            result += (isSecretValue ? replacement(of: value) : text(value, quote: quote)) + quote
        }
        if element.isEmpty {
            secretDepth = max(0, secretDepth - 1)
        } else if (secret != nil || secretDepth > 0) && end.last != "/" && !"!?".contains(element.first ?? "!") {
            if secretDepth == 0 { secretName = secret ?? "" }
            secretDepth += 1
        }
        return result + end + ">"
    }

    private static func localName(_ name: Substring) -> String {
        name.split(separator: ":").last.map(String.init) ?? ""
    }

    private static let marks = [UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'")]

    /// The name before an equals sign, without a prefix of a namespace.
    private static func name(_ reversed: some Sequence<Character>) -> String {
        let name = reversed.drop(while: \.isWhitespace).prefix { $0.isLetter || $0.isNumber || "_-.".contains($0) }
        return String(name.prefix(128).reversed())
    }

    /// Text between tags, or a value. References in it are decoded first: `&amp;` can be the end of a secret, or a part of one.
    private mutating func text(_ text: String, quote: String? = nil) -> String {
        let decoded = Self.decoded(text)
        let redacted = decoded == text ? nil : markup(decoded)
        let result = redacted ?? policy.redacted(text: decoded, replacing: replacing)
        return result == decoded ? text : Self.escaped(result, like: text, quote: quote)
    }

    /// XML in text without its secrets; `nil` if there is none.
    private mutating func markup(_ text: String) -> String? {
        guard Self.isMarkup(text) else { return nil }
        var inner = XMLRedactor(policy, replacing, depth: depth + 1)
        guard depth < 2, let redacted = inner.redacted(text) else {
            // Text with elements must be read, since they may contain secrets.
            if text.contains("</") { isReadable = false }
            return nil
        }
        secrets += inner.secrets
        return redacted
    }

    // MARK: - References

    /// The text with the characters for which references stand (XML 1.0, section 4.1): `&lt;`, `&#60;` and `&#x3C;` are `<`.
    static func decoded(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        return text.replacing(/&(?:#x0*([0-9A-Fa-f]{1,8})|#0*([0-9]{1,8})|(amp|lt|gt|quot|apos));/) { reference in
            let (whole, hexadecimal, decimal, name) = reference.output
            if let name { for (known, character) in names where known == name { return character } }
            let number = hexadecimal.map { String($0).number(radix: 16) } ?? decimal.map { String($0).number() }
            let scalar = number?.flatMap { Unicode.Scalar(UInt32($0)) }
            return scalar.map { String(Character($0)) } ?? String(whole)
        }
    }

    private static let names = [
        (name: "amp", character: "&"), (name: "lt", character: "<"), (name: "gt", character: ">"),
        (name: "quot", character: "\""), (name: "apos", character: "'"),
    ]

    /// Text with references for the characters that need one, and for those that have one in another text.
    private static func escaped(_ text: String, like other: String, quote: String?) -> String {
        var text = text
        for (name, character) in names {
            let reference = "&" + name + ";"
            guard name == "amp" || name == "lt" || character == quote || other.contains(reference) else { continue }
            text = text.replacing(character, with: reference)
        }
        return text
    }

    /// The characters of XML in a row, wherever sections begin and end.
    static func characters(_ text: String) -> String {
        var text = text
        for (start, end) in sections { text = text.replacing(start, with: "").replacing(end, with: "") }
        return decoded(text)
    }
}
