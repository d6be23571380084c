internal import Teapot

/// Which requests an override answers.
protocol RequestMatcher: Sendable {
    /// The values of the path's parameters; `nil` when the request is another.
    func match(_ request: RecordedRequest) -> [String: String]?

    /// What a request would have to have otherwise, the most telling first; empty when it matches.
    func differences(from request: RecordedRequest) -> [Difference]

    /// Of several that match, the one with the greater numbers answers, compared one after the other.
    var specificity: [Int] { get }

    /// Whether neither goes first for some request that both match.
    func ties(with other: any RequestMatcher) -> Bool

    /// What was declared, on one line.
    func summary(_ secrets: SecretPolicy) -> String
}
