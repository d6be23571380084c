/// `Content-Range: bytes 100-199/200` (RFC 9110, section 14.4).
struct ContentRange {
    let first, last: Int
    /// The number of bytes of the whole; `nil` if the server does not know it, as in `bytes 100-199/*`.
    let size: Int?

    init?(_ value: String) {
        var scanner = FieldScanner(value)
        guard Self.takeBytes(&scanner), scanner.isAt(ByteSet.blanks) else { return nil }
        scanner.skip(ByteSet.blanks)
        guard let first = Int(scanner.digits()), scanner.take("-"), let last = Int(scanner.digits()), scanner.take("/")
        else { return nil }
        let isUnknown = scanner.take("*")
        size = isUnknown ? nil : Int(scanner.digits())
        scanner.skip(ByteSet.blanks)
        guard first <= last, last < size ?? .max, (size == nil) == isUnknown, scanner.isAtEnd else { return nil }
        self.first = first
        self.last = last
    }

    var count: Int { last - first + 1 }

    /// Whether a server may send the part for this value of `Range`: one that begins where it should, or ends at the
    /// end, and is not longer. Of several ranges, anything goes.
    func answers(_ range: String) -> Bool {
        var scanner = FieldScanner(range)
        guard Self.takeBytes(&scanner), scanner.take("=") else { return true }
        scanner.skip(ByteSet.blanks)
        let start = scanner.digits()
        guard scanner.take("-") else { return true }
        let end = scanner.digits()
        scanner.skip(ByteSet.blanks)
        guard scanner.isAtEnd, !(start.isEmpty && end.isEmpty) else { return true }
        // A number that is too large for an `Int` is beyond every part.
        if start.isEmpty { return (size == nil || last + 1 == size) && count <= Int(end) ?? .max }
        return Int(start) == first && last <= Int(end) ?? .max
    }

    private static func takeBytes(_ scanner: inout FieldScanner) -> Bool {
        scanner.skip(ByteSet.blanks)
        return scanner.text(before: ByteSet(" \t\r\n=")).lowercased() == "bytes"
    }
}
