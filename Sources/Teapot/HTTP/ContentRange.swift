import TeapotFoundation

/// `Content-Range: bytes 100-199/200` (RFC 9110, section 14.4).
struct ContentRange {
    let first: Int
    let last: Int
    /// In bytes, of the whole; `nil` if the server does not know it, as in `bytes 100-199/*`.
    let size: Int?

    /// Parses the value of the header field; `nil` if it is not a range of bytes.
    init?(_ value: String) {
        guard let match = value.wholeMatch(of: /\s*[Bb][Yy][Tt][Ee][Ss]\s+(\d+)-(\d+)\/(?:(\d+)|\*)\s*/),
            let first = Int(match.output.1), let last = Int(match.output.2)
        else { return nil }
        let size = match.output.3.flatMap { Int($0) }
        guard first <= last, last < size ?? .max, (size == nil) == (match.output.3 == nil) else { return nil }
        self.first = first
        self.last = last
        self.size = size
    }

    /// The number of bytes of the part.
    var count: Int { last - first + 1 }

    /// Whether a server may send the part for this value of `Range`: it begins where it should, or ends at the end, and is not longer. Of
    /// several ranges, anything goes.
    func answers(_ range: String) -> Bool {
        if let suffix = range.wholeMatch(of: /\s*[Bb][Yy][Tt][Ee][Ss]=\s*-(\d+)\s*/) {
            return (size == nil || last + 1 == size) && count <= Int(suffix.output.1) ?? .max
        }
        guard let match = range.wholeMatch(of: /\s*[Bb][Yy][Tt][Ee][Ss]=\s*(\d+)-(\d*)\s*/) else { return true }
        return Int(match.output.1) == first && last <= Int(match.output.2) ?? .max
    }
}
