import Foundation

/// All that was measured.
struct BenchmarkReport: Codable, Sendable {
    let machine: Machine
    var cases: [CaseReport] = []

    var isGood: Bool { cases.allSatisfy { $0.failure == nil } }

    /// All cases in one table of Markdown.
    var summary: String {
        var table = TextTable(["case", "baseline µs", "Teapot µs", "ratio", "quartiles", "CPU ratio", "goal", ""])
        for report in cases {
            guard let outcome = report.outcome else {
                table.add([report.name, "", "", "", "", "", report.goal.text(digits: 2), "failed"])
                continue
            }
            table.add([
                report.name, outcome.figures.baseline.microseconds.median.text,
                outcome.figures.teapot.microseconds.median.text, outcome.ratio.median.text(digits: 3),
                outcome.ratio.rangeText(digits: 3), outcome.processorRatio.text(digits: 3),
                report.goal.text(digits: 2), outcome.isGoalReached ? "reached" : "not reached",
            ])
        }
        return table.markdown
    }
}
