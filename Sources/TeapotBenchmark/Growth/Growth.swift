import Foundation

/// Looks how time and memory grow with the number of requests, at once and one after the other, and prints tables of it.
///
/// - Returns: Whether all of it could be measured.
func growth(_ arguments: Arguments) throws -> Bool {
    let server = try BenchmarkServer(arguments)
    defer { server.stop() }
    let most = arguments.requests ?? 100_000
    var report = GrowthReport(machine: .current)
    try arguments.write(report, report.plot)
    print("\(report.machine)\n")
    for axis in GrowthAxis.allCases {
        let series = try Sides(baseline: Side.baseline, teapot: .teapot).map { side, _ in
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
        try arguments.write(report, report.plot)
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

/// The quantity with which time and memory may grow.
enum GrowthAxis: String, CaseIterable, Codable, Sendable {
    /// How many requests are under way at once.
    case inFlight
    /// How many requests are made, one after the other.
    case requests

    /// How many requests tell the time of one, however many are under way at once.
    static let requestsInFlight = 4_000

    var title: String {
        switch self {
        case .inFlight: "in flight"
        case .requests: "requests"
        }
    }

    /// No more are tried.
    var largest: Int {
        switch self {
        case .inFlight: 1_000
        case .requests: 100_000
        }
    }

    /// From so many on the time of a request says something: before, it is that of the first ones of a process.
    var firstTimed: Int {
        switch self {
        case .inFlight: 1
        case .requests: 100
        }
    }

    /// The case that makes the requests.
    func caseName(_ count: Int) -> String {
        self == .requests || count == 1 ? "get" : "get-\(count)"
    }
}

/// The time and memory of one child process.
struct GrowthPoint: Codable, Sendable {
    /// The quantity that grows: concurrent requests, or all requests.
    let count: Int
    /// How many were made.
    let requests: Int
    /// For each request.
    let microseconds: Double
    let processorMicroseconds: Double
    /// The most memory that it ever had, and what it had at the end, in bytes; `nil` where the system does not say.
    let peakMemory: Int?
    let residentMemory: Int?
}
