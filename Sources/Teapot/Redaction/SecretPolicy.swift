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

    /// A policy that also knows secrets of other places.
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
}
