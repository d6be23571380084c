/// Secrets that are redacted everywhere, whatever their names. The search for them is made for the first text.
final class KnownSecrets: Sendable, Equatable, CustomReflectable {
    /// Values of credentials, of which each part that is a secret is redacted, too, such as the token of `Bearer`.
    private let credentials: [String]
    private let values: Set<String>
    private let search = Locked<SecretSearch?>(nil)
    static let none = KnownSecrets()

    init(_ credentials: [String] = [], values: Set<String> = []) {
        self.credentials = credentials
        self.values = values
    }

    func adding(_ credentials: [String]) -> KnownSecrets {
        let added = credentials.filter { !self.credentials.contains($0) }
        return added.isEmpty ? self : KnownSecrets(self.credentials + added, values: values)
    }

    var compiled: SecretSearch {
        if let search = search.withLock({ $0 }) { return search }
        var all = SecretValues(values)
        for value in credentials { all.add(value) }
        let search = SecretSearch(all.values)
        self.search.withLock { $0 = search }
        return search
    }

    static func == (lhs: KnownSecrets, rhs: KnownSecrets) -> Bool {
        lhs === rhs || Set(lhs.credentials) == Set(rhs.credentials) && lhs.values == rhs.values
    }

    /// Nothing, for `dump`.
    var customMirror: Mirror { Mirror(self, children: []) }
}
