import Foundation

/// Measures against a server of its own, and prints a report.
func benchmark(_ arguments: Arguments) throws {
    let server = try ServerProcess()
    defer { server.stop() }
    let measured = Case.sequentialGet(from: server.baseURL)
    let report = Report(
        name: measured.name,
        rounds: try measured.measure(rounds: arguments.rounds, requests: arguments.requests),
        requests: arguments.requests,
        cores: ProcessInfo.processInfo.activeProcessorCount
    )
    print(report)
}
