import Foundation
import TestSupport

/// The printed result of a soak.
struct SoakReport: CustomStringConvertible {
    /// How often the resources of the process are counted.
    static let pointCount = 10
    /// The number of points at the end that must be alike.
    private static let comparedCount = 5
    /// With fewer requests the process is still warming up: memory grows, and threads are started now and then. Only
    /// descriptors are judged.
    private static let warmCount = 50_000
    /// The maximum number of bytes that FoundationNetworking keeps per request: it does not free libcurl's parts of the URL.
    private static let platformBytes = 250

    static let heading = "  requests  descriptors  threads  resident memory"

    let requests: Int
    var seconds = 0.0
    private var successes = 0
    private var expectedFailures = 0
    private var unexpected: [String] = []
    private var points: [(count: Int, resources: ProcessResources)] = []

    init(requests: Int) {
        self.requests = requests
    }

    mutating func add(_ outcomes: [SoakCall.Outcome]) {
        for outcome in outcomes {
            switch outcome {
            case .success: successes += 1
            case .expectedFailure: expectedFailures += 1
            case .unexpected(let text): unexpected.append(text)
            }
        }
    }

    mutating func addLateCompletions(_ count: Int) {
        unexpected += Array(repeating: "a completion was called although its call was cancelled", count: count)
    }

    /// Adds what the process holds while nothing is under way.
    ///
    /// - Returns: The line of the table for it.
    mutating func add(_ resources: ProcessResources, after count: Int) -> String {
        points.append((count, resources))
        return "\(count)".padded(to: 10) + "\(resources.descriptors)".padded(to: 13)
            + "\(resources.threads)".padded(to: 9) + "\(resources.memory) KB".padded(to: 17)
    }

    /// Whether every call had its expected outcome, and nothing grew.
    var isGood: Bool { unexpected.isEmpty && isCounted && isFlat }

    /// `false` where there is no `/proc`.
    private var isCounted: Bool { points.count == Self.pointCount }

    private var isWarm: Bool { requests >= Self.warmCount }

    /// Five in a hundred, or two; of memory, or what the platform keeps.
    private var isFlat: Bool {
        let counts = isWarm ? [spread(\.descriptors), spread(\.threads)] : [spread(\.descriptors)]
        let kept = comparedRequests * Self.platformBytes / 1_024
        return counts.allSatisfy { $0.difference <= max($0.allowed, 2) }
            && (!isWarm || spread(\.memory).difference <= max(spread(\.memory).allowed, kept))
    }

    private var compared: ArraySlice<(count: Int, resources: ProcessResources)> { points.suffix(Self.comparedCount) }

    private var comparedRequests: Int { (compared.last?.count ?? 0) - (compared.first?.count ?? 0) }

    private func spread(_ figure: KeyPath<ProcessResources, Int>) -> (difference: Int, allowed: Int, percent: Double) {
        let values = compared.map { $0.resources[keyPath: figure] }
        guard let least = values.min(), let most = values.max(), most > 0 else { return (0, 0, 0) }
        return (most - least, most / 20, 100 * Double(most - least) / Double(most))
    }

    var description: String {
        """

        \(successes) successes, \(expectedFailures) expected failures, \(unexpected.count) unexpected outcomes
        \(Int(seconds > 0 ? Double(requests) / seconds : 0)) requests/s

        """ + unexpected.prefix(20).map { "  \($0)\n" }.joined() + flatness
    }

    private var flatness: String {
        guard isCounted, let first = compared.first, let last = compared.last else {
            return "\nThe memory of the process is unknown on this system, and is not judged.\n"
        }
        let growth = (last.resources.memory - first.resources.memory) * 1_024 / max(comparedRequests, 1)
        return """

            The last \(compared.count) points are \(percent(\.descriptors)) (descriptors), \(percent(\.threads)) (threads) \
            and \(percent(\.memory)) (memory) apart.
            Memory grew by \(growth) bytes per request; FoundationNetworking itself keeps up to \(Self.platformBytes).
            \(isFlat ? "None of them grows." : "At least one of them grows.")\(isWarm ? "" : coldness)
            """
    }

    private var coldness: String { " With fewer than \(Self.warmCount) requests only descriptors are judged." }

    private func percent(_ figure: KeyPath<ProcessResources, Int>) -> String {
        String(format: "%.1f %%", spread(figure).percent)
    }
}
