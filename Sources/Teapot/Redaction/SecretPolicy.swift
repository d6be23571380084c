import Foundation

/// Decides which values are secrets. They are shown as `<redacted>` wherever Teapot writes them, and redirects to another
/// origin do not get header fields with such names.
///
/// ``standard`` knows the header fields that carry credentials (`Authorization`, `Cookie`, `Set-Cookie`,
/// `Proxy-Authorization`), and every header field, query item, form field or JSON member whose name contains a word such as
/// `token`, `secrets` or `pin`, or a word that ends in one, such as `mytoken`, or that ends in `key`. Names that describe a
/// secret, such as `token_type`, `expires_in` or `password_length`, are not included. `code` and `ticket` are secrets as items
/// of a query or a form. User information in URLs is a secret, too.
public struct SecretPolicy: Sendable, Equatable {
    package static let replacement = "<redacted>"

    /// The default policy of a ``Teapot/Teapot``.
    public static let standard = SecretPolicy(isOn: true, names: [])
    /// Shows everything. Redirects to another origin still do not get the four header fields that carry credentials.
    public static let off = SecretPolicy(isOn: false, names: [])

    let isOn: Bool
    private let names: Set<String>
    /// The lengths of these names in bytes, a bit for each (modulo 64); all bits if a name is not ASCII, as another one can equal it.
    private let lengths: UInt64
    /// Values that are secrets wherever they appear.
    private(set) var known: KnownSecrets?

    /// A policy that also treats the values of these names as secrets.
    ///
    /// - Parameter names: Names of header fields, query items or JSON members, compared without regard to case.
    /// - Returns: The wider policy.
    public func adding(_ names: some Sequence<String>) -> SecretPolicy {
        SecretPolicy(isOn: isOn, names: self.names.union(names.map { $0.lowercased() }), known: known)
    }

    /// A policy that also treats the names of another one as secrets; a policy that is off stays so.
    package func adding(namesOf other: SecretPolicy) -> SecretPolicy { isOn ? adding(other.names) : self }

    /// A policy that also treats the names and the values of credentials as secrets; a policy that is off stays so.
    package func adding(_ credentials: [Credential]) -> SecretPolicy {
        guard isOn, !credentials.isEmpty else { return self }
        // Most are secret already.
        let others = credentials.filter { $0.name != "Authorization" }.map { $0.name.lowercased() }
        var policy = others.allSatisfy(Self.credentialFields.contains) ? self : adding(others)
        policy.known = (known ?? .none).adding(credentials)
        return policy
    }

    /// A policy that also knows secrets of other places.
    package func adding(secrets: Set<String>) -> SecretPolicy {
        secrets.isEmpty ? self : SecretPolicy(isOn: isOn, names: names, known: KnownSecrets(values: secrets))
    }

    private init(isOn: Bool, names: Set<String>, known: KnownSecrets? = nil) {
        self.isOn = isOn
        self.names = names
        lengths = names.reduce(0) { $0 | ($1.utf8.allSatisfy { $0 < 0x80 } ? 1 << UInt64($1.utf8.count & 63) : .max) }
        self.known = known
    }

    /// Whether the value of a header field, query item or JSON member is a secret.
    public func isSecret(_ name: String) -> Bool {
        let lowered = name.lowercased()
        if names.contains(lowered) { return true }
        // `Access-Control-Allow-Credentials` and similar fields contain permissions.
        guard isOn, !lowered.hasPrefix("access-control-") else { return false }
        return Self.credentialFields.contains(lowered) || SecretName.isSecret(name)
    }

    /// Whether the value of an item of a query or a form is a secret.
    package func isSecretItem(_ name: String) -> Bool { isSecret(name) || isOn && SecretName.isSecretItem(name) }

    /// Whether the value of a header field is a secret.
    package func isSecretField(_ name: String) -> Bool { isSecret(name) || isOn && SecretName.isSecretField(name) }

    /// Whether a name, which may be percent-encoded, can be that of a secret: most cannot, and need no more time.
    func mayBeSecret(_ name: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        if lengths &>> UInt64(truncatingIfNeeded: count) & 1 == 1 { return true }
        return SecretName.mayContainTerm(name, count)
    }

    /// Whether redirects to another origin drop a header field, even if the policy is off.
    func isLeftBehind(_ name: String) -> Bool {
        Self.credentialFields.contains(name.lowercased()) || isSecretField(name)
    }

    /// Whether requests with different values of a header field may be those of different users, even if the policy is off.
    package func separatesUsers(_ name: String) -> Bool {
        isLeftBehind(name) || !isOn && Self.standard.isLeftBehind(name)
    }

    private static let credentialFields: Set<String> = ["authorization", "cookie", "set-cookie", "proxy-authorization"]
}
