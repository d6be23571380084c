import Teapot
import TestSupport

extension SoakCall {
    /// One call in twenty meets a fault of the server.
    static let failures = [
        failure("status 404", share: 15, .invalidResponseStatus, status: 404, "status/404"),
        failure("status 500", share: 10, .invalidResponseStatus, status: 500, "status/500"),
        failure("reset", share: 10, .noResponse, SoakFault.reset.path),
        failure("cut off", share: 10, .dataTaskError, status: 200, SoakFault.cut.path),
        failure("bad gzip", share: 10, .dataTaskError, status: 200, SoakFault.gzip.path),
        SoakCall(name: "timeout", share: 10, error: .noResponse) { client, _ in
            try await client.teapot.get(SoakFault.stall.path, timeoutInterval: 0.3)
        },
        SoakCall(name: "connection refused", share: 10, error: .noResponse) { client, _ in
            try await client.unreachable.get("get")
        },
        SoakCall(name: "cancelled, async", share: 8, error: .cancelled) { client, number in
            let task = Task { try await client.teapot.get(SoakFault.stall.path) }
            try await underWay(number)
            task.cancel()
            _ = try await task.value
        },
        SoakCall(name: "cancelled, closure", share: 7, error: .cancelled) { client, number in
            let task = client.teapot.get(SoakFault.stall.path) { (_: NetworkResult) in
                client.lateCompletions.withLock { $0 += 1 }
            }
            try await underWay(number)
            task?.cancel()
            if let error = task?.error { throw error }
        },
    ]

    private static func failure(
        _ name: String,
        share: Int,
        _ error: TeapotError.ErrorType,
        status: Int? = nil,
        _ path: String
    ) -> SoakCall {
        SoakCall(name: name, share: share, error: error, status: status) { client, _ in
            try await client.teapot.get(path)
        }
    }

    /// Waits a little, so that calls are cancelled at different stages.
    private static func underWay(_ number: Int) async throws {
        try await Task.sleep(for: .milliseconds(number % 20))
    }
}
