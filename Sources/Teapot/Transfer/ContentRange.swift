/// `Content-Range: bytes 100-199/200` (RFC 9110, section 14.4).
struct ContentRange: Equatable {
    let first: Int
    let last: Int
    /// In bytes, of the whole.
    let size: Int

    /// Reads the value of the header field; `nil` when it is none for a range of bytes, or does not say how many there are in
    /// all: the end of the file could not be told then.
    init?(_ value: String) {
        guard
            let match = value.wholeMatch(of: /\s*[Bb][Yy][Tt][Ee][Ss]\s+(\d+)-(\d+)\/(\d+)\s*/),
            let first = Int(match.output.1), let last = Int(match.output.2), let size = Int(match.output.3),
            first <= last, last < size
        else { return nil }
        (self.first, self.last, self.size) = (first, last, size)
    }
}
