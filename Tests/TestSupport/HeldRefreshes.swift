package import Teapot

/// Refreshes of credentials, each of which waits until a test ends it, even if its task is cancelled.
package final class HeldRefreshes: Sendable {
    private typealias Continuation = CheckedContinuation<Credential, any Error>
    private let begun = Locked<[Continuation?]>([])

    package init() {}

    package func refresh(_ stale: Credential?) async throws -> Credential {
        try await withCheckedThrowingContinuation { continuation in begun.withLock { $0.append(continuation) } }
    }

    /// How many have begun.
    package var count: Int { begun.withLock { $0.count } }

    /// Waits until so many have begun.
    package func begun(_ count: Int) async {
        await eventually { self.count >= count }
    }

    /// Ends one, if it has not ended yet.
    package func end(_ index: Int, _ result: Result<Credential, any Error>) {
        let continuation = begun.withLock { begun in
            defer { begun[index] = nil }
            return begun[index]
        }
        continuation?.resume(with: result)
    }

    /// Ends all that have begun.
    package func endAll() {
        for index in 0..<count { end(index, .failure(CancellationError())) }
    }
}
