internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

extension SecretPolicy {
    /// The value of a header field, or what stands in its place. The line breaks of a hostile server are escaped.
    package func shown(_ value: String, named name: String) -> String {
        isSecret(name) ? Self.replacement : shown(text: value).replacing("\n", with: "\\n")
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

    /// A body as text: JSON with the values of secret members replaced, other text as it stands, and of other bytes only
    /// how many there are.
    package func shown(body: Data) -> String {
        if let json = shown(json: body, options: [.prettyPrinted]) { return json }
        if let text = String(data: body, encoding: .utf8), !text.contains("\0") {
            return shown(text: text)
        }
        return "\(body.count) bytes"
    }

    private func shown(json: Data, options: JSONSerialization.WritingOptions) -> String? {
        let options = options.union([.sortedKeys, .withoutEscapingSlashes])
        guard
            let object = try? JSONSerialization.jsonObject(with: json), JSONBytes.isWithinDepth(object),
            let text = try? JSONSerialization.data(withJSONObject: redacted(object), options: options)
        else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    private func redacted(_ value: Any) -> Any {
        switch value {
        case let object as [String: Any]:
            return object.reduce(into: [String: Any]()) { result, member in
                result[member.key] = isSecret(member.key) ? Self.replacement : redacted(member.value)
            }
        case let array as [Any]:
            return array.map(redacted)
        case let text as String where text.hasPrefix("{") || text.hasPrefix("["):
            // JSON within JSON, as echoing servers send it.
            return shown(json: Data(text.utf8), options: []) ?? shown(text: text)
        case let text as String:
            return shown(text: text)
        default:
            return value
        }
    }

    /// Text in which user information of URLs and the values of `name=value` pairs with secret names are replaced: a URL, a
    /// form, or anything that quotes them. Control characters are escaped.
    package func shown(text: String) -> String {
        guard self != .off else { return text.escapingControlCharacters }
        return withoutUserInformation(withoutSecretValues(text)).escapingControlCharacters
    }

    private func withoutSecretValues(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "=")) else { return text }
        let pieces = text.utf8.split(separator: UInt8(ascii: "="), omittingEmptySubsequences: false)
        var shown = ""
        var isSecretValue = false
        for (index, piece) in pieces.enumerated() {
            let value = isSecretValue ? piece.prefix { !Self.valueEnds.contains($0) } : piece.prefix(0)
            // A secret may hold an equals sign itself, as the padding of base64 does.
            let endsHere = value.endIndex < piece.endIndex || !isSecretValue
            shown += String(piece[value.endIndex...]) ?? ""
            guard index < pieces.count - 1 else { break }
            guard endsHere else { continue }
            let nameStart = piece.lastIndex { !Self.nameBytes.contains($0) }.map(piece.index(after:)) ?? piece.startIndex
            let name = String(piece[nameStart...]) ?? ""
            isSecretValue = isSecret(name.removingPercentEncoding ?? name)
            shown += isSecretValue ? "=" + Self.replacement : "="
        }
        return shown
    }

    private static let nameBytes = ByteSet(ByteSet.alphanumerics + "-._~%+[]")
    private static let valueEnds = ByteSet("&#\"'<> \t\r\n")

    private func withoutUserInformation(_ text: String) -> String {
        let pieces = text.components(separatedBy: "://")
        let shown = pieces.dropFirst().map { piece in
            let authority = piece.prefix { !"/?#\"'<> \t\r\n".contains($0) }
            guard let at = authority.lastIndex(of: "@") else { return piece }
            return Self.replacement + piece[at...]
        }
        return ([pieces[0]] + shown).joined(separator: "://")
    }
}
