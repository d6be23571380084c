/// Rows of columns, the first ones flush left and the others flush right.
struct TextTable: CustomStringConvertible {
    private var rows: [[String]]
    /// How many columns are flush left.
    private let leading: Int

    init(_ heading: [String], leading: Int = 1) {
        rows = [heading]
        self.leading = leading
    }

    mutating func add(_ row: [String]) {
        rows.append(row)
    }

    /// For reading in a terminal.
    var description: String {
        let widths = widths
        return rows.map { row in
            zip(row, widths).enumerated().map { $1.0.padded(to: $1.1, isLeft: $0 < leading) }
                .joined(separator: "  ")
        }.joined(separator: "\n")
    }

    /// As a table of Markdown.
    var markdown: String {
        let marks = (rows.first ?? []).indices.map { $0 < leading ? "---" : "---:" }
        var lines = rows
        lines.insert(marks, at: min(1, lines.count))
        return lines.map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
    }

    private var widths: [Int] {
        (rows.first ?? []).indices.map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
    }
}

extension String {
    /// With spaces, flush right or left.
    func padded(to width: Int, isLeft: Bool = false) -> String {
        let space = String(repeating: " ", count: max(0, width - count))
        return isLeft ? self + space : space + self
    }
}
