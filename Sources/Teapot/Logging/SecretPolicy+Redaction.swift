internal import Foundation

extension SecretPolicy {
    /// The value of a header field, or what stands in its place. The line breaks of a hostile server are escaped.
    package func shown(_ value: String, named name: String) -> String {
        guard !isSecret(name) else { return Self.replacement }
        return shown(text: value).replacing("\n", with: "\\n")
    }

    /// Header fields, one a line, sorted by name.
    package func shown(_ fields: some Sequence<(String, String)>) -> String {
        fields
            .sorted { $0.0 < $1.0 }
            .map { "\($0.0.escapingControlCharacters): \(shown($0.1, named: $0.0))" }
            .joined(separator: "\n")
    }

    /// A URL with its user information and secret query values replaced.
    package func shown(_ url: URL) -> String {
        shown(text: url.absoluteString)
    }

    /// A body as text: JSON with the values of secret members replaced, other text with those of secret query items
    /// replaced, and of other bytes only how many there are.
    package func shown(body: Data) -> String {
        if let json = redacted(json: body, options: [.prettyPrinted], depth: 0) { return json }
        if let text = String(data: body, encoding: .utf8), !text.contains("\0"), !isOn || !Self.isOpaque(text) {
            return shown(text: text)
        }
        return "\(body.count) bytes"
    }
}

// MARK: - JSON

extension SecretPolicy {
    /// JSON with secrets replaced, `nil` for what is none. The depth is how deeply it lies in other JSON: all of it together
    /// must fit the stack.
    private func redacted(json: Data, options: JSONSerialization.WritingOptions, depth: Int) -> String? {
        guard let object = try? JSONSerialization.jsonObject(with: json) else { return nil }
        guard JSONBytes.isWithinDepth(object, depth: depth) else {
            return "\(json.count) bytes of JSON, nested too deeply to show"
        }
        let options = options.union([.sortedKeys, .withoutEscapingSlashes])
        let redacted = redacted(object, depth: depth)
        let text = try? JSONSerialization.data(withJSONObject: redacted, options: options)
        return text.map { String(decoding: $0, as: UTF8.self) }
    }

    private func redacted(_ value: Any, depth: Int) -> Any {
        switch value {
        case let object as [String: Any]:
            return object.reduce(into: [String: Any]()) { result, member in
                result[member.key] = isSecret(member.key) ? Self.replacement : redacted(member.value, depth: depth + 1)
            }
        case let array as [Any]:
            return array.map { redacted($0, depth: depth + 1) }
        case let text as String:
            // JSON within JSON, as echoing servers send it.
            let isJSON = text.first { !$0.isWhitespace }.map { $0 == "{" || $0 == "[" } ?? false
            let json = isJSON ? redacted(json: Data(text.utf8), options: [], depth: depth + 1) : nil
            return json ?? redacted(text: text)
        default:
            return value
        }
    }
}

extension SecretPolicy {
    /// Whether the names in a text cannot be told: JSON that was cut off or does not parse, several JSON values, a
    /// multipart form.
    private static func isOpaque(_ text: String) -> Bool {
        let start = text.first { !$0.isWhitespace }
        return start.map { "{[\"".contains($0) } == true || text.contains("Content-Disposition:")
    }
}

// MARK: - Text

extension SecretPolicy {
    /// What ends a query item, a URL, or both.
    private static let delimiters: Set<Unicode.Scalar> = ["?", "&", "#", " ", "\t", "\r", "\n", "\"", "<", ">"]

    /// Text with its secrets replaced and its control characters escaped.
    package func shown(text: String) -> String {
        redacted(text: text).escapingControlCharacters
    }

    /// Text in which the user information of URLs and the values of secret query items are replaced: a URL, a header field
    /// such as `Link`, a form, a sentence.
    private func redacted(text: String) -> String {
        guard self != .off else { return text }
        var redacted = ""
        var rest = text.unicodeScalars[...]
        while true {
            var piece = rest.prefix { !Self.delimiters.contains($0) }
            if let name = secretName(of: Substring(piece)) {
                redacted += "\(name)=\(Self.replacement)"
                // A question mark within the value does not end it.
                piece = rest.prefix { !Self.delimiters.contains($0) || $0 == "?" }
            } else {
                redacted += withoutUserInformation(Substring(piece))
            }
            rest = rest[piece.endIndex...]
            guard let delimiter = rest.popFirst() else { return redacted }
            redacted.unicodeScalars.append(delimiter)
        }
    }

    /// The name of a query item, if its value is a secret.
    private func secretName(of item: Substring) -> Substring? {
        let name = item.prefix { $0 != "=" }
        guard name.endIndex != item.endIndex, name.utf8.count <= 128, !name.contains("/") else { return nil }
        return isSecret(name.removingPercentEncoding ?? String(name)) ? name : nil
    }

    private func withoutUserInformation(_ text: Substring) -> String {
        let parts = text.components(separatedBy: "://")
        let shown = parts.dropFirst().map { part in
            guard let at = part.prefix(while: { $0 != "/" }).lastIndex(of: "@") else { return part }
            return Self.replacement + part[at...]
        }
        return (parts.prefix(1) + shown).joined(separator: "://")
    }
}
