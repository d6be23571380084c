internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

extension SecretPolicy {
    /// The value of a header field, or what stands in its place. The line breaks of a hostile server are escaped.
    package func shown(_ value: String, named name: String) -> String {
        isSecret(name) ? Self.replacement : value.escapingControlCharacters.replacing("\n", with: "\\n")
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
        shownURL(url.absoluteString)
    }

    /// A body as text: JSON with the values of secret members replaced, other text as it stands, and of other bytes only
    /// how many there are.
    package func shown(body: Data) -> String {
        if let json = shown(json: body, options: [.prettyPrinted]) { return json }
        if let text = String(data: body, encoding: .utf8), !text.contains("\0") {
            return text.escapingControlCharacters
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
            return shown(json: Data(text.utf8), options: []) ?? text
        case let text as String where text.contains("://"):
            return shownURL(text)
        default:
            return value
        }
    }

    private func shownURL(_ text: String) -> String {
        guard self != .off else { return text.escapingControlCharacters }
        let fragmentStart = text.firstIndex(of: "#") ?? text.endIndex
        let queryStart = text[..<fragmentStart].firstIndex(of: "?") ?? fragmentStart
        let query = text[queryStart..<fragmentStart].dropFirst().split(separator: "&", omittingEmptySubsequences: false)
        let shownQuery = query.map { item in
            let name = item.prefix { $0 != "=" }
            guard name.count < item.count, isSecret(name.removingPercentEncoding ?? String(name)) else {
                return String(item)
            }
            return "\(name)=\(Self.replacement)"
        }.joined(separator: "&")
        let mark = queryStart == fragmentStart ? "" : "?"
        let target = withoutUserInformation(String(text[..<queryStart]))
        return (target + mark + shownQuery + text[fragmentStart...]).escapingControlCharacters
    }

    private func withoutUserInformation(_ url: String) -> String {
        guard let start = url.range(of: "://")?.upperBound else { return url }
        let authority = url[start...].prefix { $0 != "/" }
        guard let at = authority.lastIndex(of: "@") else { return url }
        return url[..<start] + Self.replacement + url[at...]
    }
}
