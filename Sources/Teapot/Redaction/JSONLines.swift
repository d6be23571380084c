import Foundation

/// Text in which JSON may stand on lines of its own: `data:` at the start of a line (HTML standard, section 9.2.5), a byte order
/// mark and a record separator (RFC 7464) count as blanks. So JSON is read across the lines of an event.
struct JSONLines {
    /// As many bytes as in the text; none if nothing had to be replaced.
    private(set) var bytes: [UInt8] = []
    /// The position of the first byte that is not blank.
    private(set) var start = 0
    /// Whether the text begins with an object, an array or a string, before any `data:`.
    private(set) var beginsLikeJSON = false
    private(set) var isMarkup = false
    /// Whether a line is a field of a multipart form, whose names are not read.
    private(set) var isMultipart = false

    init(_ text: UnsafeBufferPointer<UInt8>) {
        guard let source = text.baseAddress else { return }
        let count = text.count
        func blank(_ range: Range<Int>, with byte: UInt8) {
            if bytes.isEmpty { bytes = Array(text) }
            for index in range { bytes[index] = byte }
        }
        if count >= 3, source[0] == 0xEF, source[1] == 0xBB, source[2] == 0xBF {
            blank(0..<3, with: 0x20)
            start = 3
        }
        var position = start
        var first = start
        while first < count, source[first] == Self.separator || TextRedactor.blanks.contains(source[first]) {
            first += 1
        }
        if first < count {
            let byte = source[first]
            start = first
            isMarkup = byte == UInt8(ascii: "<")
            beginsLikeJSON = byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "\"")
        }
        var isAtStart = true
        // The next ones.
        var (newline, carriageReturn, record) = (-1, -1, -1)
        while position < count {
            let byte = source[position]
            if byte == Self.separator { blank(position..<position + 1, with: 0x0A) }
            if isAtStart, byte == UInt8(ascii: "d"), count - position >= 5, memcmp(source + position, "data:", 5) == 0 {
                blank(position..<position + 5, with: 0x20)
                position += 4
            }
            if isAtStart, byte | 0x20 == UInt8(ascii: "c"), count - position >= Self.field.count, !isMultipart {
                isMultipart = Self.field.indices.allSatisfy { source[position + $0] | 0x20 == Self.field[$0] }
            }
            isAtStart = byte == 0x0A || byte == 0x0D
            position += 1
            if isAtStart { continue }
            // To the end of the line, or to a separator.
            if newline < position { newline = text.next(0x0A, from: position) }
            if carriageReturn < position { carriageReturn = text.next(0x0D, from: position) }
            if record < position { record = text.next(Int32(Self.separator), from: position) }
            position = newline < carriageReturn ? newline : carriageReturn
            if record < position { position = record }
        }
    }

    private static let separator: UInt8 = 0x1E
    private static let field = Array("content-disposition:".utf8)
}
