import Teapot

/// The reason why a body is left out of a recording.
enum ReasonToLeaveOut: String, Error {
    case unreadable = "it cannot be parsed, so it may contain secrets"
    case containsSecret = "it contains a secret redacted elsewhere"
}

/// Redacts secrets in a recording: a first pass redacts the secrets of the policy, a second one their copies elsewhere.
struct RecordingRedactor {
    var policy: SecretPolicy
    /// The names of media types whose bodies are kept even if names in them cannot be recognized.
    private let keptMediaTypes: [String]
    /// The replaced values.
    private(set) var secrets = SecretValues()
    /// Whether the next parts belong to a response.
    var isInResponse = false
    private let looksForEchoes: Bool
    private let placeholders: Placeholders

    /// A first pass or, with the values that it replaced, a second one.
    init(_ policy: SecretPolicy, _ placeholders: Placeholders, keeping types: [String], echoes: Set<String>? = nil) {
        self.placeholders = placeholders
        self.policy = policy.adding(secrets: echoes ?? [])
        keptMediaTypes = types
        looksForEchoes = echoes != nil
    }

    mutating func url(_ url: String) -> String {
        // The origin is kept.
        let start = looksForEchoes ? HARURL.pathStart(in: url) : url.startIndex
        return url[..<start] + redacted(String(url[start...]))
    }

    @inline(never) mutating func redact(_ field: inout HARField) {
        // A media type is not an echo.
        if looksForEchoes, field.name.isField("Content-Type") { return }
        guard policy.isSecret(field.name, in: .field) else {
            field.value = redacted(field.value)
            return
        }
        if CookieText.isCookie(field.name) {
            secrets.add(field.name, cookies: field.value)
            field.value = CookieText.replacingValues(in: field.value, of: field.name, placeholders.placeholder)
            // In its attributes.
            if looksForEchoes { field.value = redacted(field.value) }
        } else {
            gather(field.value)
            field.value = placeholders.placeholder(for: field.value)
        }
    }

    /// A body in UTF-8 without its secrets.
    /// - Throws: The reason to leave it out: names in it cannot be recognized (broken JSON, a multipart form, XML), and its media
    ///   type is not one to keep; or it is, but a secret in it cannot be replaced.
    mutating func body(_ text: String, mediaType: String) throws(ReasonToLeaveOut) -> String {
        guard policy != .off else { return text }
        let type = MediaType(mediaType).name
        let isPage = type.contains("html")
        if !isPage, keptMediaTypes.contains(type) { return try keptBody(text) }
        // The first pass has replaced the values with secret names.
        if looksForEchoes, !mayHaveEchoes(text) { return text }
        guard isPage || !XMLRedactor.isMarkup(text) else { throw .unreadable }
        let redacted = gathering { policy, replace in
            guard type == "text/event-stream" else { return policy.redacted(body: text, replacing: replace) }
            return EventText.redacted(text, { policy.redacted(body: $0, replacing: replace) }, else: replace)
        }
        guard let redacted else { throw .unreadable }
        return redacted
    }

    /// Whether known secrets may be in a text: a string of JSON in a string has escapes of escapes, in which they are not found.
    func mayHaveEchoes(_ text: String) -> Bool {
        let data = text.encoded
        return policy.knowsSecret(in: data) || data.range(of: #"\\"#.encoded) != nil
            || data.range(of: #"\u"#.encoded) != nil
    }

    private mutating func keptBody(_ text: String) throws(ReasonToLeaveOut) -> String {
        let isMarkup = XMLRedactor.isMarkup(text)
        var hidden: [String] = []
        let redacted: String? = gathering { policy, replace in
            guard isMarkup else {
                return policy.redacted(body: text, replacing: replace)
                    ?? policy.redacted(text: text, replacing: replace)
            }
            var redactor = XMLRedactor(policy, replace)
            defer { hidden = redactor.secrets }
            return redactor.redacted(text)
        }
        for secret in hidden { gather(secret) }
        guard let redacted else { throw .unreadable }
        guard !policy.knowsSecret(in: XMLRedactor.characters(redacted).encoded) else { throw .containsSecret }
        return redacted
    }

    /// The reason to leave out data that is not text in UTF-8; `nil` if it can be kept. Secrets in text in another encoding
    /// would not be found, nor those in the parts of a multipart body, of which some are binary.
    func reasonToLeaveOut(_ data: Data, mediaType: String) -> ReasonToLeaveOut? {
        guard policy != .off else { return nil }
        let type = mediaType.lowercased()
        let textTypes = ["text/", "json", "xml", "form", "script", "yaml", "graphql"]
        let isText = type.isEmpty || textTypes.contains(where: type.contains)
        let first = data.first { !ByteSet.blanks.contains($0) }
        let isTextual = type.hasPrefix("multipart/") || first.map(Self.textStarts.contains) == true
        if isText || isTextual && !keptMediaTypes.contains(MediaType(mediaType).name) { return .unreadable }
        return policy.knowsSecret(in: data) ? .containsSecret : nil
    }

    private mutating func redacted(_ text: String) -> String {
        gathering { policy, replace in policy.redacted(text: text, replacing: replace) }
    }

    /// Redacts with placeholders, and gathers what they replace.
    private mutating func gathering<Text>(_ redact: (SecretPolicy, @escaping (String) -> String) -> Text) -> Text {
        var found: [String] = []
        let text = redact(policy) { [placeholders] secret in
            found.append(secret)
            return placeholders.placeholder(for: secret)
        }
        for secret in found { gather(secret) }
        return text
    }

    /// Clients send passwords; a server's words about one are not a secret. Neither is a date.
    private mutating func gather(_ secret: String) {
        let strings = JSONScanner.strings(of: secret)
        for value in strings.isEmpty ? [secret] : strings {
            if !(isInResponse && value.isProse), !Self.isDate(value) { secrets.add(value) }
        }
    }

    /// Whether a text is a date, with or without a time (RFC 3339).
    private static func isDate(_ text: String) -> Bool { text.utf8.count < 40 && text.prefixMatch(of: date) != nil }

    nonisolated(unsafe) private static let date = /\d{4}-\d\d-\d\d([T ]\d\d:|$)/

    /// The first bytes of JSON and XML, and of byte order marks.
    private static let textStarts = [UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "<"), 0xFE, 0xFF, 0xEF]
}
