import Teapot

/// XML in a recording. It is not parsed.
enum XMLText {
    /// Whether a text begins like XML or HTML.
    static func isMarkup(_ text: String) -> Bool { text.first { !$0.isWhitespace } == "<" }

    /// The text with the characters for which references stand (XML 1.0, section 4.1): `&lt;`, `&#60;` and `&#x3C;` are `<`.
    static func decoded(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        return text.replacing(/&(?:#x([0-9A-Fa-f]{1,8})|#([0-9]{1,8})|(amp|lt|gt|quot|apos));/) { reference in
            let (whole, hexadecimal, decimal, name) = reference.output
            let scalar: Unicode.Scalar? =
                if let name {
                    names[String(name)]
                } else {
                    (hexadecimal.flatMap { UInt32($0, radix: 16) } ?? decimal.flatMap { UInt32($0) })
                        .flatMap { Unicode.Scalar($0) }
                }
            return scalar.map { String(Character($0)) } ?? String(whole)
        }
    }

    private static let names: [String: Unicode.Scalar] = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]

    /// XML in which the values of attributes with a secret name are replaced, with their quotation marks.
    ///
    /// In other text, an equals sign follows its name at once, a value is not in single quotation marks, and a slash after it is
    /// part of it.
    ///
    /// - Parameters:
    ///   - text: The XML.
    ///   - policy: Decides which names are secret. Prefixes of namespaces do not count.
    ///   - secrets: Takes the replaced values.
    /// - Returns: The redacted XML.
    static func redactingAttributes(in text: String, _ policy: SecretPolicy, secrets: inout [String]) -> String {
        var (result, end) = ("", text.startIndex)
        for match in text.matches(of: /=\s*(?:"([^"<]*)"|'([^'<]*)')/) {
            let name = text[end..<match.range.lowerBound].reversed().drop(while: \.isWhitespace)
                .prefix { $0.isLetter || $0.isNumber || "_-.".contains($0) }.prefix(maximumNameLength)
            guard policy.isSecret(String(name.reversed())) else { continue }
            secrets.append(String(match.output.1 ?? match.output.2 ?? ""))
            result += "\(text[end..<match.range.lowerBound])=\(SecretPolicy.replacement)"
            end = match.range.upperBound
        }
        return result + text[end...]
    }

    /// In characters.
    private static let maximumNameLength = 128

    /// XML in which `<redacted>` is text for a parser: it is escaped, and in quotation marks where it replaced those of an
    /// attribute.
    static func escapingReplacements(in text: String) -> String {
        let escaped = SecretPolicy.replacement.replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        var result = ""
        var (isInTag, isInQuotes) = (false, false)
        for (index, part) in text.split(separator: SecretPolicy.replacement, omittingEmptySubsequences: false)
            .enumerated()
        {
            if index > 0 {
                let isValue = isInTag && !isInQuotes && result.utf8.last == UInt8(ascii: "=")
                result += isValue ? "\"\(escaped)\"" : escaped
            }
            for byte in part.utf8 {
                switch byte {
                case UInt8(ascii: "<"), UInt8(ascii: ">"):
                    isInTag = byte == UInt8(ascii: "<")
                    isInQuotes = false
                case UInt8(ascii: "\""): isInQuotes.toggle()
                default: break
                }
            }
            result += part
        }
        return result
    }
}
