import Teapot

/// Matches the requests of an entry in a recording. Entries with equal IDs answer in order.
final class RecordedKey: RequestMatcher {
    let method: Teapot.HTTPMethod
    let url: RecordedURL
    /// `nil` for any.
    let body: CanonicalBody?
    /// The values of the placeholders of the whole recording.
    private let values: Locked<SecretsOfReplay>
    /// The number of redacted parts of the body.
    private let gaps: Int
    /// The number of bytes of the body that are compared.
    private let comparedSize: Int

    init(method: Teapot.HTTPMethod, url: RecordedURL, body: Data?, _ values: Locked<SecretsOfReplay>) {
        self.values = values
        self.method = method
        self.url = url
        self.body = body.map(CanonicalBody.init)
        let text = self.body.map { RedactedText(text: $0.data.text) }
        gaps = text?.gaps ?? 0
        comparedSize = text?.comparedSize ?? 0
    }

    /// A text that differs from that of any other request.
    var id: String { "\(method) \(url.id) \(body?.id ?? "any")" }

    func match(_ received: ReceivedRequest) -> Match? {
        let old = values.withLock { $0 }
        var new = old
        return matches(received, &new) ? Match(newValues: new.count - old.count) : nil
    }

    /// Takes the secrets of a request of this entry as those of the replay.
    func take(_ received: ReceivedRequest) -> Bool { values.withLock { matches(received, &$0) } }

    /// The most likely difference is checked first, the slowest check comes last.
    private func matches(_ received: ReceivedRequest, _ values: inout SecretsOfReplay) -> Bool {
        guard method == received.request.method, let receivedURL = received.url else { return false }
        var new = values
        guard url.matches(receivedURL, &new) else { return false }
        if let body, body != received.body {
            guard gaps > 0, bodyDifference(from: received.request, &new) == nil else { return false }
        }
        values = new
        return true
    }

    func differences(from request: RecordedRequest) -> [Difference] {
        var values = values.withLock { $0 }
        return url.differences(from: request.url, &values)
            + (method == request.method ? [] : [.method(method, received: request.method)])
            + (bodyDifference(from: request, &values).map { [.body($0)] } ?? [])
    }

    private func bodyDifference(from request: RecordedRequest, _ values: inout SecretsOfReplay) -> BodyDifference? {
        body.flatMap { BodyDifference(expected: $0.data, received: request.body, &values) }
    }

    /// Lower than that of declarations in code; among entries, the one of which most was compared comes first.
    var specificity: [Int] { [-1, url.comparedSize + comparedSize, body == nil ? 0 : 1, -url.gaps - gaps] }

    func ties(with other: any RequestMatcher) -> Bool { false }

    func summary(_ secrets: SecretPolicy) -> String {
        "\(method) \(url.summary(secrets))\(body == nil ? "" : " with a body")".onOneLine
    }
}
