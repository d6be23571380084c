/// A `Range` header field that asks for one range of bytes (RFC 9110, section 14.1.2).
enum RangeHeader: Equatable {
    /// `a-b` or `a-`, both ends inclusive. `b` may be before `a`.
    case from(Int, through: Int?)

    /// `-n`: the last `n` bytes.
    case last(Int)

    /// - Parameter value: The value of the field. Another unit, several ranges or anything else makes `nil`: a server may ignore it.
    init?(_ value: String) {
        let halves = value.split(separator: "=", maxSplits: 1)
        guard halves.count == 2, String(halves[0]).isEqualIgnoringCase(to: "bytes") else { return nil }
        let ends = halves[1].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) })
        else { return nil }
        // Digits that make no `Int` are a number that is too large for one.
        let numbers = ends.map { $0.isEmpty ? nil : Int($0) ?? .max }
        switch (numbers[0], numbers[1]) {
        case (let first?, let last): self = .from(first, through: last)
        case (nil, let length?): self = .last(length)
        case (nil, nil): return nil
        }
    }

    /// The bytes that are asked for of a representation with `count` of them. `nil` when it has none of these.
    func resolved(count: Int) -> Range<Int>? {
        let range =
            switch self {
            case .from(let first, let last):
                min(first, count)..<max(min(first, count), min(last ?? .max, count - 1) + 1)
            case .last(let length): max(0, count - length)..<count
            }
        return range.isEmpty ? nil : range
    }
}
