import Teapot

/// One of the two ways of a case, with the client that it keeps for all requests.
struct Workload: Sendable {
    /// Makes this many requests, and returns when all have come to what they should.
    let run: @Sendable (_ requests: Int) throws -> Sample
    /// Lets go of the client.
    private(set) var end: @Sendable () -> Void = {}

    /// Lets go of a session with the workload.
    func ending(_ session: URLSession) -> Workload {
        var workload = self
        workload.end = { session.finishTasksAndInvalidate() }
        return workload
    }
}

extension Workload {
    /// Starts one call. Its completion takes why it did not come to what it should; `nil` if it did.
    typealias Call = @Sendable (_ completion: @escaping @Sendable ((any Error)?) -> Void) -> Void

    /// Calls with a completion handler, each made from the completion of one before.
    ///
    /// - Parameters:
    ///   - inFlight: How many are under way at once.
    ///   - call: Starts one. Its completion must not be called before it returns.
    /// - Returns: The workload.
    static func calls(inFlight: Int = 1, _ call: @escaping Call) -> Workload {
        Workload { requests in
            let loop = CallLoop(call, requests: requests)
            return try Sample.measure { try loop.run(inFlight: inFlight) }
        }
    }

    /// Async calls, one after the other.
    static func tasks(_ call: @escaping @Sendable () async throws -> Void) -> Workload {
        Workload { requests in
            try Sample.measure {
                try TaskResult.wait {
                    for _ in 0..<requests { try await call() }
                }
            }
        }
    }

    /// What is done when it returns.
    static func steps(_ step: @escaping @Sendable () throws -> Void) -> Workload {
        Workload { requests in
            try Sample.measure {
                for _ in 0..<requests { try step() }
            }
        }
    }
}
