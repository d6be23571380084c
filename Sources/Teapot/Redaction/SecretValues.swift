import Foundation

/// Secrets in the forms in which a server may repeat them. Only this type splits a credential into the parts that are secrets.
package struct SecretValues: Sendable {
    /// In bytes. A shorter one would match too much harmless text.
    static let minimumSize = 6

    package private(set) var values: Set<String> = []

    package init() {}

    /// Adds a secret and its parts: the part after a scheme such as `Bearer`, parameters such as those of `Digest`, user and
    /// password, and the strings of JSON.
    package mutating func add(_ secret: String) {
        add(value: secret)
        guard !Self.plain.contains(allOf: secret) else { return }
        // JSON is redacted string by string.
        for string in JSONScanner.strings(of: secret) { add(value: string) }
        let words = secret.split(maxSplits: 1, whereSeparator: \.isWhitespace)
        guard words.count == 2 else {
            for part in secret.split(separator: ":", maxSplits: 1) { add(value: String(part)) }
            return
        }
        let credentials = words[1].trimmingCharacters(in: .whitespaces)
        add(value: credentials)
        // Such as `x` of `response="x", uri="/notes"`.
        var scanner = FieldScanner(",\(credentials)")
        for (name, value) in scanner.parameters(isList: true) where !Self.openParameters.contains(name) {
            add(value: value)
        }
        guard words[0].lowercased() == "basic", let data = Data(base64Encoded: credentials) else { return }
        let text = data.text
        add(value: text)
        // A user name appears in many places. Without a password, it is the secret.
        guard let colon = text.firstIndex(of: ":") else { return }
        let password = text[colon...].dropFirst()
        add(value: String(password.isEmpty ? text[..<colon] : password))
    }

    private static let plain = ByteSet(ByteSet.alphanumerics + "-._~/=")

    /// Parameters whose values also appear elsewhere (RFC 7616, section 3.4).
    private static let openParameters: Set<String> = [
        "username", "realm", "uri", "algorithm", "qop", "nc", "signedheaders", "oauth_signature_method",
        "oauth_timestamp",
    ]

    /// Adds a value as written, and decoded from a URL or a form.
    package mutating func add(value: String) {
        guard !Self.plain.contains(allOf: value) else { return insert(value) }
        for text in PercentEncoding.decodings(of: value) {
            insert(text.trimmingCharacters(in: .whitespacesAndNewlines))
        }
    }

    private mutating func insert(_ text: String) {
        if text.utf8.count >= Self.minimumSize, text != SecretPolicy.replacement { values.insert(text) }
    }
}
