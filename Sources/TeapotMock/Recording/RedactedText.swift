import Teapot

/// Text of a recording, in which a placeholder of a secret matches any text, the same wherever it stands: see ``SecretsOfReplay``.
struct RedactedText: Sendable {
    let text: String
    /// The parts between the placeholders: one more than there are placeholders.
    private let parts: [[UInt8]]
    private let placeholders: [String]

    init(text: String) {
        self.text = text
        var (parts, placeholders, rest) = ([Substring](), [String](), text[...])
        while let match = rest.firstMatch(of: Self.placeholder) {
            parts.append(rest[..<match.range.lowerBound])
            placeholders.append(String(match.output))
            rest = rest[match.range.upperBound...]
        }
        self.parts = (parts + [rest]).map { Array($0.utf8) }
        self.placeholders = placeholders
    }

    nonisolated(unsafe) private static let placeholder = /redacted-[0-9]+/

    /// The number of redacted parts.
    var gaps: Int { placeholders.count }

    /// The number of bytes that are compared.
    var comparedSize: Int { parts.reduce(0) { $0 + $1.count } }

    /// Whether a text equals this one byte for byte, except for redacted parts, whose values are taken then.
    func matches(_ received: String, _ values: inout SecretsOfReplay) -> Bool {
        var rest = Array(received.utf8)[...]
        guard let first = parts.first, let last = parts.last, rest.starts(with: first) else { return false }
        guard !placeholders.isEmpty else { return rest.count == first.count }
        rest = rest.dropFirst(first.count)
        var new = values
        for (placeholder, next) in zip(placeholders, parts.dropFirst()).dropLast() {
            guard let range = rest.firstRange(of: next),
                new.take(String(decoding: rest[..<range.lowerBound], as: UTF8.self), for: placeholder)
            else { return false }
            rest = rest[range.upperBound...]
        }
        guard rest.count >= last.count, rest.suffix(last.count).elementsEqual(last),
            let placeholder = placeholders.last,
            new.take(String(decoding: rest.dropLast(last.count), as: UTF8.self), for: placeholder)
        else { return false }
        values = new
        return true
    }
}

/// The values of the placeholders of a recording in a replay. Each placeholder matches itself, and one other value: the first that is
/// met there.
struct SecretsOfReplay: Sendable {
    /// The forms of the values.
    private var values: [String: Set<String>] = [:]

    /// The numbers of the placeholders, by each form of their value.
    var numbers: [String: Int] {
        values.reduce(into: [:]) { numbers, value in
            for form in value.value { numbers[form] = Placeholders.number(of: value.key) }
        }
    }

    /// The number of placeholders for which a value was met.
    var count: Int { values.count }

    /// Takes a value, if its placeholder has none, or the same.
    mutating func take(_ value: String, for placeholder: String) -> Bool {
        if value == placeholder { return true }
        guard !Placeholders.isPlaceholder(value) else { return false }
        let forms = Set(Placeholders.forms(of: value))
        if let known = values[placeholder] { return !known.isDisjoint(with: forms) }
        values[placeholder] = forms
        return true
    }
}
