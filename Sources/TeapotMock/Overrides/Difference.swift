internal import Teapot

/// What keeps a request from being one that was declared.
enum Difference: Sendable {
    case path(String, received: URL)
    /// The type that a request was made of; `nil` if it was made of none.
    case endpoint(any Endpoint.Type, received: (any Endpoint.Type)?)
    case method(HTTPMethod, received: HTTPMethod)
    case queryItem(String, String, received: String?)
    case extraQueryItem(String)
    case origin(Origin, received: URL)
    case headerField(String, String, received: String?)
    case body(BodyDifference)

    /// Whether the request is a wholly different one.
    var isOfTarget: Bool {
        switch self {
        case .path, .endpoint: true
        default: false
        }
    }

    /// The field, what it is and what it was to be, secrets redacted.
    func text(_ secrets: SecretPolicy) -> String {
        switch self {
        case .path(let path, let received):
            "the path is \(secrets.shown(line: received.path(percentEncoded: true))), not \(path)"
        case .endpoint(let type, let received?):
            "the endpoint is \(received), not \(type)"
        case .endpoint(let type, nil):
            "the request was not made of an endpoint \(type)"
        case .method(let method, let received):
            "the method is \(received), not \(method)"
        case .queryItem(let name, let value, let received):
            field("the query item", name, value, received, secrets)
        case .extraQueryItem(let name):
            "the query item \(secrets.shown(line: name)) was not recorded"
        case .origin(let origin, let received):
            "the origin is \(Origin(received)?.text ?? "another"), not \(origin.text)"
        case .headerField(let name, let value, let received):
            field("the header field", name, value, received, secrets)
        case .body(let difference):
            "the body differs: \(difference.text(secrets))"
        }
    }

    private func field(
        _ kind: String,
        _ name: String,
        _ value: String,
        _ received: String?,
        _ secrets: SecretPolicy
    ) -> String {
        guard let received else { return "\(kind) \(name) is missing" }
        guard !secrets.isSecret(name) else { return "\(kind) \(name) has another value" }
        return #"\#(kind) \#(name) is "\#(secrets.shown(line: received))", not "\#(secrets.shown(line: value))""#
    }
}

extension Origin {
    fileprivate var text: String { "\(scheme)://\(host):\(port)".onOneLine }
}
