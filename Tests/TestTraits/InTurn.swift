package import Testing

/// Lets a limited number of the process's test cases run at a time, those of all suites with this trait taken together, and
/// says which one has not ended after ten minutes. Every suite has it.
///
/// Swift Testing begins all of them at once otherwise. On Linux, Swift's tasks, `URLSession` and delivery queues share the few
/// threads of Dispatch, so that an event of one call would wait behind the jobs of a thousand tests, for longer than its timeout.
package struct InTurn: SuiteTrait, TestTrait, TestScoping {
    package var isRecursive: Bool { true }

    /// Whether it comes before all that wait.
    fileprivate let isFirst: Bool

    package func scopeProvider(for test: Test, testCase: Test.Case?) -> InTurn? { testCase.map { _ in self } }

    package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        // A suite within a suite may have the trait, too: its tests have their turn already.
        guard !Self.hasTurn else { return try await function() }
        await Turns.shared.wait(isFirst: isFirst)
        let watch = Task {
            try await Task.sleep(for: .seconds(600))
            Issue.record("has not ended after ten minutes")
        }
        let result: Result<Void, any Error>
        do {
            result = .success(try await Self.$hasTurn.withValue(true) { try await function() })
        } catch {
            result = .failure(error)
        }
        watch.cancel()
        await Turns.shared.end()
        try result.get()
    }

    @TaskLocal private static var hasTurn = false
}

extension Trait where Self == InTurn {
    /// Runs when few other tests do.
    package static var inTurn: InTurn { InTurn(isFirst: false) }

    /// The same, before other tests: for those that take seconds, so that they are not all that is left in the end.
    package static var firstInTurn: InTurn { InTurn(isFirst: true) }
}

private actor Turns {
    static let shared = Turns(count: 8)

    private var free: Int
    private var first: [CheckedContinuation<Void, Never>] = []
    private var others: [CheckedContinuation<Void, Never>] = []
    private var next = 0

    init(count: Int) { free = count }

    func wait(isFirst: Bool) async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { isFirst ? first.append($0) : others.append($0) }
    }

    /// Gives the turn to one of the first, and then to the one that has waited longest.
    func end() {
        if let waiting = first.popLast() { return waiting.resume() }
        guard next < others.count else {
            free += 1
            return
        }
        others[next].resume()
        next += 1
    }
}
