import Foundation

/// All that was measured.
struct BenchmarkReport: Codable, Sendable {
    let machine: Machine
    var cases: [CaseReport] = []

    var isGood: Bool { cases.allSatisfy { $0.failure == nil } }

    /// All cases in one table of Markdown.
    var summary: String {
        var table = TextTable(["case", "baseline µs", "Teapot µs", "ratio", "quartiles", "CPU ratio", "goal", "result"])
        for report in cases {
            let figures = report.outcome.map { outcome in
                [
                    outcome.figures.baseline.microseconds.median.text, outcome.figures.teapot.microseconds.median.text,
                    outcome.ratio.median.text(digits: 3), outcome.ratio.rangeText(digits: 3),
                    outcome.processorRatio.text(digits: 3),
                ]
            }
            let goals = [report.goal?.text(digits: 2), report.peakMemoryGoal?.megabytes].compactMap { $0 }
            let results = [report.verdict, report.outcome?.peakMemory?.teapot.megabytes].compactMap { $0 }
            table.add(
                [report.name] + (figures ?? Array(repeating: "–", count: 5)) + [
                    goals.isEmpty ? "–" : goals.joined(separator: ", "), results.joined(separator: ", "),
                ]
            )
        }
        return table.markdown
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
        // What was spent can be too little to be seen.
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
