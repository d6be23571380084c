extension String {
    /// Whether the text contains a control character (Unicode general category Cc), such as a line break or an escape.
    var holdsControlCharacters: Bool { unicodeScalars.contains { $0.isControlCharacter } }

    /// The text with each control character but line feed and tab written as `\u{1B}`, so that server text cannot forge or hide
    /// lines. Unicode's other line breaks, and characters that change the text direction, are escaped, too.
    func escapingControlCharacters(lineFeed: String = "\n") -> String {
        // Whole parts are copied, as copying each scalar takes twenty times as long.
        var (text, start, index) = ("", startIndex, startIndex)
        while index < endIndex {
            let (scalar, end) = (unicodeScalars[index], unicodeScalars.index(after: index))
            if scalar.needsEscape || scalar == "\n" {
                text += self[start..<index]
                text += scalar == "\n" ? lineFeed : "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
                start = end
            }
            index = end
        }
        return start == startIndex ? self : text + self[start...]
    }

    package var onOneLine: String { escapingControlCharacters(lineFeed: "\\n") }
}

extension Unicode.Scalar {
    fileprivate var isControlCharacter: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }

    fileprivate var needsEscape: Bool {
        switch value {
        case 0x0A, 0x09: false
        case 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: isControlCharacter
        }
    }
}
