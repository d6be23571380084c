import Teapot

/// Text of a recording, in which a placeholder of a secret matches any text, the same wherever it stands: see ``SecretsOfReplay``.
final class RedactedText: Sendable {
    /// The parts between the placeholders: one more than there are placeholders.
    private let parts: [[UInt8]]
    private let placeholders: [String]

    init(text: String) {
        var (parts, placeholders, rest) = ([[UInt8]](), [String](), text[...])
        while let match = rest.firstMatch(of: Self.placeholder) {
            parts.append(Array(rest[..<match.range.lowerBound].utf8))
            placeholders.append(String(match.output))
            rest = rest[match.range.upperBound...]
        }
        parts.append(Array(rest.utf8))
        self.parts = parts
        self.placeholders = placeholders
    }

    nonisolated(unsafe) private static let placeholder = /redacted-[0-9]+/

    /// The number of redacted parts.
    var gaps: Int { placeholders.count }

    /// The number of bytes that are compared.
    var comparedSize: Int {
        var size = 0
        for part in parts { size += part.count }
        return size
    }

    /// Whether a text equals this one byte for byte, except for redacted parts, whose values are taken then.
    func matches(_ received: String, _ values: inout SecretsOfReplay) -> Bool {
        let bytes = Array(received.utf8)
        guard let first = parts.first, let last = parts.last, Self.has(bytes, first, at: 0) else { return false }
        guard !placeholders.isEmpty else { return bytes.count == first.count }
        var new = values
        var start = first.count
        for (index, placeholder) in placeholders.enumerated() {
            let next = parts[index + 1]
            var end = start
            if index == placeholders.count - 1 {
                end = bytes.count - last.count
                guard end >= start, Self.has(bytes, last, at: end) else { return false }
            } else {
                guard let range = bytes[start...].firstRange(of: next) else { return false }
                end = range.lowerBound
            }
            let value = String(decoding: bytes[start..<end], as: UTF8.self)
            guard new.take(value, for: placeholder) else { return false }
            start = end + next.count
        }
        values = new
        return true
    }

    private static func has(_ bytes: [UInt8], _ part: [UInt8], at start: Int) -> Bool {
        guard start + part.count <= bytes.count else { return false }
        for index in part.indices where bytes[start + index] != part[index] { return false }
        return true
    }
}

/// The values of the placeholders of a recording in a replay. Each placeholder matches itself, and one other value: the first value that
/// is met there.
struct SecretsOfReplay: Sendable {
    /// The values that were met, by their placeholder.
    private var values: [String: String] = [:]

    /// The numbers of the placeholders, by each form of their value.
    var numbers: [String: Int] {
        var numbers: [String: Int] = [:]
        for (placeholder, value) in values {
            guard let number = Placeholders.number(of: placeholder) else { continue }
            for form in Placeholders.forms(of: value) { numbers[form] = number }
        }
        return numbers
    }

    /// The number of placeholders for which a value was met.
    var count: Int { values.count }

    /// Takes a value, if its placeholder has none, or the same.
    mutating func take(_ value: String, for placeholder: String) -> Bool {
        if value == placeholder { return true }
        guard !Placeholders.isPlaceholder(value) else { return false }
        guard let known = values[placeholder] else {
            values[placeholder] = value
            return true
        }
        if value == known { return true }
        let forms = Placeholders.forms(of: known)
        for form in Placeholders.forms(of: value) where forms.contains(form) { return true }
        return false
    }
}
