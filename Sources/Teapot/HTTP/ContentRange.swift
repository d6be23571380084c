import TeapotFoundation

/// `Content-Range: bytes 100-199/200` (RFC 9110, section 14.4).
struct ContentRange {
    let first: Int
    let last: Int
    /// In bytes, of the whole.
    let size: Int

    /// Parses the value of the header field; `nil` if it is not a range of bytes or lacks the total size, without which the end
    /// of the file is unknown.
    init?(_ value: String) {
        guard
            let match = value.wholeMatch(of: /\s*[Bb][Yy][Tt][Ee][Ss]\s+(\d+)-(\d+)\/(\d+)\s*/),
            let first = Int(match.output.1), let last = Int(match.output.2), let size = Int(match.output.3),
            first <= last, last < size
        else { return nil }
        (self.first, self.last, self.size) = (first, last, size)
    }
}
