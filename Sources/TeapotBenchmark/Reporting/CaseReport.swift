/// What was measured of a case.
struct CaseReport: Codable, Sendable {
    /// One of the two sides.
    struct Figures: Codable, Sendable {
        /// Microseconds for a request; of the rounds.
        let microseconds: Quartiles
        let requestsPerSecond: Double
        /// Microseconds that the client's threads spent for a request; the median of the rounds.
        let processorMicroseconds: Double

        init(_ samples: [Sample]) {
            microseconds = Quartiles(samples.map { $0.seconds * 1e6 })
            requestsPerSecond = 1e6 / microseconds.median
            processorMicroseconds = Quartiles(samples.map { $0.processorSeconds * 1e6 }).median
        }
    }

    /// What came of it.
    struct Outcome: Codable, Sendable {
        /// How many requests there were in a round.
        let requests: Sides<Int>
        /// What one request took in each round.
        let rounds: [Sides<Sample>]
        let figures: Sides<Figures>
        /// The rounds' ratios of Teapot's time to the baseline's.
        let ratio: Quartiles
        /// The ratio of what the threads spent.
        let processorRatio: Double
        /// Calls of `malloc` and the like for a request; `nil` if they were not counted.
        var allocations: Sides<Double>?
        /// The most memory that a process with one request had, in bytes; `nil` if it was not measured.
        var peakMemory: Sides<Int>?

        init(requests: Sides<Int>, rounds: [Sides<Sample>]) {
            self.requests = requests
            self.rounds = rounds
            figures = Sides { side in Figures(rounds.map { $0[side] }) }
            ratio = Quartiles(rounds.map { $0.teapot.seconds / $0.baseline.seconds })
            processorRatio = figures.teapot.processorMicroseconds / figures.baseline.processorMicroseconds
        }
    }

    let name: String
    let summary: String
    /// The greatest ratio that is aimed at.
    let goal: Double?
    /// The most memory that Teapot's process is to have, in bytes.
    let peakMemoryGoal: Int?
    /// `nil` if it failed.
    private(set) var outcome: Outcome?
    /// Whether all goals are reached; `nil` if there are none, or no outcome.
    private(set) var isGoalReached: Bool?
    /// Why there is no outcome.
    private(set) var failure: String?

    init(_ measured: Case, _ result: Result<Outcome, any Error>) {
        name = measured.name
        summary = measured.summary
        goal = measured.goal
        peakMemoryGoal = measured.peakMemoryGoal
        switch result {
        case .success(let outcome):
            self.outcome = outcome
            isGoalReached = measured.goal.flatMap { goal in
                let isFast = outcome.ratio.median <= goal
                guard let most = measured.peakMemoryGoal else { return isFast }
                return outcome.peakMemory.map { isFast && $0.teapot <= most }
            }
        case .failure(let error):
            failure = error.explanation
        }
    }
}
