import Foundation

package struct SecretValues: Sendable {
    package private(set) var values: Set<String>
    package init(_ values: Set<String> = []) { self.values = values }

    /// Adds a secret and its parts: what follows a scheme (`Bearer`), parameters, user and password, strings of JSON.
    package mutating func add(_ secret: String) {
        add(value: secret)
        guard !Self.plain.contains(allOf: secret) else { return }
        // JSON is redacted string by string.
        for string in JSONScanner.strings(of: secret) { add(value: string) }
        let text = secret.trimmingCharacters(in: .whitespacesAndNewlines)
        guard let blank = text.rangeOfCharacter(from: .whitespacesAndNewlines) else {
            let (user, password) = Self.userAndPassword(secret)
            add(value: user)
            return add(value: password)
        }
        let credentials = String(text[blank.upperBound...]).trimmingCharacters(in: .whitespaces)
        add(value: credentials)
        // Such as `x` of `response="x", uri="/notes"`.
        var scanner = FieldScanner("," + credentials)
        for (name, value) in scanner.parameters(isList: true) where !Self.openParameters.contains(name) {
            add(value: value)
        }
        let isBasic = text[..<blank.lowerBound].lowercased() == "basic"
        guard isBasic, let data = Data(base64Encoded: credentials) else { return }
        add(value: data.text)
        // A user name appears in many places. Without a password, it is the secret.
        let (user, password) = Self.userAndPassword(data.text)
        add(value: password.isEmpty ? user : password)
    }

    private static func userAndPassword(_ text: String) -> (user: String, password: String) {
        var scanner = FieldScanner(text)
        return (scanner.text(before: ByteSet(":")), scanner.take(":") ? scanner.rest : "")
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
        // A shorter one would match too much harmless text.
        if text.utf8.count >= 6, text != SecretPolicy.replacement { values.insert(text) }
    }
}
