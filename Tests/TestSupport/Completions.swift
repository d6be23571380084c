package import Teapot

/// Counts the completions of a call, and keeps what they were given.
package final class Completions: Sendable {
    private let results = Locked<[CallResult]>([])

    package init() {}

    package var take: @Sendable (NetworkResult) -> Void {
        { self.keep(CallResult($0)) }
    }

    package var takeImage: @Sendable (NetworkImageResult) -> Void {
        { self.keep(CallResult($0)) }
    }

    private func keep(_ result: CallResult) {
        results.withLock { $0.append(result) }
    }

    package var all: [CallResult] { results.withLock { $0 } }
    package var count: Int { all.count }
}
