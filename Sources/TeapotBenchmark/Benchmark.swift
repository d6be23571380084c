import Foundation

/// Measures cases one after the other, and prints a report.
///
/// - Returns: Whether all of them could be measured. How fast they are is not judged.
func benchmark(_ arguments: Arguments) throws -> Bool {
    let server = try ServerProcess()
    defer { server.stop() }
    var report = BenchmarkReport(machine: .current)
    print("\(report.machine)\n")
    for measured in arguments.cases {
        let caseReport = CaseReport(measured, Result { try outcome(of: measured, from: server.baseURL, arguments) })
        ProgressLine.clear()
        print(caseReport)
        report.cases.append(caseReport)
    }
    print(report.summary)
    return report.isGood
}

private func outcome(of measured: Case, from server: URL, _ arguments: Arguments) throws -> CaseReport.Outcome {
    let rounds = arguments.rounds ?? measured.rounds
    let samples = try measured.measure(from: server, rounds: rounds, requests: arguments.requests) { number in
        ProgressLine.show("\(measured.name): round \(number) of \(rounds)")
    }
    return CaseReport.Outcome(
        rounds: samples,
        requests: Sides { measured.requests(of: $0, asked: arguments.requests) },
        goal: measured.goal
    )
}

/// Prints the names of all cases, with what they compare.
func listCases() {
    for measured in Case.all {
        let name = measured.name.padding(toLength: 18, withPad: " ", startingAt: 0)
        print("\(name)\(measured.summary); goal \(measured.goal.text(digits: 2))")
    }
}
