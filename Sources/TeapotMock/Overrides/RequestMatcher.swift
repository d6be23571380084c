import Teapot

/// A request in the forms in which it is compared with declarations and with the entries of a recording, each made on
/// first use.
final class ReceivedRequest {
    let request: RecordedRequest
    private(set) lazy var path = request.url.path(percentEncoded: true)
    private(set) lazy var url = RecordedURL(request.url.absoluteString)
    private(set) lazy var body = CanonicalBody(request.body)

    init(_ request: RecordedRequest) { self.request = request }
}

/// The parts of a request that depend on the override that answers it.
struct Match {
    /// The values of the path's parameters.
    var parameters: [String: String] = [:]
    /// The number of secrets for which the request would have the first value of a replay.
    var newValues = 0
}

/// Decides which requests an override answers.
protocol RequestMatcher: Sendable {
    /// `nil` if the request does not match.
    func match(_ received: ReceivedRequest) -> Match?

    /// Takes a request that is to be answered.
    /// - Returns: Whether it still matches.
    func take(_ received: ReceivedRequest) -> Bool

    /// The differences between a request and a matching one, the most important first; empty if it matches.
    func differences(from request: RecordedRequest) -> [Difference]

    /// The specificity, compared number by number: of several matches, the greatest answers.
    var specificity: [Int] { get }

    /// Whether both would match some of the same requests, and neither takes precedence.
    func ties(with other: any RequestMatcher) -> Bool

    /// The declaration on one line.
    func summary(_ secrets: SecretPolicy) -> String
}

extension RequestMatcher {
    func take(_ received: ReceivedRequest) -> Bool { true }
}
