import Teapot

/// Matches the requests of an entry in a recording. Entries with equal IDs answer in order.
struct RecordedKey: RequestMatcher {
    let method: Teapot.HTTPMethod
    let url: RecordedURL
    /// `nil` for any.
    let body: CanonicalBody?
    /// The number of redacted parts of the body.
    private let gaps: Int
    /// The number of bytes of the body that are compared.
    private let comparedSize: Int

    init(method: Teapot.HTTPMethod, url: RecordedURL, body: Data?) {
        self.method = method
        self.url = url
        self.body = body.map(CanonicalBody.init)
        let text = self.body.map { RedactedText(text: $0.data.text) }
        gaps = text?.gaps ?? 0
        comparedSize = text?.comparedSize ?? 0
    }

    /// A text that differs from that of any other request.
    var id: String { "\(method) \(url.id) \(body?.id ?? "any")" }

    func match(_ received: inout ReceivedRequest) -> [String: String]? {
        matches(&received) ? [:] : nil
    }

    /// The most likely difference is checked first, the slowest check comes last.
    private func matches(_ received: inout ReceivedRequest) -> Bool {
        guard method == received.request.method, received.url.map(url.matches) == true else { return false }
        guard let body else { return true }
        return body == received.body || gaps > 0 && bodyDifference(from: received.request) == nil
    }

    func differences(from request: RecordedRequest) -> [Difference] {
        url.differences(from: request.url)
            + (method == request.method ? [] : [.method(method, received: request.method)])
            + (bodyDifference(from: request).map { [.body($0)] } ?? [])
    }

    private func bodyDifference(from request: RecordedRequest) -> BodyDifference? {
        body.flatMap { BodyDifference(expected: $0.data, received: request.body, isRecorded: true) }
    }

    /// Lower than that of declarations in code; among entries, the one of which most was compared comes first.
    var specificity: [Int] { [-1, url.comparedSize + comparedSize, body == nil ? 0 : 1, -url.gaps - gaps] }

    func ties(with other: any RequestMatcher) -> Bool { false }

    func summary(_ secrets: SecretPolicy) -> String {
        "\(method) \(url.summary(secrets))\(body == nil ? "" : " with a body")".onOneLine
    }
}
