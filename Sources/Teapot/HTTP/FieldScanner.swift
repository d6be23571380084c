/// Parses a structured header field from beginning to end, byte by byte. It has many callers: methods are not inlined.
package struct FieldScanner {
    private let bytes: [UInt8]
    private(set) var position = 0

    @inline(never) package init(_ value: String) { bytes = Array(value.utf8) }

    var isAtEnd: Bool { position == bytes.count }
    func isAt(_ character: Unicode.Scalar) -> Bool { !isAtEnd && bytes[position] == UInt8(ascii: character) }
    func isAt(_ set: ByteSet) -> Bool { !isAtEnd && set.contains(bytes[position]) }

    @inline(never) mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard isAt(character) else { return false }
        position += 1
        return true
    }

    @inline(never) mutating func skip(_ set: ByteSet) { while isAt(set) { position += 1 } }

    /// Skips all before the next byte of a set, or the rest if there is none.
    @inline(never) mutating func skip(to set: ByteSet) { while !isAtEnd, !isAt(set) { position += 1 } }

    /// Skips all before the next comma outside of quotation marks.
    mutating func skipItem() {
        while true {
            skip(to: Self.itemMarks)
            guard take("\"") else { return }
            _ = quoted()
        }
    }

    @inline(never) func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    var rest: String { text(position..<bytes.count) }

    @inline(never) mutating func text(before set: ByteSet) -> String {
        let start = position
        skip(to: set)
        return text(start..<position)
    }

    @inline(never) mutating func digits() -> String {
        let start = position
        skip(ByteSet.digits)
        return text(start..<position)
    }

    /// The parameters that follow: `; name=value; name="quoted value"` (RFC 9110, section 5.6.6, as lenient as RFC
    /// 8288, appendix B.3), names in lowercase, values without quotation marks and escapes. They end at a comma outside
    /// quotation marks, unless commas separate them, too, as with directives (`isList`; RFC 9111, section 5.2).
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
    @inline(never) mutating func quoted() -> String {
        var quoted: [UInt8] = []
        while !isAtEnd, !take("\"") {
            if take("\\"), isAtEnd { break }
            quoted.append(bytes[position])
            position += 1
        }
        return String(decoding: quoted, as: UTF8.self)
    }

    static let blanks = ByteSet(" \t")
    static let separators = ByteSet(" \t,")
    private static let nameEnds = ByteSet(" \t=;,")
    private static let valueEnds = ByteSet(" \t;,")
    private static let itemEnds = ByteSet(";,")
    private static let itemMarks = ByteSet(",\"")
}
