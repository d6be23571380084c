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

extension GrowthReport {
    /// Time and memory as lines, with both axes logarithmic.
    var plot: SVG {
        let sides = parts.first?.points.all.map(\.side) ?? []
        var svg = SVG(width: 860, height: 70 + 300 * Double(parts.count))
        svg.legend(sides.map(\.title), 60, 22)
        for (row, part) in parts.enumerated() {
            let y = 50 + 300 * Double(row)
            Self.draw(part, "µs/request", { $0.microseconds }, into: &svg, 60, y)
            Self.draw(part, "peak MB", { $0.peakMemory.map { Double($0) / 1e6 } }, into: &svg, 490, y)
        }
        svg.text(60, svg.height - 10, machine.description, color: "#777")
        return svg
    }

    private static func draw(
        _ part: Part,
        _ title: String,
        _ figure: (GrowthPoint) -> Double?,
        into svg: inout SVG,
        _ x: Double,
        _ y: Double
    ) {
        let counts = part.points.baseline.map { Double($0.count) }
        let across = LogScale(counts, from: x, to: x + 340)
        let up = LogScale(part.points.all.flatMap { $0.value.compactMap(figure) }, from: y + 230, to: y + 20)
        svg.text(x, y + 4, title)
        for mark in up.marks {
            svg.line(x, up.place(mark), x + 340, up.place(mark), "#ddd")
            svg.text(x - 6, up.place(mark) + 4, LogScale.text(mark), .end)
        }
        for count in counts { svg.text(across.place(count), y + 248, "\(Int(count))", .middle) }
        svg.text(x + 170, y + 266, part.axis.title, .middle)
        for (index, (_, points)) in part.points.all.enumerated() {
            let places = points.compactMap { point in
                figure(point).map { (across.place(Double(point.count)), up.place($0)) }
            }
            svg.lines(places, SVG.color(index))
        }
    }
}
