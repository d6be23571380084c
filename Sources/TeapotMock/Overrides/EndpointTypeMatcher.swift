import Teapot

/// Matches requests made from endpoints of a type.
struct EndpointTypeMatcher: RequestMatcher {
    let type: any Endpoint.Type

    func match(_ received: ReceivedRequest) -> Match? { matches(received.request) ? Match() : nil }

    private func matches(_ request: RecordedRequest) -> Bool {
        request.endpoint.map { Swift.type(of: $0.value) == type } ?? false
    }

    func differences(from request: RecordedRequest) -> [Difference] {
        matches(request) ? [] : [.endpoint(type, received: request.endpoint.map { Swift.type(of: $0.value) })]
    }

    /// Takes precedence over any path.
    var specificity: [Int] { [.max] }

    func ties(with other: any RequestMatcher) -> Bool { (other as? EndpointTypeMatcher)?.type == type }

    func summary(_ secrets: SecretPolicy) -> String { "\(type)" }
}
