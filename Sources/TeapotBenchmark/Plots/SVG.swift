import Foundation

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
        (self.width, self.height) = (width, height)
    }

    static func color(_ index: Int) -> String { palette[index % palette.count] }

    mutating func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ color: String, width: Double = 1) {
        elements.append(
            #"<path d="M\#(x1.place) \#(y1.place)L\#(x2.place) \#(y2.place)" stroke="\#(color)" stroke-width="\#(width)"/>"#
        )
    }

    mutating func lines(_ points: [(x: Double, y: Double)], _ color: String) {
        for (first, last) in zip(points, points.dropFirst()) { line(first.x, first.y, last.x, last.y, color, width: 2) }
        for point in points {
            elements.append(#"<circle cx="\#(point.x.place)" cy="\#(point.y.place)" r="3" fill="\#(color)"/>"#)
        }
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
        (self.start, self.end) = (start, end)
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
