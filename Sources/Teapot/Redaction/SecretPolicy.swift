import Foundation

/// Decides which values are secrets. They are shown as `<redacted>` wherever Teapot writes them, and redirects to another
/// origin do not get header fields with such names.
///
/// ``standard`` knows the header fields that carry credentials (`Authorization`, `Cookie`, `Set-Cookie`,
/// `Proxy-Authorization`), and one rule of names for header fields, query items, form fields, members of JSON, attributes and elements of
/// XML. It goes by words: a name is secret if it contains `token`, `password`, `api key`, `pin` and so on, or a word that ends in one,
/// such as `mytoken`. It is none if its words say something about a secret (`token_type`, `has_password`, `pin_count`), a place in a
/// list (`page_token`) or several (`tokens`), or what else a key is for (`routing_key`). `key` alone is a secret in a query and as a header
/// field, `code` and `ticket` in a query or a form. User information in URLs is a secret, too.
public struct SecretPolicy: Sendable, Equatable {
    package static let replacement = "<redacted>"
    /// The beginning of the text that replaces a secret in a recording; a number follows.
    package static let placeholder = "redacted-"

    /// The default policy of a ``Teapot/Teapot``.
    public static let standard = SecretPolicy(isOn: true)
    /// Shows everything. Redirects to another origin still do not get the four header fields that carry credentials.
    public static let off = SecretPolicy(isOn: false)

    let isOn: Bool
    /// Names in lower case that are secrets, and those that are none.
    private var names: Set<String> = []
    private var exceptions: Set<String> = []
    /// Values that are secrets wherever they appear.
    private(set) var known: KnownSecrets?

    /// A policy that also treats the values of these names as secrets: names of header fields, query items or JSON
    /// members, compared without regard to case.
    public func adding(_ names: some Sequence<String>) -> SecretPolicy {
        let names = Set(names.map { $0.lowercased() })
        var policy = self
        policy.exceptions.subtract(names)
        policy.names.formUnion(names)
        return policy
    }

    /// A policy that treats the values of these names as no secrets, such as that of `session` if it is the name of a lecture.
    /// Names are compared without regard to case. Credentials in use are secrets all the same, and redirects to another
    /// origin never get the four header fields that carry them.
    public func removing(_ names: some Sequence<String>) -> SecretPolicy {
        var policy = self
        policy.exceptions.formUnion(names.map { $0.lowercased() })
        policy.names.subtract(policy.exceptions)
        return policy
    }

    /// A policy that also treats the names of another one as secrets; a policy that is off stays so.
    package func adding(namesOf other: SecretPolicy) -> SecretPolicy { isOn ? adding(other.names) : self }

    /// A policy that also treats the header fields and the values of credentials as secrets; a policy that is off stays so.
    func adding(fields names: [String], _ known: KnownSecrets) -> SecretPolicy {
        guard isOn else { return self }
        // Most are secret already.
        let isKnown = names.allSatisfy { Self.credentialFields.contains($0.lowercased()) }
        var policy = isKnown ? self : adding(names)
        policy.known = known
        return policy
    }

    package func adding(secrets: Set<String>) -> SecretPolicy {
        var policy = self
        if !secrets.isEmpty { policy.known = KnownSecrets(values: secrets) }
        return policy
    }

    /// Whether the value of a header field, query item or JSON member is a secret.
    package func isSecret(_ name: String, in place: SecretName.Place = .member) -> Bool {
        let lowered = name.lowercased()
        if names.contains(lowered) { return true }
        // `Access-Control-Allow-Credentials` and similar fields contain permissions.
        guard isOn, !exceptions.contains(lowered), !lowered.hasPrefix("access-control-") else { return false }
        return Self.credentialFields.contains(lowered) || SecretName.isSecret(name, in: place)
    }

    /// Whether redirects to another origin drop a header field, even if the policy is off.
    func isLeftBehind(_ name: String) -> Bool {
        Self.credentialFields.contains(name.lowercased()) || isSecret(name, in: .field)
    }

    /// Whether requests with different values of a header field may be those of different users, even if the policy is off.
    package func separatesUsers(_ name: String) -> Bool {
        isLeftBehind(name) || (!isOn || !exceptions.isEmpty) && Self.standard.isLeftBehind(name)
    }

    private static let credentialFields: Set<String> = ["authorization", "cookie", "set-cookie", "proxy-authorization"]

    /// The value of a header field, or of an item of a query, redacted if secret. Line breaks are escaped.
    package func redacted(_ value: String, named name: String, in place: SecretName.Place = .field) -> String {
        isSecret(name, in: place) ? Self.replacement : redacted(line: value)
    }

    package func redacted(_ fields: [(name: String, value: String)]) -> String {
        fields.map { $0.name.onOneLine + ": " + redacted($0.value, named: $0.name) }.joined(separator: "\n")
    }

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
