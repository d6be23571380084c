import Teapot

/// Redacts secrets in a recording: a first pass redacts the secrets of the policy, a second one their copies elsewhere.
struct RecordingRedactor {
    var policy: SecretPolicy
    /// The replaced values.
    private(set) var secrets = SecretValues()
    /// Whether the next parts belong to a response.
    var isInResponse = false
    private let looksForEchoes: Bool

    /// A first pass.
    init(_ policy: SecretPolicy) {
        self.policy = policy
        looksForEchoes = false
    }

    /// A second pass.
    init(_ policy: SecretPolicy, echoes: Set<String>) {
        self.policy = policy.adding(secrets: echoes)
        looksForEchoes = true
    }

    mutating func url(_ url: String) -> String {
        // The origin is kept.
        let start = looksForEchoes ? HARURL.pathStart(in: url) : url.startIndex
        return url[..<start] + redacted(String(url[start...]))
    }

    mutating func redact(_ field: inout HARField) {
        // A media type is not an echo.
        if looksForEchoes, FieldName(field.name) == "Content-Type" { return }
        guard policy.isSecret(field.name) else {
            field.value = redacted(field.value)
            return
        }
        gather(field.value)
        if CookieText.isCookie(field.name) { secrets.add(field.name, cookies: field.value) }
        field.value = SecretPolicy.replacement
    }

    /// `nil` if names in it cannot be read: broken JSON, a multipart form, XML.
    mutating func body(_ text: String, mediaType: String) -> String? {
        // The first pass has replaced what has a secret name. Without escapes, a copy of it is found as it is.
        let data = Data(text.utf8)
        let hasEscape = data.withUnsafeBytes { $0.baseAddress.map { memchr($0, 0x5C, data.count) != nil } == true }
        if looksForEchoes, !hasEscape, !policy.knowsSecret(in: data) { return text }
        let isMarkup = text.first { !$0.isWhitespace } == "<" && !mediaType.lowercased().contains("html")
        return isMarkup && policy != .off
            ? nil : gathering { policy, found in policy.redacted(body: text, secrets: &found) }
    }

    /// The reason to leave out data that is not text in UTF-8; `nil` if it can be kept.
    func reasonToLeaveOut(_ data: Data, mediaType: String) -> String? {
        guard policy != .off else { return nil }
        let mediaType = mediaType.lowercased()
        let isText = mediaType.isEmpty || ["text/", "json", "xml", "form"].contains { mediaType.contains($0) }
        if isText { return Self.isUnreadable }
        return policy.knowsSecret(in: data) ? "it contains a secret redacted elsewhere" : nil
    }

    /// Why a body is left out that has to be read.
    static let isUnreadable = "it cannot be parsed, so it may contain secrets"

    private mutating func redacted(_ text: String) -> String {
        gathering { policy, found in policy.redacted(text: text, secrets: &found) }
    }

    private mutating func gathering<Text>(_ redact: (SecretPolicy, inout [String]) -> Text) -> Text {
        var found: [String] = []
        defer { for secret in found { gather(secret) } }
        return redact(policy, &found)
    }

    /// Clients send passwords; a server's words about one are not a secret.
    private mutating func gather(_ secret: String) {
        if !isInResponse || !SecretPolicy.isProse(secret) { secrets.add(secret) }
    }
}
