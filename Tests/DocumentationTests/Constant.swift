import Foundation
import Testing

/// A number that a page and the code both name. `{}` stands for it in the text of each.
struct Constant: Sendable, CustomTestStringConvertible {
    /// A place in a file, such as `capacity = {}`.
    struct Place: Sendable {
        let path: String
        let text: String

        init(_ path: String, _ text: String) {
            self.path = path
            self.text = text
        }
    }

    let page: Place

    /// The code's value of 1 on the page, such as 1,000 for seconds on the page and milliseconds in the code.
    let unit: Double

    /// The declarations whose values, multiplied, are the number.
    let sources: [Place]

    var testDescription: String { "\(page.path): \(page.text)" }

    init(_ page: String, _ text: String, unit: Double = 1, _ sources: Place...) {
        let isCatalog = !page.contains(".") && !page.contains("/")
        self.page = Place(isCatalog ? "Sources/Teapot/Teapot.docc/\(page).md" : page, text)
        self.unit = unit
        self.sources = sources
    }

    /// The numbers on the page, in the unit of the code.
    func documented() throws -> [Double] { try Self.numbers(at: page).map { $0 * unit } }

    /// The numbers in the code.
    func declared() throws -> [Double] {
        let all = try sources.map(Self.numbers)
        guard let first = all.first else { return [] }
        return all.dropFirst().reduce(first) { product, next in zip(product, next).map { $0 * $1 } }
    }

    /// The numbers at `{}`, the only place in the file that matches.
    private static func numbers(at place: Place) throws -> [Double] {
        let parts = place.text.components(separatedBy: "{}")
        try #require(parts.count == 2, "\(place.text) has no {} or more than one")
        let pattern = (parts[0].isEmpty ? "\\b" : "") + parts.map(escaped).joined(separator: "(\(list))")
        let text = try PackageFiles.text(place.path).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let matches = text.matches(of: try Regex(pattern, as: (Substring, Substring).self))
        try #require(matches.count == 1, "\(place.path) has \(matches.count) places: \(place.text)")
        return values(matches[0].output.1)
    }

    private static func escaped(_ text: String) -> String { NSRegularExpression.escapedPattern(for: text) }

    private static let words = [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    ]
    private static let number =
        "(?:[0-9][0-9_]*(?:,[0-9]{3})*(?:\\.[0-9]+)?|\\b(?i:\(words.joined(separator: "|"))|twenty)\\b)"
    private static let list = "\(number)(?:(?:, or | or | and |, | << )\(number))*"

    private static func values(_ text: Substring) -> [Double] {
        let numbers = text.lowercased().matches(of: /[0-9][0-9_]*(,[0-9]{3})*(\.[0-9]+)?|[a-z]+/).compactMap { match in
            let word = String(match.output.0)
            if word == "twenty" { return 20.0 }
            if let index = words.firstIndex(of: word) { return Double(index + 1) }
            return Double(word.filter { $0 != "_" && $0 != "," })
        }
        guard text.contains("<<"), numbers.count == 2 else { return numbers }
        return [numbers[0] * pow(2, numbers[1])]
    }
}
