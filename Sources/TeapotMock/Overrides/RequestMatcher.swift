import Teapot

/// Decides which requests an override answers.
protocol RequestMatcher: Sendable {
    /// The values of the path's parameters; `nil` if the request does not match.
    func match(_ received: inout ReceivedRequest) -> [String: String]?

    /// The differences between a request and a matching one, the most important first; empty if it matches.
    func differences(from request: RecordedRequest) -> [Difference]

    /// The specificity, compared number by number: of several matches, the greatest answers.
    var specificity: [Int] { get }

    /// Whether both would match some of the same requests, and neither takes precedence.
    func ties(with other: any RequestMatcher) -> Bool

    /// The declaration on one line.
    func summary(_ secrets: SecretPolicy) -> String
}
