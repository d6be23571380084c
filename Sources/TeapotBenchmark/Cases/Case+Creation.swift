import Teapot
import TestSupport

extension Case {
    /// Making a client and letting go of it, without a request.
    static let creation = Case(
        name: "creation",
        summary: "creating and dropping a Teapot; the baseline is a URLSession, created and invalidated",
        goal: 1.1,
        allocationRequests: 10,
        requests: 2_000,
        baseline: { _ in
            .clients { URLSession(configuration: .default).finishTasksAndInvalidate() }
        },
        teapot: { server in
            .clients { _ = Teapot(baseURL: server) }
        }
    )
}

extension Workload {
    /// So many clients may exist at once: each session has three descriptors, and gives them back on a queue of its own.
    private static let batch = 200
    /// So many may stay: what the process uses from its first session on.
    private static let kept = 10

    /// Makes clients in batches. The time until what the sessions held is given back counts, whoever gives it back.
    fileprivate static func clients(_ make: @escaping @Sendable () -> Void) -> Workload {
        Workload { requests in
            let before = ProcessResources.current?.descriptors
            return try Sample.measure {
                for first in stride(from: 0, to: requests, by: batch) {
                    for _ in first..<min(first + batch, requests) { make() }
                    try waitForDescriptors(before)
                }
            }
        }
    }

    /// Blocks until about as many descriptors are open as before.
    private static func waitForDescriptors(_ before: Int?) throws {
        guard let before else { return }
        let end = ContinuousClock.now + .seconds(10)
        while let now = ProcessResources.current?.descriptors, now > before + kept {
            guard ContinuousClock.now < end else { throw CaseFailure("\(now - before) descriptors are not given back") }
            usleep(50)
        }
    }
}
