import Teapot

/// A difference between a request and a declared one.
enum Difference: Sendable {
    case path(String, received: URL)
    /// The type of the request's endpoint; `nil` if it was not made from one.
    case endpoint(any Endpoint.Type, received: (any Endpoint.Type)?)
    case method(Teapot.HTTPMethod, received: Teapot.HTTPMethod)
    case queryItem(String, String, received: String?)
    case extraQueryItem(String)
    case origin(Origin, received: URL)
    case headerField(String, String, received: String?)
    case body(BodyDifference)

    /// Whether the request is for another path or type.
    var isOfTarget: Bool {
        switch self {
        case .path, .endpoint: true
        default: false
        }
    }

    /// The field, its actual and its expected value, secrets redacted.
    func text(_ secrets: SecretPolicy) -> String {
        switch self {
        case .path(let path, let received):
            "the path is " + secrets.redacted(line: received.path(percentEncoded: true)) + ", not " + path
        case .endpoint(let type, let received?):
            "the endpoint is \(received), not \(type)"
        case .endpoint(let type, nil):
            "the request was not made from an endpoint \(type)"
        case .method(let method, let received):
            "the method is \(received), not \(method)"
        case .queryItem(let name, let value, let received):
            text("the query item " + name, value, received, secrets, secrets.isSecret(name, in: .item))
        case .extraQueryItem(let name):
            "the query item " + secrets.redacted(line: name) + " was not recorded"
        case .origin(let origin, let received):
            "the origin is " + (Origin(received)?.text ?? "another") + ", not " + origin.text
        case .headerField(let name, let value, let received):
            text("the header field " + name, value, received, secrets, secrets.isSecret(name, in: .field))
        case .body(let difference):
            "the body differs: " + difference.text(secrets)
        }
    }

    private func text(_ part: String, _ value: String, _ received: String?, _ secrets: SecretPolicy, _ isSecret: Bool)
        -> String
    {
        guard let received else { return part + " is missing" }
        guard !isSecret else { return part + " has another value" }
        return part + " is \"" + secrets.redacted(line: received) + "\", not \"" + secrets.redacted(line: value) + "\""
    }
}

extension Origin {
    fileprivate var text: String { "\(scheme)://\(host):\(port)".onOneLine }
}
