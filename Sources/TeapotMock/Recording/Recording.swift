import Teapot

/// Makes an archive of recorded exchanges.
enum Recording {
    static let comment = """
        Recorded by Teapot. Secrets are replaced by \(SecretPolicy.replacement). All times are left out, so that \
        recordings can be compared.
        """

    /// The archive, without secrets.
    static func archive(
        of exchanges: [RecordedExchange],
        _ policy: SecretPolicy,
        keeping keptMediaTypes: Set<String>
    ) -> HAR {
        // Parts of an address are public.
        let origins = Set(exchanges.map { HARURL.origin(of: $0.url) })
        var exchanges = exchanges
        var known = RecordingRedactor(policy, keeping: keptMediaTypes)
        for index in exchanges.indices {
            if policy != .off { exchanges[index].leaveOutEncodedBody() }
            known.policy = policy.adding(namesOf: exchanges[index].secrets).adding(exchanges[index].credentials)
            exchanges[index].redact(&known)
        }
        // An echo may precede the place that shows that it is secret.
        let values = known.secrets.values.filter { value in
            !origins.contains { $0.utf8.count >= value.utf8.count && $0.contains(value) }
        }
        var echoes = RecordingRedactor(policy, keeping: keptMediaTypes, echoes: values)
        for index in exchanges.indices { exchanges[index].redact(&echoes) }
        let baseURL = exchanges.first { !$0.baseURL.isEmpty }?.baseURL
        return HAR(entries: exchanges.map(\.entry), comment: comment, baseURL: baseURL)
    }
}
