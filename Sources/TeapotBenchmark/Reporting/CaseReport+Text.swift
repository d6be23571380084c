extension CaseReport: CustomStringConvertible {
    var description: String {
        guard let outcome else { return "\(name): \(summary)\nfailed: \(failure ?? "nothing was measured")\n" }
        return """
            \(name): \(summary)
            \(outcome.rounds.count) rounds of \(Self.text(of: outcome.requests)) requests

            \(Self.table(of: outcome))

            ratio \(outcome.ratio.median.text(digits: 3)) (quartiles \(outcome.ratio.rangeText(digits: 3))), \
            CPU \(outcome.processorRatio.text(digits: 3)); \(goalText)

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

    private static func table(of outcome: Outcome) -> TextTable {
        var heading = ["", "µs/request", "quartiles", "requests/s", "CPU µs/request", "allocations/request"]
        if outcome.peakMemory != nil { heading.append("peak memory") }
        var table = TextTable(heading)
        for side in Side.allCases {
            let figures = outcome.figures[side]
            var row = [
                side.title, figures.microseconds.median.text, figures.microseconds.rangeText,
                figures.requestsPerSecond.text, figures.processorMicroseconds.text,
                outcome.allocations.map { $0[side].text(digits: 0) } ?? "not counted",
            ]
            if let memory = outcome.peakMemory { row.append(memory[side].megabytes) }
            table.add(row)
        }
        return table
    }
}
