extension String {
    /// Whether the text holds a control character (Unicode general category Cc), such as a line break or an escape.
    package var holdsControlCharacters: Bool {
        unicodeScalars.contains { $0.isControlCharacter }
    }

    /// The text with each control character but line feed and tab written as `\u{1B}`, so that what a server sent cannot
    /// forge or hide lines where the text is shown.
    package var escapingControlCharacters: String {
        guard unicodeScalars.contains(where: { $0.needsEscape }) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.needsEscape {
                text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isControlCharacter: Bool {
        value < 0x20 || (0x7F...0x9F).contains(value)
    }

    fileprivate var needsEscape: Bool {
        isControlCharacter && self != "\n" && self != "\t"
    }
}
