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
    /// The placeholders whose value was met.
    private var met: Set<String> = []
    /// Each form of the values, after its placeholder and a blank.
    private var forms: Set<String> = []

    /// The numbers of the placeholders, by each form of their value.
    var numbers: [String: Int] {
        var numbers: [String: Int] = [:]
        for text in forms {
            guard let blank = text.firstIndex(of: " ") else { continue }
            numbers[String(text[blank...].dropFirst())] = Placeholders.number(of: String(text[..<blank]))
        }
        return numbers
    }

    /// The number of placeholders for which a value was met.
    var count: Int { met.count }

    /// Takes a value, if its placeholder has none, or the same.
    mutating func take(_ value: String, for placeholder: String) -> Bool {
        if value == placeholder { return true }
        guard !Placeholders.isPlaceholder(value) else { return false }
        let new = Placeholders.forms(of: value).map { placeholder + " " + $0 }
        guard met.insert(placeholder).inserted else { return new.contains(where: forms.contains) }
        for form in new { forms.insert(form) }
        return true
    }
}
