import Foundation
import Teapot

/// All that was measured.
struct BenchmarkReport: Codable, Sendable {
    let machine: Machine
    var cases: [CaseReport] = []

    var isGood: Bool { cases.allSatisfy { $0.failure == nil } }

    /// The ways that are compared with the baseline.
    var comparedSides: [Side] {
        let peers = cases.flatMap { $0.outcome?.ratios.all.map(\.side) ?? [] }.filter { !Side.own.contains($0) }
        return [.teapot, .curl] + Set(peers).sorted { $0.rawValue < $1.rawValue }
    }

    /// All cases in one table of Markdown.
    var summary: String {
        let sides = comparedSides
        var table = TextTable(
            ["case", "baseline µs"]
                + sides.flatMap { ["\($0.title) µs", "ratio", "quartiles", "CPU ratio"] } + ["goal", "result"]
        )
        for report in cases {
            let figures = report.outcome.map { outcome in
                [outcome.figures.baseline.microseconds.median.text] + sides.flatMap { Self.cells(of: $0, outcome) }
            }
            let goals = [report.goal?.text(digits: 2), report.peakMemoryGoal?.megabytes].compactMap { $0 }
            let results = [report.verdict, report.outcome?.peakMemory?.teapot.megabytes].compactMap { $0 }
            table.add(
                [report.name] + (figures ?? Array(repeating: "–", count: 1 + 4 * sides.count)) + [
                    goals.isEmpty ? "–" : goals.joined(separator: ", "), results.joined(separator: ", "),
                ]
            )
        }
        return table.markdown
    }

    private static func cells(of side: Side, _ outcome: CaseReport.Outcome) -> [String] {
        guard
            let figures = outcome.figures[side], let ratio = outcome.ratios[side],
            let processorRatio = outcome.processorRatios[side]
        else { return Array(repeating: "–", count: 4) }
        return [
            figures.microseconds.median.text, ratio.median.text(digits: 3), ratio.rangeText(digits: 3),
            processorRatio.text(digits: 3),
        ]
    }
}

/// The file of `--json`.
enum JSONFile {
    /// Writes a report, in place of what is there.
    ///
    /// - Throws: When the file cannot be written.
    static func write(_ report: some Encodable, to path: String?) throws {
        guard let path else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // The processor time can be too short to be measured.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "infinite",
            negativeInfinity: "-infinite",
            nan: "unknown"
        )
        do {
            try (encoder.encode(report) + Data("\n".utf8)).write(to: URL(fileURLWithPath: path))
        } catch {
            throw CaseFailure("\(path) cannot be written: \(error.explanation)")
        }
    }
}

/// The measurements of a case.
struct CaseReport: Codable, Sendable {
    /// One of the two sides.
    struct Figures: Codable, Sendable {
        /// Microseconds for a request; of the rounds.
        let microseconds: Quartiles
        let requestsPerSecond: Double
        /// Microseconds that the client's threads spent for a request; the median of the rounds.
        let processorMicroseconds: Double
        /// Of the calls, in microseconds; the median of the rounds, `nil` if they were not measured one by one.
        let median: Double?
        let percentile99: Double?

        init(_ samples: [Sample]) {
            microseconds = Quartiles(samples.map { $0.seconds * 1e6 })
            requestsPerSecond = 1e6 / microseconds.median
            processorMicroseconds = Quartiles(samples.map { $0.processorSeconds * 1e6 }).median
            let calls = samples.compactMap(\.calls)
            median = calls.isEmpty ? nil : Quartiles(calls.map { $0.median * 1e6 }).median
            percentile99 = calls.isEmpty ? nil : Quartiles(calls.map { $0.percentile99 * 1e6 }).median
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
            repeatedRounds = measured.repeated
            disturbedRounds = measured.disturbed
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
        var heading = [
            "", "µs/request", "quartiles", "requests/s", "CPU µs/request", "p50 µs", "p99 µs", "allocations/request",
        ]
        if outcome.peakMemory != nil { heading.append("peak memory") }
        var table = TextTable(heading)
        for (side, figures) in outcome.figures.all {
            var row = [
                side.title, figures.microseconds.median.text, figures.microseconds.rangeText,
                figures.requestsPerSecond.text, figures.processorMicroseconds.text, figures.median?.text ?? "–",
                figures.percentile99?.text ?? "–",
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
