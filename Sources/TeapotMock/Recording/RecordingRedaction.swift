internal import Teapot

/// What takes secrets out of a recording.
protocol RecordingRedaction {
    /// Whether what comes next is of a response.
    var isInResponse: Bool { get set }

    mutating func url(_ url: String) -> String
    mutating func value(_ value: String, named name: String) -> String
    /// `nil` when it cannot be told what is a secret.
    mutating func body(_ text: String) -> String?
    /// Why other bytes than text cannot be kept; `nil` where they can.
    mutating func holdsSecrets(_ data: Data, mediaType: String) -> String?
}

extension RecordingRedaction {
    mutating func redact(_ field: inout HARField) {
        field.value = value(field.value, named: field.name)
    }
}

/// Replaces what the secret policy names, and gathers it.
struct PolicyRedaction: RecordingRedaction {
    var policy: SecretPolicy
    var secrets = SecretValues()
    var isInResponse = false

    init(_ policy: SecretPolicy) {
        self.policy = policy
    }

    mutating func url(_ url: String) -> String {
        gathering { policy, found in policy.redacted(text: url, secrets: &found) }
    }

    mutating func value(_ value: String, named name: String) -> String {
        guard policy.isSecret(name) else {
            return gathering { policy, found in policy.redacted(text: value, secrets: &found) }
        }
        gather(value)
        if CookieText.isCookie(name) { secrets.add(name, cookies: value) }
        return SecretPolicy.replacement
    }

    mutating func body(_ text: String) -> String? {
        gathering { policy, found in policy.redacted(body: text, secrets: &found) }
    }

    func holdsSecrets(_ data: Data, mediaType: String) -> String? {
        guard policy != .off else { return nil }
        // A form with a file among its fields.
        if mediaType.lowercased().hasPrefix("multipart/")
            || data.firstRange(of: Data("Content-Disposition:".utf8)) != nil
        {
            return "the names in it cannot be told, so that it may hold secrets"
        }
        if Self.isUTF16(data) { return "it is text in UTF-16" }
        // Text in other encodings has no NUL, other bytes mostly do, but are no UTF-8 then.
        guard !data.contains(0) || String(data: data, encoding: .utf8) != nil else { return nil }
        var found: [String] = []
        let text = policy.redacted(body: String(decoding: data, as: UTF8.self), secrets: &found)
        return text == nil || !found.isEmpty ? "it holds secrets, and is not in UTF-8" : nil
    }

    /// Whether it begins with the byte order mark, or has as many NULs in its first or second bytes as Latin letters have.
    private static func isUTF16(_ data: Data) -> Bool {
        if data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF]) { return true }
        var counts = [0, 0]
        for (offset, byte) in data.enumerated() where byte == 0 { counts[offset % 2] += 1 }
        let half = data.count / 4
        return data.count >= 8 && max(counts[0], counts[1]) >= half && min(counts[0], counts[1]) <= half / 2
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
