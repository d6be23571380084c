/// Rows of columns, the first flush left and the others flush right.
struct TextTable: CustomStringConvertible {
    private var rows: [[String]]

    init(_ heading: [String]) {
        rows = [heading]
    }

    mutating func add(_ row: [String]) {
        rows.append(row)
    }

    /// For reading in a terminal.
    var description: String {
        let widths = widths
        return rows.map { row in
            zip(row, widths).enumerated().map { index, cell in Self.padded(cell.0, to: cell.1, isLeft: index == 0) }
                .joined(separator: "  ")
        }.joined(separator: "\n")
    }

    /// As a table of Markdown.
    var markdown: String {
        let marks = (rows.first ?? []).indices.map { $0 == 0 ? "---" : "---:" }
        var lines = rows
        lines.insert(marks, at: min(1, lines.count))
        return lines.map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
    }

    private var widths: [Int] {
        (rows.first ?? []).indices.map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
    }

    private static func padded(_ text: String, to width: Int, isLeft: Bool) -> String {
        let space = String(repeating: " ", count: max(0, width - text.count))
        return isLeft ? text + space : space + text
    }
}
