import Foundation

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
