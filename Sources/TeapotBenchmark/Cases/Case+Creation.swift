import Foundation
import Teapot
import TestSupport

extension Case {
    /// Making a client and letting go of it, without a request.
    static let creation = Case(
        name: "creation",
        summary: "making and dropping a Teapot, whose session begins later; the baseline is a URLSession, invalidated",
        goal: 1.1,
        requests: 2_000,
        makers: Sides(
            baseline: { _ in .clients { URLSession(configuration: .default).finishTasksAndInvalidate() } },
            teapot: { server in .clients { _ = Teapot(baseURL: server) } },
            others: curl { server, _ in .clients { _ = Teapot(baseURL: server, transport: curlTransport) } }
        )
    )
}

extension Workload {
    /// So many clients may exist at once: each session has three descriptors, and gives them back on a queue of its own.
    private static let batch = 50
    /// So many may stay: what the process uses from its first session on.
    private static let kept = 10

    /// Makes clients in batches. The time between two batches, until what the sessions held is given back, does not count.
    fileprivate static func clients(_ make: @escaping @Sendable () -> Void) -> Workload {
        Workload { requests in
            let before = ProcessResources.current?.descriptors
            var sum = Sample()
            var left = requests
            while left > 0 {
                let count = min(batch, left)
                sum += Sample.measure { for _ in 0..<count { make() } }
                left -= count
                try waitForDescriptors(before)
            }
            return sum
        }
    }

    /// Blocks until about as many descriptors are open as before.
    private static func waitForDescriptors(_ before: Int?) throws {
        guard let before else { return }
        let end = ContinuousClock.now + .seconds(10)
        while let now = ProcessResources.current?.descriptors, now > before + kept {
            guard ContinuousClock.now < end else { throw CaseFailure("\(now - before) descriptors are still open") }
            usleep(500)
        }
    }
}

extension Case {
    /// The first request of a process.
    static let coldStart = Case(
        name: "cold-start",
        summary: "from the start of a process to its first response, a GET of a 150-byte JSON object",
        goal: nil,
        rounds: 21,
        requests: 4,
        isSlow: true,
        makers: Sides(
            baseline: { server in .processes(.baseline, server) },
            teapot: { server in .processes(.teapot, server) },
            others: curl { server, _ in .processes(.curl, server) }
        )
    )
}

extension Workload {
    /// Starts processes, one after the other, each of which makes one request.
    fileprivate static func processes(_ side: Side, _ server: URL) -> Workload {
        Workload { requests in
            var sum = Sample()
            for _ in 0..<requests {
                let child = try ChildProcess.run("get", side, from: server, requests: 1)
                sum += Sample(seconds: child.seconds, processorSeconds: child.figures.processorSeconds)
            }
            return sum
        }
    }
}
