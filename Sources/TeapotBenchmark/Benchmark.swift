import Foundation

/// Measures cases one after the other, and prints a report.
///
/// - Returns: Whether all of them could be measured. How fast they are is not judged.
func benchmark(_ arguments: Arguments) throws -> Bool {
    let peers = try arguments.peersPath.map { try Peer.all(in: $0) } ?? []
    // The server inherits the cores of this process.
    let cores = arguments.isUnpinned ? [] : Cores.allowed
    let isPinned = cores.count > 1 && Cores.pin(to: cores.dropLast())
    let server = try BenchmarkServer(arguments)
    defer { server.stop() }
    var machine = Machine.current
    if isPinned, let core = cores.last, Cores.pin(to: [core]) { machine.clientCore = core }
    var report = BenchmarkReport(machine: machine)
    // Now, as well, and after each case: better no wait for nothing, and nothing lost.
    try arguments.write(report, report.plot)
    print("\(report.machine)\n")
    for (index, measured) in arguments.cases.map({ $0.adding(peers) }).enumerated() {
        func progress(_ text: String) {
            ProgressLine.show("[\(index + 1)/\(arguments.cases.count)] \(measured.name): \(text)")
        }
        let outcome = Result { try measured.outcome(from: server.baseURL, arguments, progress) }
        let caseReport = CaseReport(measured, outcome)
        ProgressLine.clear()
        print(caseReport)
        // A file or a pipe gets it at once, too.
        fflush(nil)
        report.cases.append(caseReport)
        try arguments.write(report, report.plot)
    }
    print(report.summary)
    return report.isGood
}

extension Arguments {
    /// Writes the files that were asked for.
    func write(_ report: some Encodable, _ plot: @autoclosure () -> SVG) throws {
        try JSONFile.write(report, to: jsonPath)
        if let plotPath { try plot().write(to: plotPath) }
    }
}

extension Case {
    /// How often memory is looked at, in processes of their own.
    private static let childRunCount = 3

    fileprivate func outcome(
        from server: URL,
        _ arguments: Arguments,
        _ progress: (String) -> Void
    ) throws -> CaseReport.Outcome {
        let rounds = arguments.rounds ?? rounds
        let measured = try measure(from: server, rounds: rounds, arguments) { number in
            progress(number == 0 ? "warming up" : "round \(number) of \(rounds)")
        }
        var outcome = CaseReport.Outcome(
            requests: makers.map { side, _ in requests(of: side, asked: arguments.requests) },
            measured
        )
        if let count = allocationRequests {
            progress("allocations")
            let count = min(count, arguments.requests ?? count)
            outcome.allocations = try Allocations.perRequest(
                of: self,
                from: server,
                requests: count,
                runs: min(rounds, Self.childRunCount)
            )
        }
        if peakMemoryGoal != nil {
            progress("memory")
            outcome.peakMemory = try peakMemory(from: server, runs: min(rounds, Self.childRunCount))
        }
        return outcome
    }

    /// The most that processes with one request had; `nil` where the system does not say.
    private func peakMemory(from server: URL, runs: Int) throws -> Sides<Int>? {
        let peaks = try makers.own.map { side, _ in
            try naming(side) {
                try (0..<runs).compactMap { _ in
                    try ChildProcess.run(name, side, from: server, requests: 1).figures.peakMemory
                }.max()
            }
        }
        guard peaks.all.allSatisfy({ $0.value != nil }) else { return nil }
        return peaks.map { _, peak in peak ?? 0 }
    }
}

/// Prints the names of all cases, with what they compare.
func listCases() {
    var table = TextTable(["case", "what it compares", "goal"], leading: 2)
    for measured in Case.all {
        let goals = [measured.goal?.text(digits: 2), measured.peakMemoryGoal?.megabytes].compactMap { $0 }
        table.add([measured.name, measured.summary, goals.isEmpty ? "–" : goals.joined(separator: ", ")])
    }
    print(table)
}
