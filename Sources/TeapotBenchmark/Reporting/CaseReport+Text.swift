extension CaseReport: CustomStringConvertible {
    var description: String {
        guard let outcome else { return "\(name): \(summary)\nfailed: \(failure ?? "nothing was measured")\n" }
        var table = TextTable(["", "µs/request", "quartiles", "requests/s", "CPU µs/request"])
        for side in Side.allCases {
            let figures = outcome.figures[side]
            table.add([
                side.title, figures.microseconds.median.text, figures.microseconds.rangeText,
                figures.requestsPerSecond.text(digits: 0), figures.processorMicroseconds.text,
            ])
        }
        return """
            \(name): \(summary)
            \(outcome.rounds.count) rounds of \(countText(outcome.requests)) requests

            \(table)

            ratio \(outcome.ratio.median.text(digits: 3)) (quartiles \(outcome.ratio.rangeText(digits: 3))), \
            CPU \(outcome.processorRatio.text(digits: 3)); \
            goal \(goal.text(digits: 2)): \(outcome.isGoalReached ? "reached" : "not reached")

            """
    }

    private func countText(_ requests: Sides<Int>) -> String {
        requests.baseline == requests.teapot
            ? "\(requests.teapot)" : "\(requests.baseline) (baseline) and \(requests.teapot) (Teapot)"
    }
}
