import Foundation

extension SecretPolicy {
    /// The value of a header field, redacted if secret. Line breaks from a hostile server are escaped.
    package func redacted(_ value: String, named name: String) -> String {
        isSecretField(name) ? Self.replacement : redacted(line: value)
    }

    /// The same for an item of a query.
    package func redacted(_ value: String, ofItem name: String) -> String {
        isSecretItem(name) ? Self.replacement : redacted(line: value)
    }

    /// Header fields, one per line.
    package func redacted(_ fields: [(name: String, value: String)]) -> String {
        fields.map { "\($0.name.onOneLine): \(redacted($0.value, named: $0.name))" }.joined(separator: "\n")
    }

    /// A URL with its user information and secret query values replaced.
    package func redacted(_ url: URL) -> String { redacted(text: url.absoluteString) }

    /// In bytes, for a body that is shown: no server can fill a log.
    static let maximumBodySize = 262_144

    /// A body as text: JSON with secret members redacted, other text with its secrets redacted; for other bytes, or too many,
    /// only their number.
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

    /// A body as text with only its secrets replaced; `nil` for other bytes, or too many, and for text in which secrets cannot
    /// be recognized.
    func redactedText(of body: Data) -> String? {
        guard body.count <= Self.maximumBodySize, let text = String(data: body, encoding: .utf8) else { return nil }
        return redactedText(text)
    }

    private func redactedText(_ text: String) -> String? {
        text.utf8.contains(0) ? nil : redacted(body: text)
    }

    /// The first characters of a body on one line; `nil` if it is blank, and for text in which secrets cannot be recognized. It is
    /// redacted before it is cut, so that no part of a secret is shown.
    func beginning(of body: String, _ count: Int) -> String? {
        let whole = String(body.unicodeScalars.prefix(Self.maximumBodySize))
        guard let words = redactedText(whole)?.split(whereSeparator: \.isWhitespace), !words.isEmpty else { return nil }
        return String(words.joined(separator: " ").onOneLine.unicodeScalars.prefix(count))
    }

    /// Whether bytes that are not text contain a known secret.
    package func knowsSecret(in data: Data) -> Bool { known?.compiled.isFound(in: data) == true }

    /// Whether a value cannot be a secret, whatever its name: `is required`, `string`, `Bearer`.
    package static func isProse(_ text: String) -> Bool {
        var length = 0
        return text.utf8.allSatisfy { byte in
            length = ByteSet.letters.contains(byte) ? length + 1 : 0
            return length < 16 && (length > 0 || punctuation.contains(byte))
        }
    }

    private static let punctuation = ByteSet(" .,:;!?'()")

    // MARK: - Text

    /// Text with its secrets replaced and its control characters escaped.
    func redacted(text: String) -> String { redacted(text: text, replacing: nil).escapingControlCharacters() }

    /// The same on one line, so that it cannot start another line.
    package func redacted(line text: String) -> String { redacted(text: text, replacing: nil).onOneLine }

    /// Redacts secrets in text, such as a URL, a form or a sentence: the values of items and user information by their names,
    /// members of JSON, and known secrets.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - replacing: Makes what stands in the place of a secret, in which nothing has to be escaped; `nil` for ``replacement``.
    /// - Returns: The redacted text.
    package func redacted(text: String, replacing: ((String) -> String)?) -> String {
        TextRedactor.redacted(text, in: TextRedactor.Context(self, replacing: replacing)) ?? text
    }

    /// The same for a body of any media type; everything else keeps its bytes.
    ///
    /// - Returns: `nil` for text in which secrets cannot be recognized: a part of it seems to be JSON but is not, or it is a multipart
    ///   form, whose names are not read.
    package func redacted(body text: String, replacing: ((String) -> String)? = nil) -> String? {
        TextRedactor.redacted(text, in: TextRedactor.Context(self, replacing: replacing), isBody: true)
    }
}
