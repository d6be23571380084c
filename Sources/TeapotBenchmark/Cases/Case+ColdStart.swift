import Foundation

extension Case {
    /// The first request of a process.
    static let coldStart = Case(
        name: "cold-start",
        summary: "from the start of a process to its first response, a GET of a 150-byte JSON object",
        goal: nil,
        rounds: 21,
        requests: 4,
        isSlow: true,
        baseline: { server in .processes(.baseline, server) },
        teapot: { server in .processes(.teapot, server) }
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
