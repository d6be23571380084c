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
        if looksForEchoes, field.name.lowercased() == "content-type" { return }
        guard policy.isSecret(field.name) else {
            field.value = redacted(field.value)
            return
        }
        gather(field.value)
        if CookieText.isCookie(field.name) { secrets.add(field.name, cookies: field.value) }
        field.value = SecretPolicy.replacement
    }

    /// `nil` if secrets in it cannot be recognised.
    mutating func body(_ text: String) -> String? {
        gathering { policy, found in policy.redacted(body: text, secrets: &found) }
    }

    /// The reason to leave out binary data; `nil` if it can be kept.
    func reasonToLeaveOut(_ data: Data, mediaType: String) -> String? {
        guard policy != .off else { return nil }
        // A form that contains a file.
        if mediaType.lowercased().hasPrefix("multipart/")
            || data.firstRange(of: Data("Content-Disposition:".utf8)) != nil
        {
            return "it cannot be parsed, so it may contain secrets"
        }
        if Self.isUTF16(data) { return "it is UTF-16 text" }
        if policy.knowsSecret(in: data) { return "it contains a secret redacted elsewhere" }
        // Text in other encodings has no NUL; binary data mostly does, but is not valid UTF-8 then.
        guard !data.contains(0) || String(data: data, encoding: .utf8) != nil else { return nil }
        var found: [String] = []
        let text = policy.redacted(body: String(decoding: data, as: UTF8.self), secrets: &found)
        return text == nil || !found.isEmpty ? "it contains secrets and is not UTF-8" : nil
    }

    /// Whether data begins with the byte order mark, or has as many NULs in its first or second bytes as Latin letters have.
    private static func isUTF16(_ data: Data) -> Bool {
        if data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF]) { return true }
        var counts = [0, 0]
        for (offset, byte) in data.enumerated() where byte == 0 { counts[offset % 2] += 1 }
        let half = data.count / 4
        return data.count >= 8 && max(counts[0], counts[1]) >= half && min(counts[0], counts[1]) <= half / 2
    }

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
