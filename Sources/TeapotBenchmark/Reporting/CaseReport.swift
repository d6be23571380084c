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
        /// What one request took in each round.
        let rounds: [Sides<Sample>]
        /// How many requests there were in a round.
        let requests: Sides<Int>
        let figures: Sides<Figures>
        /// The rounds' ratios of Teapot's time to the baseline's.
        let ratio: Quartiles
        /// The ratio of what the threads spent.
        let processorRatio: Double
        let isGoalReached: Bool

        init(rounds: [Sides<Sample>], requests: Sides<Int>, goal: Double) {
            self.rounds = rounds
            self.requests = requests
            figures = Sides { side in Figures(rounds.map { $0[side] }) }
            ratio = Quartiles(rounds.map { $0.teapot.seconds / $0.baseline.seconds })
            processorRatio = figures.teapot.processorMicroseconds / figures.baseline.processorMicroseconds
            isGoalReached = ratio.median <= goal
        }
    }

    let name: String
    let summary: String
    /// The greatest ratio that is aimed at.
    let goal: Double
    /// `nil` if it failed.
    private(set) var outcome: Outcome?
    /// Why there is no outcome.
    private(set) var failure: String?

    init(_ measured: Case, _ result: Result<Outcome, any Error>) {
        name = measured.name
        summary = measured.summary
        goal = measured.goal
        switch result {
        case .success(let outcome): self.outcome = outcome
        case .failure(let error): failure = "\(error)"
        }
    }
}
