/// Parses the value of a structured header field from beginning to end, byte by byte.
package struct FieldScanner {
    private var rest: Substring.UTF8View

    package init(_ value: String) { rest = value[...].utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    func isAt(_ character: Unicode.Scalar) -> Bool { rest.first == UInt8(ascii: character) }

    /// Skips a byte, if it is the next one.
    /// - Returns: Whether it was.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard isAt(character) else { return false }
        rest.removeFirst()
        return true
    }

    /// Skips all bytes of a set.
    mutating func skip(_ set: ByteSet) { rest = rest.drop(while: set.contains) }

    /// Skips all before the next byte of a set, or the rest if there is none.
    mutating func skip(to set: ByteSet) { rest = rest.drop { !set.contains($0) } }

    /// Skips all before the next comma outside of quotation marks.
    mutating func skipItem() {
        var isQuoted = false
        var isEscaped = false
        rest = rest.drop { byte in
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = isQuoted
            }
            return isQuoted || byte != UInt8(ascii: ",")
        }
    }

    /// The text before the next byte of a set, or the rest if there is none.
    mutating func text(before set: ByteSet) -> String {
        let text = rest.prefix { !set.contains($0) }
        rest = rest[text.endIndex...]
        return String(Substring(text))
    }

    /// The parameters that follow: `; name=value; name="quoted value"` (RFC 9110, section 5.6.6, as lenient as RFC 8288,
    /// appendix B.3). They end at a comma outside quotation marks, unless commas separate them, too, as with
    /// directives (`isList`; RFC 9111, section 5.2).
    /// - Returns: The names in lowercase, and the values without quotation marks and escapes.
    package mutating func parameters(isList: Bool = false) -> [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = []
        skip(Self.blanks)
        while take(";") || (isList && take(",")) {
            skip(Self.blanks)
            let name = text(before: Self.nameEnds).lowercased()
            skip(Self.blanks)
            var value = ""
            if take("=") {
                skip(Self.blanks)
                value = take("\"") ? quoted() : text(before: Self.valueEnds)
            }
            // Text after the value does not belong to it.
            skip(to: Self.itemEnds)
            if !name.isEmpty { parameters.append((name, value)) }
        }
        return parameters
    }

    /// The rest of a quoted string (RFC 9110, section 5.6.4). Without a closing quote it extends to the end of the field.
    mutating func quoted() -> String {
        var bytes: [UInt8] = []
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            if byte != UInt8(ascii: "\\") {
                bytes.append(byte)
            } else if let next = rest.popFirst() {
                bytes.append(next)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    static let blanks = ByteSet(" \t")
    private static let nameEnds = ByteSet(" \t=;,")
    private static let valueEnds = ByteSet(" \t;,")
    private static let itemEnds = ByteSet(";,")
}
