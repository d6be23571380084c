import Foundation

/// The line that opens a fenced code block: three or more backticks or tildes, then the language.
struct Fence {
    let language: String
    private let mark: Character
    private let length: Int

    init?(_ line: String) {
        let text = line.trimmingCharacters(in: .whitespaces)
        guard let mark = text.first, mark == "`" || mark == "~" else { return nil }
        let length = text.prefix { $0 == mark }.count
        let info = text.dropFirst(length)
        // Backticks further on make it a line of inline code.
        guard length >= 3, mark == "~" || !info.contains(mark) else { return nil }
        self.mark = mark
        self.length = length
        language = info.split(separator: " ").first?.lowercased() ?? ""
    }

    func isClosed(by line: String) -> Bool {
        let text = line.trimmingCharacters(in: .whitespaces)
        return text.count >= length && text.allSatisfy { $0 == mark }
    }
}
