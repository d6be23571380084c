import Dispatch
import Teapot

/// The way from a thread that may block to async code.
enum TaskResult {
    /// Runs `body` in a task, and blocks until it has ended.
    ///
    /// - Throws: What it throws.
    static func wait(_ body: @escaping @Sendable () async throws -> Void) throws {
        let failure = Locked<(any Error)?>(nil)
        let finished = DispatchSemaphore(value: 0)
        Task.detached {
            do {
                try await body()
            } catch {
                failure.withLock { $0 = error }
            }
            finished.signal()
        }
        finished.wait()
        if let failure = failure.withLock({ $0 }) { throw failure }
    }
}
