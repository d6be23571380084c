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

    /// Whether the request is for something else entirely.
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
            "the path is \(secrets.redacted(line: received.path(percentEncoded: true))), not \(path)"
        case .endpoint(let type, let received?):
            "the endpoint is \(received), not \(type)"
        case .endpoint(let type, nil):
            "the request was not made from an endpoint \(type)"
        case .method(let method, let received):
            "the method is \(received), not \(method)"
        case .queryItem(let name, let value, let received):
            field("the query item", name, value, received, secrets)
        case .extraQueryItem(let name):
            "the query item \(secrets.redacted(line: name)) was not recorded"
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
        return #"\#(kind) \#(name) is "\#(secrets.redacted(line: received))", not "\#(secrets.redacted(line: value))""#
    }
}

extension Origin {
    fileprivate var text: String { "\(scheme)://\(host):\(port)".onOneLine }
}

/// The first difference between a body and the declared one.
enum BodyDifference: Sendable {
    /// A place such as `$.users[1].name`, the names on the way there, and the values there, as JSON.
    case json(place: String, names: [String], expected: String?, received: String?)
    /// The sizes in bytes, and the offset of the first difference.
    case bytes(offset: Int, expected: Int, received: Int)

    /// `nil` if the bodies are equal: as JSON values if both are JSON, otherwise byte for byte.
    ///
    /// - Parameters:
    ///   - expected: The declared body.
    ///   - received: The received body.
    ///   - isRecorded: Whether `<redacted>` matches any text, and as a JSON string any value.
    init?(expected: Data, received: Data, isRecorded: Bool) {
        guard !Data.areSame(expected, received) else { return nil }
        if let expected = CanonicalBody.json(in: expected), let received = CanonicalBody.json(in: received) {
            guard
                let difference = Self.first(of: expected.value, and: received.value, at: Place(isRecorded: isRecorded))
            else {
                return nil
            }
            self = difference
        } else {
            if isRecorded, let text = Self.redacted(expected), text.matches(received.text) {
                return nil
            }
            let offset = zip(expected, received).prefix { $0 == $1 }.count
            self = .bytes(offset: offset, expected: expected.count, received: received.count)
        }
    }

    /// The actual and the expected value, secrets redacted.
    func text(_ secrets: SecretPolicy) -> String {
        switch self {
        case .json(let place, let names, _, _) where names.contains(where: secrets.isSecret):
            "\(secrets.redacted(line: place)) has another value"
        case .json(let place, _, let expected, let received):
            [
                "\(secrets.redacted(line: place)) is ",
                received.map { secrets.redacted(line: $0) } ?? "missing",
                expected.map { ", not " + secrets.redacted(line: $0) } ?? ", which was not declared",
            ].joined()
        case .bytes(let offset, let expected, let received):
            "at byte \(offset)" + (received == expected ? "" : "; it has \(received) bytes, not \(expected)")
        }
    }

    private static func redacted(_ data: Data) -> RedactedText? {
        guard data.firstRange(of: Data(SecretPolicy.replacement.utf8)) != nil else { return nil }
        return RedactedText(text: data.text)
    }

    /// The place of compared values.
    private struct Place {
        let isRecorded: Bool
        var text = "$"
        /// The names of the members on the way there.
        var names: [String] = []

        func member(_ name: String) -> Place {
            Place(isRecorded: isRecorded, text: "\(text).\(name)", names: names + [name])
        }

        func element(_ index: Int) -> Place {
            Place(isRecorded: isRecorded, text: "\(text)[\(index)]", names: names)
        }
    }

    private static func text(of value: Any) -> String {
        (try? JSONWriter.data(of: value)).map(\.text) ?? "\(value)"
    }

    private static func first(of expected: Any?, and received: Any?, at place: Place) -> BodyDifference? {
        switch (expected, received) {
        case (SecretPolicy.replacement as String, _?) where place.isRecorded:
            return nil
        case (let expected as String, let received as String)
        where place.isRecorded && RedactedText(text: expected).matches(received):
            return nil
        case (let expected as [String: Any], let received as [String: Any]):
            return Set(expected.keys).union(received.keys).sorted().lazy
                .compactMap { first(of: expected[$0], and: received[$0], at: place.member($0)) }.first
        case (let expected as [Any], let received as [Any]):
            return (0..<max(expected.count, received.count)).lazy
                .compactMap { index in
                    let values = [expected, received].map { $0.indices.contains(index) ? $0[index] : nil }
                    return first(of: values[0], and: values[1], at: place.element(index))
                }
                .first
        default:
            // In JSON, numbers and truth values differ, unlike in `NSNumber`.
            let (expected, received) = (expected.map(Self.text), received.map(Self.text))
            guard expected != received else { return nil }
            return .json(place: place.text, names: place.names, expected: expected, received: received)
        }
    }
}
