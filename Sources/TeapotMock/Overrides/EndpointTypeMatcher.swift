import Teapot

/// Matches requests made from endpoints of a type.
struct EndpointTypeMatcher: RequestMatcher {
    let type: any Endpoint.Type

    func match(_ received: ReceivedRequest) -> Match? { differences(from: received.request).isEmpty ? Match() : nil }

    func differences(from request: RecordedRequest) -> [Difference] {
        let received = request.endpoint.map { Swift.type(of: $0.value) }
        return received == type ? [] : [.endpoint(type, received: received)]
    }

    /// Takes precedence over any path.
    var specificity: [Int] { [.max] }

    func ties(with other: any RequestMatcher) -> Bool { (other as? EndpointTypeMatcher)?.type == type }

    func summary(_ secrets: SecretPolicy) -> String { "\(type)" }
}
