import Foundation

extension Case {
    /// Measures rounds in which the ways take turns; who begins alternates, so that none gains by its place.
    ///
    /// A round that is not measured comes first: connections are made there, and code is loaded.
    ///
    /// - Parameters:
    ///   - server: The URL below which the ``SampleFiles`` are.
    ///   - rounds: How many rounds to measure.
    ///   - requests: What `--requests` says.
    ///   - progress: Called before each round, with its number; the one that is not measured is 0.
    /// - Returns: What one request took in each round.
    /// - Throws: ``CaseFailure`` when a request does not come to what it should.
    func measure(
        from server: URL,
        rounds: Int,
        requests: Int?,
        progress: (Int) -> Void
    ) throws -> [Sides<Sample>] {
        let workloads = try makers.map { side, make in try naming(side) { try make(server) } }
        defer { for (_, workload) in workloads.all { workload.end() } }
        return try (0...rounds).map { number in
            progress(number)
            return try workloads.map(turnedRound: number.isMultiple(of: 2)) { side, workload in
                let count = self.requests(of: side, asked: requests)
                return try naming(side) { try workload.run(count) }.divided(by: count)
            }
        }.suffix(rounds)
    }

    /// Says which side it was that failed.
    func naming<Value>(_ side: Side, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            throw CaseFailure("\(side.title): \(error.explanation)")
        }
    }
}
