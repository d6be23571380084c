import Testing

/// The argument of a test with a description of one short line, whatever the argument contains.
package struct Brief<Value: Sendable>: Sendable, CustomTestStringConvertible {
    package let value: Value
    /// What it is, if its value does not say.
    fileprivate let name: String?

    package var testDescription: String {
        if let name { return Self.line(name, limit: 72) }
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .tuple else { return Self.line(value, limit: 72) }
        let parts = mirror.children.map { Self.line($0.value, limit: 72 / mirror.children.count) }
        return "(\(parts.joined(separator: ", ")))"
    }

    /// Escapes control characters, and shows the beginning of a text that is too long, and how long a very long one is.
    private static func line(_ value: Any, limit: Int) -> String {
        let text = String(describingForTest: value)
        var line = ""
        for scalar in text.unicodeScalars.prefix(limit + 1) {
            let isControl = [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
            line += isControl ? scalar.escaped(asASCII: true) : String(scalar)
        }
        guard line.count > limit else { return line }
        return line.prefix(limit) + (text.count > 1_000 ? "… (\(text.count) characters)" : "…")
    }
}

/// Arguments of a test that are shown on one short line each.
package func brief<Value: Sendable>(_ values: some Sequence<Value>) -> [Brief<Value>] {
    values.map { Brief(value: $0, name: nil) }
}

/// Arguments of a test, such as rows that contain closures or the indices of rows, that are shown by a name each.
package func brief<Value: Sendable>(_ values: some Sequence<Value>, by name: (Value) -> String) -> [Brief<Value>] {
    values.map { Brief(value: $0, name: name($0)) }
}
