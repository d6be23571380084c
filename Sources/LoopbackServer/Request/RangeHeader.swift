/// A `Range` header field that asks for one range of bytes (RFC 9110, section 14.1.2).
enum RangeHeader: Equatable {
    /// `a-b` or `a-`, both ends inclusive. `b` may be before `a`.
    case from(Int, through: Int?)

    /// `-n`: the last `n` bytes.
    case last(Int)

    /// - Parameter value: The value of the field. Another unit, several ranges or anything else makes `nil`: a server may ignore it.
    init?(_ value: String) {
        guard let (_, start, end) = value.wholeMatch(of: /[Bb][Yy][Tt][Ee][Ss]=([0-9]*)-([0-9]*)/)?.output else {
            return nil
        }
        // Digits that make no `Int` are a number that is too large for one.
        func number(_ digits: Substring) -> Int? { digits.isEmpty ? nil : Int(digits) ?? .max }
        switch (number(start), number(end)) {
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
