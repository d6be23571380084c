import Foundation

/// Shows URLs, header fields, bodies and other text without their secrets, which ``TextRedactor`` finds.
extension SecretPolicy {
    /// The value of a header field, or of an item of a query, redacted if secret. Line breaks are escaped.
    package func redacted(_ value: String, named name: String, in place: SecretName.Place = .field) -> String {
        isSecret(name, in: place) ? Self.replacement : redacted(line: value)
    }

    package func redacted(_ fields: [(name: String, value: String)]) -> String {
        fields.map { $0.name.onOneLine + ": " + redacted($0.value, named: $0.name) }.joined(separator: "\n")
    }

    /// A URL with its user information and secret query values replaced.
    package func redacted(_ url: URL) -> String { redacted(text: url.absoluteString) }

    /// In bytes, for a body that is shown: no server can fill a log.
    static let maximumBodySize = 262_144

    /// A body as text without its secrets, JSON indented; for other bytes, or too many, only their number.
    func redacted(body: Data) -> String {
        let size = "\(body.count) bytes"
        guard let text = redactedText(of: body) else { return size }
        let object = JSONScanner.value(of: Data(text.utf8))
        guard let object, object is [Any] || object is [String: Any] else { return text.escapingControlCharacters() }
        guard let json = try? JSONWriter.data(of: object, isIndented: true) else {
            return "\(size) of JSON, nested too deeply to show"
        }
        // JSON may contain control characters from 7F on unescaped.
        return json.text.escapingControlCharacters()
    }

    /// A body with only its secrets replaced; `nil` if it is too long or not text, or its secrets cannot be recognized.
    func redactedText(of body: Data) -> String? {
        guard body.count <= Self.maximumBodySize, let text = String(data: body, encoding: .utf8) else { return nil }
        return text.utf8.contains(0) ? nil : redacted(body: text)
    }

    /// The first characters of a body on one line; `nil` if it is blank, and for text in which secrets cannot be recognized. It is
    /// redacted before it is cut, so that no part of a secret is shown.
    func beginning(of body: String, _ count: Int) -> String? {
        let whole = Data(String(body.unicodeScalars.prefix(Self.maximumBodySize)).utf8)
        let words = redactedText(of: whole)?.components(separatedBy: .whitespacesAndNewlines).filter { !$0.isEmpty }
        guard let words, !words.isEmpty else { return nil }
        return String(words.joined(separator: " ").onOneLine.unicodeScalars.prefix(count))
    }

    /// Whether bytes that are not text contain a known secret.
    package func knowsSecret(in data: Data) -> Bool { known?.compiled.isFound(in: data) == true }

    /// Text with its secrets replaced and its control characters escaped.
    func redacted(text: String) -> String { redacted(text: text, replacing: nil).escapingControlCharacters() }
    /// The same on one line.
    package func redacted(line text: String) -> String { redacted(text: text, replacing: nil).onOneLine }

    /// Text with only its secrets replaced: by the result of the closure, in which nothing has to be escaped, or by ``replacement``.
    package func redacted(text: String, replacing: ((String) -> String)?) -> String {
        TextRedactor.redacted(text, in: TextRedactor.Context(self, replacing: replacing)) ?? text
    }

    /// The same for a body of any media type; everything else keeps its bytes. `nil` for text in which secrets cannot be recognized: a
    /// part of it seems to be JSON but is not, or it is a multipart form, whose names are not read.
    package func redacted(body text: String, replacing: ((String) -> String)? = nil) -> String? {
        TextRedactor.redacted(text, in: TextRedactor.Context(self, replacing: replacing), isBody: true)
    }
}
