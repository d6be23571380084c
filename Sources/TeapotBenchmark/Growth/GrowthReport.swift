/// How time and memory grow.
struct GrowthReport: Codable, Sendable {
    /// With one of the two.
    struct Part: Codable, Sendable {
        let axis: GrowthAxis
        let points: Sides<[GrowthPoint]>
        /// Whether none of them grows faster than linearly.
        let isTimeLinear: Sides<Bool>
        /// `nil` where memory is not known.
        let isPeakMemoryLinear: Sides<Bool?>
        let isResidentMemoryLinear: Sides<Bool?>

        init(axis: GrowthAxis, points: Sides<[GrowthPoint]>) {
            self.axis = axis
            self.points = points
            isTimeLinear = Sides { GrowthVerdict.isTimeLinear(points[$0], from: axis.firstTimed) }
            isPeakMemoryLinear = Sides { GrowthVerdict.isMemoryLinear(points[$0], \.peakMemory) }
            isResidentMemoryLinear = Sides { GrowthVerdict.isMemoryLinear(points[$0], \.residentMemory) }
        }
    }

    static let rules = """
        Each line is a process of its own; where requests are in flight it makes 4,000 of them, or as many as were asked for.
        Time grows faster than linearly where a request takes more than twice the least of the lines above; fewer than 100
        requests, which are the first of a process, say nothing about that. Memory does where it grows, for each more, by
        more than twice what it grew by between the two lines before; less than 2 MB there is chance, and counts as 2 MB.
        """

    let machine: Machine
    var parts: [Part] = []
}

extension GrowthReport.Part: CustomStringConvertible {
    var description: String {
        var heading = [axis.title]
        for side in Side.allCases { heading += ["\(side.title) µs/request", "peak KB", "resident KB"] }
        var table = TextTable(heading)
        for (baseline, teapot) in zip(points.baseline, points.teapot) {
            let cells = [baseline, teapot].flatMap { point in
                [point.microseconds.text]
                    + [point.peakMemory, point.residentMemory].map { $0.map { "\($0 >> 10)" } ?? "unknown" }
            }
            table.add(["\(baseline.count)"] + cells)
        }
        let verdicts = Side.allCases.flatMap { side in
            [
                verdict("time", isTimeLinear[side], side),
                verdict("peak memory", isPeakMemoryLinear[side], side),
                verdict("resident memory", isResidentMemoryLinear[side], side),
            ]
        }
        return "\(table.markdown)\n\n\(verdicts.joined(separator: "\n"))\n"
    }

    private func verdict(_ figure: String, _ isLinear: Bool?, _ side: Side) -> String {
        let text = isLinear.map { $0 ? "no faster than linearly" : "FASTER THAN LINEARLY" } ?? "unknown"
        return "\(side.title), \(figure): \(text)"
    }
}
