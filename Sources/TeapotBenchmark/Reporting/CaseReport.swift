import Foundation

/// The measurements of a case.
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

    /// The result of the case.
    struct Outcome: Codable, Sendable {
        /// How many requests there were in a round.
        let requests: Sides<Int>
        /// The cost of one request in each round.
        let rounds: [Sides<Sample>]
        /// How many rounds the machine disturbed: those that were measured again, and those that count nevertheless.
        let repeatedRounds: Int
        let disturbedRounds: Int
        let figures: Sides<Figures>
        /// The rounds' ratios of the time to the baseline's.
        let ratios: Sides<Quartiles>
        /// The ratios of what the threads spent.
        let processorRatios: Sides<Double>
        /// Calls of `malloc` and the like for a request; `nil` if they were not counted.
        var allocations: Sides<Double>?
        /// The most memory that a process with one request had, in bytes; `nil` if it was not measured.
        var peakMemory: Sides<Int>?

        init(requests: Sides<Int>, _ measured: Rounds<Sides<Sample>>) {
            self.requests = requests
            let rounds = measured.values
            self.rounds = rounds
            (repeatedRounds, disturbedRounds) = (measured.repeated, measured.disturbed)
            let figures = requests.map { side, _ in Figures(rounds.compactMap { $0[side] }) }
            self.figures = figures
            ratios = requests.map { side, _ in
                Quartiles(rounds.compactMap { round in round[side].map { $0.seconds / round.baseline.seconds } })
            }
            processorRatios = figures.map { _, own in
                own.processorMicroseconds / figures.baseline.processorMicroseconds
            }
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
    /// The reason for a missing outcome.
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
                let isFast = outcome.ratios.teapot.median <= goal
                guard let most = measured.peakMemoryGoal else { return isFast }
                return outcome.peakMemory.map { isFast && $0.teapot <= most }
            }
        case .failure(let error):
            failure = error.explanation
        }
    }
}

extension CaseReport: CustomStringConvertible {
    var description: String {
        guard let outcome else { return "\(name): \(summary)\nfailed: \(failure ?? "nothing was measured")\n" }
        return """
            \(name): \(summary)
            \(outcome.rounds.count) rounds of \(Self.text(of: outcome.requests)) requests\(Self.disturbance(of: outcome))

            \(Self.table(of: outcome))

            \(Self.ratioText(of: outcome))
            \(goalText)

            """
    }

    /// Whether the goals are reached, in a word or two.
    var verdict: String {
        guard failure == nil else { return "failed" }
        return isGoalReached.map { $0 ? "reached" : "not reached" } ?? "–"
    }

    private var goalText: String {
        guard let goal else { return "no goal" }
        let memory = peakMemoryGoal.map { " and \($0.megabytes)" } ?? ""
        return "goal \(goal.text(digits: 2))\(memory): \(verdict)"
    }

    private static func text(of requests: Sides<Int>) -> String {
        requests.baseline == requests.teapot
            ? "\(requests.teapot)" : "\(requests.baseline) (baseline) and \(requests.teapot) (Teapot)"
    }

    private static func disturbance(of outcome: Outcome) -> String {
        guard outcome.repeatedRounds > 0 else { return "" }
        let kept = outcome.disturbedRounds > 0 ? ", disturbed and counted: \(outcome.disturbedRounds)" : ""
        return "; disturbed and measured again: \(outcome.repeatedRounds)\(kept)"
    }

    private static func ratioText(of outcome: Outcome) -> String {
        outcome.ratios.all.filter { $0.side != .baseline }.map { side, ratio in
            let processor = outcome.processorRatios[side]?.text(digits: 3) ?? ""
            return
                "\(side.title): ratio \(ratio.median.text(digits: 3)) (quartiles \(ratio.rangeText(digits: 3))), CPU \(processor)"
        }.joined(separator: "\n")
    }

    private static func table(of outcome: Outcome) -> TextTable {
        var heading = ["", "µs/request", "quartiles", "requests/s", "CPU µs/request", "allocations/request"]
        if outcome.peakMemory != nil { heading.append("peak memory") }
        var table = TextTable(heading)
        for (side, figures) in outcome.figures.all {
            var row = [
                side.title, figures.microseconds.median.text, figures.microseconds.rangeText,
                figures.requestsPerSecond.text, figures.processorMicroseconds.text,
                outcome.allocations.flatMap { $0[side]?.text(digits: 0) } ?? "not counted",
            ]
            if let memory = outcome.peakMemory { row.append(memory[side]?.megabytes ?? "") }
            table.add(row)
        }
        return table
    }
}

extension Double {
    /// With as many digits as are worth reading.
    var text: String { text(digits: abs(self) < 10 ? 2 : abs(self) < 1_000 ? 1 : 0) }

    func text(digits: Int) -> String { String(format: "%.\(digits)f", self) }
}

extension Quartiles {
    var rangeText: String { "\(lower.text) … \(upper.text)" }

    func rangeText(digits: Int) -> String { "\(lower.text(digits: digits)) … \(upper.text(digits: digits))" }
}

extension Int {
    /// So many bytes.
    var megabytes: String { "\((Double(self) / 1e6).text(digits: 1)) MB" }
}
