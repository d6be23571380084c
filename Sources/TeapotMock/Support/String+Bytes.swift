import Teapot

/// Foundation's and the standard library's own methods are generic, and each use of them with other types or closures is a copy of their
/// code. These are copied once.
extension String {
    /// The bytes in UTF-8.
    var encoded: Data { data(using: .utf8) ?? Data() }

    /// The lines that are not empty.
    @inline(never) var filledLines: [String] { split(whereSeparator: \.isNewline).map(String.init) }

    /// Whether both texts have the same bytes. `==` equates a letter with its decomposed form.
    @inline(never) func isSame(as other: String) -> Bool {
        var (own, other) = (self, other)
        return own.withUTF8 { own in other.withUTF8(own.elementsEqual) }
    }

    /// Whether this is the name of a header field, in any case.
    @inline(never) func isField(_ name: String) -> Bool { FieldName(self) == FieldName(name) }

    /// The number that the text stands for; `nil` if it is not a number of 1 to 15 digits.
    @inline(never) func number(radix: Int = 10) -> Int? {
        guard (1...15).contains(utf8.count) else { return nil }
        var number = 0
        for byte in utf8 {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, digit < radix else { return nil }
            number = number * radix + digit
        }
        return number
    }
}

extension Substring {
    /// The parts between separators.
    @inline(never) func parts(between separator: Character, omittingEmpty: Bool = true) -> [Substring] {
        split(separator: separator, omittingEmptySubsequences: omittingEmpty)
    }
}
