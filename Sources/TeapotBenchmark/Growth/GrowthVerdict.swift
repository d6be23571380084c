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
