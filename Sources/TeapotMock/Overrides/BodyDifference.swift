internal import Teapot

/// The first place where a body is not the one that was declared.
enum BodyDifference: Sendable {
    /// A place such as `$.users[1].name`, the names that lead there, and the values there, as JSON.
    case json(place: String, names: [String], expected: String?, received: String?)
    /// Sizes in bytes, and the offset of the first one that differs.
    case bytes(offset: Int, expected: Int, received: Int)

    /// `nil` when the bodies are the same: as JSON values if both are JSON, else byte for byte. `<redacted>` stands for any text, and
    /// as a JSON string for any value.
    init?(expected: Data, received: Data) {
        guard expected != received else { return nil }
        if let expected = Self.json(expected), let received = Self.json(received) {
            guard let difference = Self.first(expected, received, at: "$", names: []) else { return nil }
            self = difference
        } else {
            if let text = Self.redacted(expected), text.matches(String(decoding: received, as: UTF8.self)) {
                return nil
            }
            let offset = zip(expected, received).prefix { $0 == $1 }.count
            self = .bytes(offset: offset, expected: expected.count, received: received.count)
        }
    }

    /// What it is and what it was to be, secrets redacted.
    func text(_ secrets: SecretPolicy) -> String {
        switch self {
        case .json(let place, let names, _, _) where names.contains(where: secrets.isSecret):
            "\(secrets.shown(line: place)) has another value"
        case .json(let place, _, let expected, let received):
            [
                "\(secrets.shown(line: place)) is ",
                received.map { secrets.shown(line: $0) } ?? "missing",
                expected.map { ", not " + secrets.shown(line: $0) } ?? ", which was not declared",
            ].joined()
        case .bytes(let offset, let expected, let received):
            "at byte \(offset); it has \(received) bytes, not \(expected)"
        }
    }

    private static func redacted(_ data: Data) -> RedactedText? {
        guard data.firstRange(of: Data(SecretPolicy.replacement.utf8)) != nil else { return nil }
        return RedactedText(text: String(decoding: data, as: UTF8.self))
    }

    private static func json(_ data: Data) -> Any? {
        let value = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
        return value.flatMap { JSONBytes.isWithinDepth($0) ? $0 : nil }
    }

    private static func first(_ expected: Any, _ received: Any, at place: String, names: [String]) -> BodyDifference? {
        switch (expected, received) {
        case (SecretPolicy.replacement as String, _):
            return nil
        case (let expected as String, let received as String) where RedactedText(text: expected).matches(received):
            return nil
        case (let expected as [String: Any], let received as [String: Any]):
            for key in Set(expected.keys).union(received.keys).sorted() {
                if let difference = first(expected[key], received[key], at: "\(place).\(key)", names: names + [key]) {
                    return difference
                }
            }
            return nil
        case (let expected as [Any], let received as [Any]):
            for index in 0..<max(expected.count, received.count) {
                let values = [expected, received].map { $0.indices.contains(index) ? $0[index] : nil }
                if let difference = first(values[0], values[1], at: "\(place)[\(index)]", names: names) {
                    return difference
                }
            }
            return nil
        default:
            // As JSON a number is not a truth value, as it is to `NSNumber`.
            let (expected, received) = (text(of: expected), text(of: received))
            guard expected != received else { return nil }
            return .json(place: place, names: names, expected: expected, received: received)
        }
    }

    private static func first(_ expected: Any?, _ received: Any?, at place: String, names: [String]) -> BodyDifference?
    {
        guard let expected, let received else {
            return .json(place: place, names: names, expected: expected.map(text), received: received.map(text))
        }
        return first(expected, received, at: place, names: names)
    }

    private static func text(of value: Any) -> String {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes, .fragmentsAllowed]
        let data = try? JSONSerialization.data(withJSONObject: value, options: options)
        return data.map { String(decoding: $0, as: UTF8.self) } ?? "\(value)"
    }
}
