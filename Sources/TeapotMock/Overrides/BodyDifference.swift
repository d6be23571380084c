import Teapot

/// The first difference between a body and the declared one.
enum BodyDifference: Sendable {
    /// A place such as `$.users[1].name`, the names on the way there, and the values there, as JSON.
    case json(place: String, names: [String], expected: String?, received: String?)
    /// The field of a form, and the values of its name there, as JSON.
    case field(name: String, expected: String?, received: String?)
    /// The sizes in bytes, and the offset of the first difference.
    case bytes(offset: Int, expected: Int, received: Int)

    /// `nil` if the bodies are equal: as JSON values if both are JSON, as forms with their fields in any order, otherwise byte for byte.
    init?(expected: Data, received: Data, isForm: Bool) {
        var values: SecretsOfReplay?
        guard isForm else {
            self.init(expected, received, &values)
            return
        }
        let (expected, received) = (Self.fields(ofForm: expected), Self.fields(ofForm: received))
        let difference = Self.first(of: expected, and: received, at: Place(), &values)
        guard case .json(_, let names, let expected, let received)? = difference else { return nil }
        self = .field(name: names.first ?? "", expected: expected, received: received)
    }

    /// The fields of a form as a JSON object; the values of a name that repeats, which keep their order, are an array.
    private static func fields(ofForm data: Data) -> [String: Any] {
        var fields: [String: Any] = [:]
        for item in Teapot.QueryItems(ofForm: data.text[...]).items {
            let (earlier, value) = (fields[item.name], item.value ?? "")
            let new: Any =
                switch earlier {
                case let values as [String]: values + [value]
                case let first as String: [first, value]
                default: value
                }
            fields.updateValue(new, forKey: item.name)
        }
        return fields
    }

    /// The same for a recorded body, in which a placeholder of a secret matches text, and as a JSON string any value.
    init?(expected: Data, received: Data, _ values: inout SecretsOfReplay) {
        var known: SecretsOfReplay? = values
        defer { values = known ?? values }
        self.init(expected, received, &known)
    }

    /// The values are `nil` for a declared body.
    private init?(_ expected: Data, _ received: Data, _ values: inout SecretsOfReplay?) {
        guard !Data.areSame(expected, received) else { return nil }
        if let expected = CanonicalBody.json(in: expected), let received = CanonicalBody.json(in: received) {
            let difference = Self.first(of: expected.value, and: received.value, at: Place(), &values)
            guard let difference else { return nil }
            self = difference
        } else {
            if Self.matches(expected.text, received.text, &values) { return nil }
            let (bytes, others) = (Array(expected), Array(received))
            var offset = 0
            while offset < min(bytes.count, others.count), bytes[offset] == others[offset] { offset += 1 }
            self = .bytes(offset: offset, expected: bytes.count, received: others.count)
        }
    }

    /// The actual and the expected value, secrets redacted.
    func text(_ secrets: SecretPolicy) -> String {
        switch self {
        case .json(let place, let names, _, _) where names.contains(where: { secrets.isSecret($0) }):
            "\(secrets.redacted(line: place)) has another value"
        case .field(let name, _, _) where secrets.isSecret(name, in: .item): "\(name.onOneLine) has another value"
        case .json(let place, _, let expected, let received), .field(let place, let expected, let received):
            secrets.redacted(line: place) + " is " + (received.map { secrets.redacted(line: $0) } ?? "missing")
                + (expected.map { ", not " + secrets.redacted(line: $0) } ?? ", which was not declared")
        case .bytes(let offset, let expected, let received):
            "at byte \(offset)" + (received == expected ? "" : "; it has \(received) bytes, not \(expected)")
        }
    }

    /// The place of compared values.
    private struct Place {
        var text = "$"
        /// The names of the members on the way there.
        var names: [String] = []

        func member(_ name: String) -> Place { Place(text: text + "." + name, names: names + [name]) }
        func element(_ index: Int) -> Place { Place(text: "\(text)[\(index)]", names: names) }
    }

    private static func text(of value: Any) -> String { (try? JSONWriter.data(of: value)).map(\.text) ?? "\(value)" }

    /// Whether a recorded text with placeholders matches another one.
    private static func matches(_ expected: String, _ received: String, _ values: inout SecretsOfReplay?) -> Bool {
        guard var known = values, expected.contains(SecretPolicy.placeholder) else { return false }
        defer { values = known }
        return RedactedText(text: expected).matches(received, &known)
    }

    private static func first(of expected: Any?, and received: Any?, at place: Place, _ values: inout SecretsOfReplay?)
        -> BodyDifference?
    {
        if let expected = expected as? String, let received {
            let text = received as? String
            if text != nil || Placeholders.isPlaceholder(expected),
                matches(expected, text ?? self.text(of: received), &values)
            {
                return nil
            }
        } else if let expected = expected as? [String: Any], let received = received as? [String: Any] {
            var names: [String: String] = [:]
            for name in expected.keys { names[name] = "" }
            for name in received.keys { names[name] = "" }
            for (name, _) in names.sortedFields {
                let difference = first(of: expected[name], and: received[name], at: place.member(name), &values)
                if let difference { return difference }
            }
            return nil
        } else if let expected = expected as? [Any], let received = received as? [Any] {
            for index in 0..<max(expected.count, received.count) {
                let one = index < expected.count ? expected[index] : nil
                let other = index < received.count ? received[index] : nil
                let difference = first(of: one, and: other, at: place.element(index), &values)
                if let difference { return difference }
            }
            return nil
        }
        // In JSON, numbers and truth values differ, unlike in `NSNumber`.
        let (text, other) = (expected.map(Self.text), received.map(Self.text))
        if let text, other?.isSame(as: text) == true { return nil }
        return .json(place: place.text, names: place.names, expected: text, received: other)
    }
}
