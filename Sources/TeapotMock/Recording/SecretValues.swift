internal import Teapot

/// The secrets of a recording, as a server may echo them.
struct SecretValues: Sendable, Equatable {
    /// In bytes. A shorter one would be found in too much that is none.
    static let minimumSize = 6

    private(set) var values: Set<String> = []

    /// Adds the values of the cookies in a `Cookie` or `Set-Cookie` header field.
    mutating func add(cookies field: String) {
        for cookie in CookieText.pairs(in: field) { add(value: cookie.value) }
    }

    /// Adds a secret and its parts: what stands behind a scheme such as `Bearer`, user and password.
    mutating func add(_ secret: String) {
        add(value: secret)
        let words = secret.split(separator: " ", maxSplits: 1)
        guard words.count == 2 else { return add(userAndPassword: secret) }
        let credentials = words[1].trimmingCharacters(in: .whitespaces)
        add(value: credentials)
        guard words[0].lowercased() == "basic", let data = Data(base64Encoded: credentials) else { return }
        // The user has a name that stands in many places.
        let text = String(decoding: data, as: UTF8.self)
        add(value: text)
        if let colon = text.firstIndex(of: ":") { add(value: String(text[colon...].dropFirst())) }
    }

    private mutating func add(userAndPassword text: String) {
        for part in text.split(separator: ":", maxSplits: 1) { add(value: String(part)) }
        add(value: text)
    }

    /// Adds a value as it stands there, and as it reads without the encoding of a URL or a form.
    private mutating func add(value: String) {
        let decoded = value.removingPercentEncoding ?? value
        let fromForm = value.replacing("+", with: " ").removingPercentEncoding ?? value
        for text in [value, decoded, fromForm] {
            let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
            if text.utf8.count >= Self.minimumSize, text != SecretPolicy.replacement { values.insert(text) }
        }
    }
}
