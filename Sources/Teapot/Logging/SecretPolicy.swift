internal import Foundation

/// Which values are secrets: they are shown as `<redacted>` wherever Teapot writes them, and header fields with such names
/// stay behind when a redirect leads to another origin.
///
/// ``standard`` knows the header fields that carry credentials (`Authorization`, `Cookie`, `Set-Cookie`,
/// `Proxy-Authorization`), and every header field, query item or JSON member one of whose words is, say, `token`, `secret`
/// or `password`, or that ends in `key`. User information in URLs is a secret, too.
public struct SecretPolicy: Sendable, Hashable {
    /// What is written in place of a secret.
    public static let replacement = "<redacted>"

    /// The policy that a ``Teapot/Teapot`` begins with.
    public static let standard = SecretPolicy(isOn: true, names: [])
    /// Shows everything. The four header fields that carry credentials still stay behind on a redirect to another origin.
    public static let off = SecretPolicy(isOn: false, names: [])

    let isOn: Bool
    private let names: Set<String>

    /// A policy that also treats the values of these names as secrets.
    ///
    /// - Parameter names: Names of header fields, query items or JSON members, compared without regard to case.
    /// - Returns: The wider policy.
    public func adding(_ names: some Sequence<String>) -> SecretPolicy {
        SecretPolicy(isOn: isOn, names: self.names.union(names.map { $0.lowercased() }))
    }

    private init(isOn: Bool, names: Set<String>) {
        self.isOn = isOn
        self.names = names
    }

    /// Whether the value of a header field, query item or JSON member is a secret.
    public func isSecret(_ name: String) -> Bool {
        let lowered = name.lowercased()
        if names.contains(lowered) { return true }
        // `Access-Control-Allow-Credentials` and its like hold permissions.
        guard isOn, !lowered.hasPrefix("access-control-") else { return false }
        if Self.credentialFields.contains(lowered) { return true }
        let words = Self.words(of: name)
        if words.contains(where: { Self.secretWords.contains($0) }) { return true }
        if words.last == "key", !Self.harmlessKeys.contains(words.dropLast().last ?? "") { return true }
        let letters = words.joined()
        return Self.secretPhrases.contains { letters.contains($0) }
    }

    /// Whether a header field stays behind on a redirect to another origin, whether or not the policy is on.
    package func isLeftBehind(_ name: String) -> Bool {
        Self.credentialFields.contains(name.lowercased()) || isSecret(name)
    }

    /// The words of a name in lower case: `access_token`, `accessToken` and `ACCESSToken` have the same two.
    private static func words(of name: String) -> [String] {
        let characters = Array(name)
        var words = [""]
        for (index, character) in characters.enumerated() {
            guard character.isLetter || character.isNumber else {
                words.append("")
                continue
            }
            let before = characters[..<index].suffix(2)
            let endsAcronym = before.count == 2 && before.allSatisfy(\.isUppercase)
            let isFollowedByLowercase = characters[index...].dropFirst().first?.isLowercase == true
            if character.isUppercase, before.last?.isLowercase == true || endsAcronym && isFollowedByLowercase {
                words.append("")
            }
            words[words.count - 1] += character.lowercased()
        }
        return words.filter { !$0.isEmpty }
    }

    private static let credentialFields: Set<String> = ["authorization", "cookie", "set-cookie", "proxy-authorization"]
    private static let secretWords: Set<String> = [
        "token", "tokens", "jwt", "bearer", "secret", "password", "passwd", "passphrase", "pwd", "otp", "auth",
        "authorization", "authentication", "credential", "credentials", "signature", "sig", "session", "sid", "cookie",
    ]
    /// What stands before `key` where the key opens nothing.
    private static let harmlessKeys: Set<String> = [
        "idempotency", "primary", "foreign", "public", "cache", "partition", "sort", "row",
    ]
    private static let secretPhrases = [
        "apikey", "appkey", "accesskey", "privatekey", "secretkey", "accesstoken", "refreshtoken", "idtoken",
        "authtoken",
        "clientsecret", "sessionid", "sessid", "sessiontoken", "securitytoken",
    ]
}
