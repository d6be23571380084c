internal import Teapot

/// Takes secrets out of a recording: in a first pass what the secret policy names, in a second one what was found there
/// wherever else it stands.
struct RecordingRedactor {
    var policy: SecretPolicy
    /// What was replaced.
    private(set) var secrets = SecretValues()
    /// Whether what comes next is of a response.
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
        // A request still goes where it went.
        let start = looksForEchoes ? HARURL.pathStart(in: url) : url.startIndex
        return url[..<start] + redacted(String(url[start...]))
    }

    mutating func redact(_ field: inout HARField) {
        // What a body is is no echo.
        if looksForEchoes, field.name.lowercased() == "content-type" { return }
        guard policy.isSecret(field.name) else {
            field.value = redacted(field.value)
            return
        }
        gather(field.value)
        if CookieText.isCookie(field.name) { secrets.add(field.name, cookies: field.value) }
        field.value = SecretPolicy.replacement
    }

    /// `nil` when it cannot be told what is a secret.
    mutating func body(_ text: String) -> String? {
        gathering { policy, found in policy.redacted(body: text, secrets: &found) }
    }

    /// Why other bytes than text cannot be kept; `nil` where they can.
    func reasonToLeaveOut(_ data: Data, mediaType: String) -> String? {
        guard policy != .off else { return nil }
        // A form with a file among its fields.
        if mediaType.lowercased().hasPrefix("multipart/")
            || data.firstRange(of: Data("Content-Disposition:".utf8)) != nil
        {
            return "it cannot be parsed, so it may contain secrets"
        }
        if Self.isUTF16(data) { return "it is UTF-16 text" }
        if policy.knowsSecret(in: data) { return "it contains a secret redacted elsewhere" }
        // Text in other encodings has no NUL, other bytes mostly do, but are no UTF-8 then.
        guard !data.contains(0) || String(data: data, encoding: .utf8) != nil else { return nil }
        var found: [String] = []
        let text = policy.redacted(body: String(decoding: data, as: UTF8.self), secrets: &found)
        return text == nil || !found.isEmpty ? "it contains secrets and is not UTF-8" : nil
    }

    /// Whether it begins with the byte order mark, or has as many NULs in its first or second bytes as Latin letters have.
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

    /// A client sends its password; what a server says of one is none.
    private mutating func gather(_ secret: String) {
        if !isInResponse || !SecretPolicy.isProse(secret) { secrets.add(secret) }
    }
}
