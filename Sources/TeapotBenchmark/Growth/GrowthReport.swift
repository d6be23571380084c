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
            isTimeLinear = points.map { GrowthVerdict.isTimeLinear($1, from: axis.firstTimed) }
            isPeakMemoryLinear = points.map { GrowthVerdict.isMemoryLinear($1, \.peakMemory) }
            isResidentMemoryLinear = points.map { GrowthVerdict.isMemoryLinear($1, \.residentMemory) }
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
        for (side, _) in points.all { heading += ["\(side.title) µs/request", "peak KB", "resident KB"] }
        var table = TextTable(heading)
        for (baseline, teapot) in zip(points.baseline, points.teapot) {
            let cells = [baseline, teapot].flatMap { point in
                [point.microseconds.text]
                    + [point.peakMemory, point.residentMemory].map { $0.map { "\($0 >> 10)" } ?? "unknown" }
            }
            table.add(["\(baseline.count)"] + cells)
        }
        let verdicts = points.all.flatMap { side, _ in
            [
                verdict("time", isTimeLinear[side], side),
                verdict("peak memory", isPeakMemoryLinear[side] ?? nil, side),
                verdict("resident memory", isResidentMemoryLinear[side] ?? nil, side),
            ]
        }
        return "\(table.markdown)\n\n\(verdicts.joined(separator: "\n"))\n"
    }

    private func verdict(_ figure: String, _ isLinear: Bool?, _ side: Side) -> String {
        let text = isLinear.map { $0 ? "no faster than linearly" : "FASTER THAN LINEARLY" } ?? "unknown"
        return "\(side.title), \(figure): \(text)"
    }
}

/// Whether a figure grows faster than linearly.
enum GrowthVerdict {
    /// How many times as much as before still counts as the same.
    static let tolerance = 2.0
    /// Memory that comes and goes by chance, in bytes.
    static let memoryNoise = 2_000_000.0

    /// Whether the time for one request stays: at no point more than twice the least of the points before.
    ///
    /// Were the time for all requests to grow with their square, it would be ten times as much at each point.
    static func isTimeLinear(_ points: [GrowthPoint], from first: Int) -> Bool {
        var least = Double.infinity
        return points.filter { $0.count >= first }.allSatisfy { point in
            defer { least = min(least, point.microseconds) }
            return point.microseconds <= least * tolerance
        }
    }

    /// Whether memory grows by no more for each request than before: between two points by no more than twice what it grew
    /// by between the two before them, where less than the noise counts as that much.
    ///
    /// - Returns: `nil` if memory is not known.
    static func isMemoryLinear(_ points: [GrowthPoint], _ memory: (GrowthPoint) -> Int?) -> Bool? {
        let known = points.compactMap { point in memory(point).map { (count: Double(point.count), bytes: Double($0)) } }
        guard known.count == points.count else { return nil }
        var before = Double.infinity
        return zip(known, known.dropFirst()).allSatisfy { previous, point in
            let requests = point.count - previous.count
            let growth = point.bytes - previous.bytes
            defer { before = max(growth, memoryNoise) / requests }
            return growth / requests <= before * tolerance
        }
    }
}
