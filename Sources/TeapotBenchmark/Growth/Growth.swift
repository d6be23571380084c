import Foundation

/// Looks how time and memory grow with the number of requests, at once and one after the other, and prints tables of it.
///
/// - Returns: Whether all of it could be measured.
func growth(_ arguments: Arguments) throws -> Bool {
    let server = try BenchmarkServer(arguments)
    defer { server.stop() }
    let most = arguments.requests ?? 100_000
    var report = GrowthReport(machine: .current)
    try JSONFile.write(report, to: arguments.jsonPath)
    print("\(report.machine)\n")
    for axis in GrowthAxis.allCases {
        let series = try Sides { side in
            try axis.counts(upTo: most).map { count in
                ProgressLine.show("\(side.title): \(count) \(axis.title)")
                return try axis.point(count, side, from: server.baseURL, upTo: most)
            }
        }
        ProgressLine.clear()
        let part = GrowthReport.Part(axis: axis, points: series)
        print(part)
        fflush(nil)
        report.parts.append(part)
        try JSONFile.write(report, to: arguments.jsonPath)
    }
    print(GrowthReport.rules)
    return true
}

extension GrowthAxis {
    /// Powers of ten.
    fileprivate func counts(upTo most: Int) -> [Int] {
        let end = min(most, largest)
        return sequence(first: 1) { $0 * 10 <= end ? $0 * 10 : nil }.map { $0 }
    }

    fileprivate func point(_ count: Int, _ side: Side, from server: URL, upTo most: Int) throws -> GrowthPoint {
        let requests = self == .inFlight ? max(count, min(most, Self.requestsInFlight)) : count
        let child: ChildProcess.Figures
        do {
            child = try ChildProcess.run(caseName(count), side, from: server, requests: requests).figures
        } catch {
            throw CaseFailure("\(count) \(title), \(side.title): \(error.explanation)")
        }
        return GrowthPoint(
            count: count,
            requests: requests,
            microseconds: child.sample.seconds * 1e6 / Double(requests),
            processorMicroseconds: child.sample.processorSeconds * 1e6 / Double(requests),
            peakMemory: child.peakMemory,
            residentMemory: child.residentMemory
        )
    }
}
