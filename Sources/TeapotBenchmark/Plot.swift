import Foundation

extension BenchmarkReport {
    private static let barHeight = 14.0
    private static let gap = 14.0

    /// The ratios of all cases to the baseline as bars with quartiles: to the left what is faster, to the right what is slower.
    var plot: SVG {
        let sides = comparedSides
        let rows = cases.compactMap { report in
            report.outcome.map { outcome in
                let bars = sides.enumerated().compactMap { index, side in outcome.ratios[side].map { (index, $0) } }
                return (name: report.name, bars: bars)
            }
        }
        let bars = rows.flatMap(\.bars).map(\.1)
        let scale = LogScale([1] + bars.flatMap { [$0.lower, $0.upper] }, from: 150, to: 730)
        let top = 60.0
        let height = rows.reduce(0) { $0 + Double($1.bars.count) * Self.barHeight + Self.gap }
        var svg = SVG(width: 800, height: top + height + 50)
        svg.legend(sides.map(\.title), 150, 22)
        for mark in scale.marks {
            let x = scale.place(mark)
            svg.line(x, top - 8, x, top + height, mark == 1 ? "#222" : "#ddd")
            svg.text(x, top - 14, LogScale.text(mark), .middle)
        }
        var y = top
        for row in rows {
            svg.text(140, y + Double(row.bars.count) * Self.barHeight / 2 + 4, row.name, .end)
            for (side, ratio) in row.bars {
                let ends = [scale.place(1), scale.place(ratio.median)].sorted()
                svg.rectangle(ends[0], y + 1, ends[1] - ends[0], Self.barHeight - 2, SVG.color(side))
                let (lower, upper) = (scale.place(ratio.lower), scale.place(ratio.upper))
                let middle = y + Self.barHeight / 2
                svg.line(lower, middle, upper, middle, "#222")
                for end in [lower, upper] { svg.line(end, middle - 3, end, middle + 3, "#222") }
                svg.text(740, middle + 4, ratio.median.text(digits: 3))
                y += Self.barHeight
            }
            y += Self.gap
        }
        svg.text(150, top + height + 18, "time as a ratio to the baseline, median and quartiles; faster is left")
        svg.text(150, top + height + 36, machine.description, color: "#777")
        return svg
    }
}

/// A drawing as an SVG document, with the origin at the upper left.
struct SVG: CustomStringConvertible {
    enum Anchor: String {
        case start, middle, end
    }

    /// A color for each way of a case.
    private static let palette = ["#2a6f97", "#e9a03b", "#6a994e", "#bc4749", "#7b5ea7", "#8d99ae"]

    let width: Double
    let height: Double
    private var elements: [String] = []

    init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    static func color(_ index: Int) -> String { palette[index % palette.count] }

    mutating func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ color: String) {
        elements.append(
            #"<path d="M\#(x1.place) \#(y1.place)L\#(x2.place) \#(y2.place)" stroke="\#(color)"/>"#
        )
    }

    mutating func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ color: String) {
        elements.append(
            #"<rect x="\#(x.place)" y="\#(y.place)" width="\#(width.place)" height="\#(height.place)" fill="\#(color)"/>"#
        )
    }

    mutating func text(_ x: Double, _ y: Double, _ text: String, _ anchor: Anchor = .start, color: String = "#222") {
        let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        elements.append(
            #"<text x="\#(x.place)" y="\#(y.place)" text-anchor="\#(anchor.rawValue)" fill="\#(color)">\#(escaped)</text>"#
        )
    }

    /// Explains the colors, in one row.
    mutating func legend(_ titles: [String], _ x: Double, _ y: Double) {
        var x = x
        for (index, title) in titles.enumerated() {
            rectangle(x, y - 10, 12, 12, Self.color(index))
            text(x + 18, y, title)
            x += 40 + 7 * Double(title.count)
        }
    }

    var description: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="\(width.place)" height="\(height.place)" \
        viewBox="0 0 \(width.place) \(height.place)" font-family="sans-serif" font-size="12">
        <rect width="100%" height="100%" fill="#fff"/>
        \(elements.joined(separator: "\n"))
        </svg>

        """
    }

    /// Writes the drawing, in place of what is there.
    ///
    /// - Throws: When the file cannot be written.
    func write(to path: String) throws {
        do {
            try Data(description.utf8).write(to: URL(fileURLWithPath: path))
        } catch {
            throw CaseFailure("\(path) cannot be written: \(error.explanation)")
        }
    }
}

extension Double {
    /// A coordinate, short, and with a point in every language.
    fileprivate var place: String { "\((self * 10).rounded() / 10)" }
}

/// A logarithmic axis, with marks at 1, 2 and 5 times powers of ten.
struct LogScale {
    /// The marks, the first and the last of which enclose all values.
    let marks: [Double]
    private let start: Double
    private let end: Double

    /// - Parameters:
    ///   - values: The values; those that are not positive have no place.
    ///   - start: The coordinate of the first mark.
    ///   - end: The coordinate of the last mark.
    init(_ values: [Double], from start: Double, to end: Double) {
        let known = values.filter { $0 > 0 && $0.isFinite }
        let all = (-9...12).flatMap { exponent in [1, 2, 5].map { $0 * pow(10, Double(exponent)) } }
        let first = all.last { $0 <= (known.min() ?? 1) } ?? 1
        let last = all.first { $0 >= (known.max() ?? 1) && $0 > first } ?? 2 * first
        marks = all.filter { (first...last).contains($0) }
        self.start = start
        self.end = end
    }

    /// The coordinate of a value, between the ends.
    func place(_ value: Double) -> Double {
        guard let first = marks.first, let last = marks.last, last > first, !value.isNaN else { return start }
        let part = log(max(value, first) / first) / log(last / first)
        return start + (end - start) * min(part, 1)
    }

    /// A mark as text.
    static func text(_ mark: Double) -> String { String(format: "%g", mark) }
}
