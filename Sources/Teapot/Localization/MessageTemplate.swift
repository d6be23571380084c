/// A sentence with placeholders for its details, from a strings file.
///
/// The placeholders are `%@`, `%d`, `%i`, `%u`, `%ld` and `%lld`, which take the arguments in turn, the same with a position
/// (`%2$@` takes the second one), and `%%`, which is a percent sign. Every argument is text, so any placeholder can show it.
///
/// `String(format:)` reads invalid memory when a template and its arguments do not match. Here nothing can go wrong: a
/// placeholder without an argument and any other use of `%` remain as text, surplus arguments are dropped, and arguments are
/// not searched for placeholders.
package struct MessageTemplate: Sendable, Hashable {
    private static let percent = UInt8(ascii: "%")
    private static let conversions = ["@", "d", "i", "u", "ld", "lld"].map { Array($0.utf8) }

    private let template: String

    /// Makes a template from any text.
    package init(_ template: String) {
        self.template = template
    }

    /// The text with its placeholders replaced.
    ///
    /// - Parameter arguments: The values of the placeholders, the first one first.
    /// - Returns: The text as it is shown.
    package func filled(with arguments: [String]) -> String {
        var rest = Array(template.utf8)[...]
        var filled: [UInt8] = []
        var used = 0

        while let next = rest.firstIndex(of: Self.percent) {
            filled += rest[..<next]
            rest = rest[next...].dropFirst()

            if rest.first == Self.percent {
                filled.append(Self.percent)
                rest = rest.dropFirst()
            } else if let placeholder = Self.placeholder(startOf: rest),
                let argument = arguments.element(at: placeholder.position ?? used)
            {
                filled += argument.utf8
                rest = rest.dropFirst(placeholder.length)
                if placeholder.position == nil { used += 1 }
            } else {
                filled.append(Self.percent)
            }
        }
        return String(decoding: filled + rest, as: UTF8.self)
    }

    /// The placeholder after a percent sign, if any: its position, counted from 0, and its length in bytes.
    private static func placeholder(startOf text: ArraySlice<UInt8>) -> (position: Int?, length: Int)? {
        let digits = text.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        var rest = text.dropFirst(digits.count)
        var position: Int?
        if !digits.isEmpty {
            // A number that is 0, or too large for an Int, has no argument.
            guard rest.first == UInt8(ascii: "$"), let number = Int(String(decoding: digits, as: UTF8.self)) else {
                return nil
            }
            position = number - 1
            rest = rest.dropFirst()
        }
        guard let conversion = conversions.first(where: { rest.starts(with: $0) }) else { return nil }
        return (position, rest.startIndex - text.startIndex + conversion.count)
    }
}

extension Array {
    fileprivate func element(at index: Int) -> Element? {
        indices.contains(index) ? self[index] : nil
    }
}
