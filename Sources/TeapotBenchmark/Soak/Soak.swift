import LoopbackServer
import Teapot
import TestSupport

/// Sends many requests of all kinds, several at once, and prints what became of them and what the process holds meanwhile.
///
/// - Returns: Whether every call came to what it was to come to, and, if there were enough of them, nothing grew.
func soak(_ arguments: Arguments) async throws -> Bool {
    let requests = arguments.requests ?? 50_000
    let server = try ServerProcess()
    defer { server.stop() }
    let client = try SoakClient(server: server.baseURL)
    let (calls, connecting) = arguments.isPlain ? SoakCall.plain(from: server.baseURL) : SoakCall.mixed
    var generator = SeededGenerator(seed: UInt64(arguments.seed))
    let drawn = (0..<requests).map { _ in SoakCall.any(of: calls, using: &generator) }
    var report = SoakReport(requests: requests)
    print("\(drawn.count) requests, \(SoakClient.width) at once, seed \(arguments.seed)\n\n\(SoakReport.heading)")
    let start = ContinuousClock.now
    for point in 1...SoakReport.pointCount {
        let end = drawn.count * point / SoakReport.pointCount
        report.add(await client.make(drawn[(drawn.count * (point - 1) / SoakReport.pointCount)..<end]))
        // Some connections stay open, and how many the calls before have left is chance: have all of them open.
        _ = await client.make(Array(repeating: connecting, count: SoakClient.connections)[...])
        if let resources = ProcessResources.current { print(report.add(resources, after: end)) }
    }
    report.seconds = (ContinuousClock.now - start) / .seconds(1)
    report.addLateCompletions(client.lateCompletions.withLock { $0 })
    print(report)
    return report.isGood
}

extension SoakCall {
    /// A kind, each as often as its share says.
    fileprivate static func any(of calls: [SoakCall], using generator: inout SeededGenerator) -> SoakCall {
        var place = Int.random(in: 0..<calls.reduce(0) { $0 + $1.share }, using: &generator)
        return calls.first { call in
            place -= call.share
            return place < 0
        } ?? calls[0]
    }
}

extension SoakClient {
    /// Makes calls, each as soon as there is room.
    ///
    /// - Parameter calls: The calls, whose indices are their numbers.
    /// - Returns: What they came to. Nothing is under way any more.
    fileprivate func make(_ calls: ArraySlice<SoakCall>) async -> [SoakCall.Outcome] {
        await withTaskGroup(of: SoakCall.Outcome.self) { group in
            var outcomes: [SoakCall.Outcome] = []
            for (index, call) in zip(calls.indices, calls) {
                if index - calls.startIndex >= Self.width, let outcome = await group.next() { outcomes.append(outcome) }
                group.addTask { await call.outcome(self, index) }
            }
            for await outcome in group { outcomes.append(outcome) }
            return outcomes
        }
    }
}
