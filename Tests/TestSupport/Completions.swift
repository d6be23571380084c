package import Teapot

/// Counts the completions of a call, and keeps what they were given.
package final class Completions: Sendable {
    private let results = Locked<[CallResult]>([])

    package init() {}

    package var take: @Sendable (NetworkResult) -> Void {
        { result in
            let received = CallResult(result)
            self.results.withLock { $0.append(received) }
        }
    }

    package var all: [CallResult] { results.withLock { $0 } }
    package var count: Int { all.count }
}
