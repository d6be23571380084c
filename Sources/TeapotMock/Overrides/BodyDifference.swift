import Teapot

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
