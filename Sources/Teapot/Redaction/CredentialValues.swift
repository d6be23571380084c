/// What credentials say, to be found wherever it stands. Nothing is made of them before there is something to look through.
final class CredentialValues: Sendable, Hashable, CustomReflectable {
    private let credentials: Set<Credential>
    private let search = Locked<SecretSearch?>(nil)

    init(_ credentials: Set<Credential>) {
        self.credentials = credentials
    }

    func adding(_ credentials: some Sequence<Credential>) -> CredentialValues {
        self.credentials.isSuperset(of: credentials) ? self : CredentialValues(self.credentials.union(credentials))
    }

    /// A text without them, or without a part that is a secret by itself, such as the token of `Bearer`.
    func redacted(_ text: String) -> String {
        let known = search.withLock { $0 }
        let search = known ?? SecretSearch(values)
        if known == nil { self.search.withLock { $0 = search } }
        return search.redacted(text)
    }

    private var values: Set<String> {
        var values = SecretValues()
        for value in credentials.compactMap(\.value) { values.add(value) }
        return values.values
    }

    static func == (lhs: CredentialValues, rhs: CredentialValues) -> Bool { lhs.credentials == rhs.credentials }

    func hash(into hasher: inout Hasher) { hasher.combine(credentials) }

    /// Nothing, for `dump`.
    var customMirror: Mirror { Mirror(self, children: []) }
}
