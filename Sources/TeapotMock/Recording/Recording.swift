import Teapot

/// Makes an archive of recorded exchanges.
enum Recording {
    static let comment = """
        Recorded by Teapot. Secrets are replaced by \(SecretPolicy.placeholder)1, \(SecretPolicy.placeholder)2 and so on, one for \
        each value. All times are left out, so that recordings can be compared.
        """

    /// The archive, without secrets; the exchanges are added to that of an earlier replay.
    static func archive(
        of exchanges: [RecordedExchange],
        _ policy: SecretPolicy,
        keeping keptMediaTypes: [String],
        after earlier: Replay?
    ) throws -> HAR {
        // Parts of an address are public, and no secrets. (A set of texts would be compiled once more.)
        var origins: [String: String] = [:]
        for exchange in exchanges { origins[HARURL.origin(of: exchange.url)] = "" }
        var exchanges = exchanges
        // The placeholders in the archive keep their numbers.
        var placeholders = Placeholders()
        if let earlier {
            let text = try HAR(entries: earlier.archive.entries).encoded().text
            placeholders = Placeholders(after: Placeholders.lastNumber(in: text), earlier.values.withLock(\.numbers))
        }
        var known = RecordingRedactor(policy, placeholders, keeping: keptMediaTypes)
        for index in exchanges.indices {
            if policy != .off { exchanges[index].leaveOutEncodedBody() }
            known.policy = policy.adding(namesOf: exchanges[index].secrets).adding(exchanges[index].credentials)
            exchanges[index].redact(&known)
        }
        placeholders.isComplete = true
        // An echo may precede the place that shows that it is secret.
        var values = known.secrets.values
        for value in known.secrets.values {
            for origin in origins.keys where origin.utf8.count >= value.utf8.count && origin.contains(value) {
                values.remove(value)
            }
        }
        var echoes = RecordingRedactor(policy, placeholders, keeping: keptMediaTypes, echoes: values)
        var archive = HAR(entries: earlier?.archive.entries ?? [], comment: comment, baseURL: earlier?.archive.baseURL)
        for index in exchanges.indices {
            exchanges[index].redact(&echoes)
            if archive.baseURL == nil, !exchanges[index].baseURL.isEmpty { archive.baseURL = exchanges[index].baseURL }
            archive.entries.append(exchanges[index].entry)
        }
        return archive
    }
}
