import Foundation
package import Testing

/// Runs tests on threads of their own.
///
/// An exit test reads what its process says with calls that block. That would keep one of the few threads that all of Swift's
/// tasks share for as long as the process runs: two such tests would stop all others.
package struct ExitTests: SuiteTrait, TestTrait, TestScoping {
    package var isRecursive: Bool { true }

    package func scopeProvider(for test: Test, testCase: Test.Case?) -> ExitTests? { testCase.map { _ in self } }

    package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return try await function() }
        try await withTaskExecutorPreference(Threads.shared) { try await function() }
    }
}

extension Trait where Self == ExitTests {
    /// Runs on threads of its own, as exit tests block them.
    package static var exitTests: ExitTests { ExitTests() }
}

/// A thread for each job: there are only a few of an exit test.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class Threads: TaskExecutor {
    static let shared = Threads()

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
