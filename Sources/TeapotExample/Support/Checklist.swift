import Foundation
import Teapot

/// Runs steps one after the other, prints a line for each, and counts.
@MainActor
final class Checklist {
    private var passed = 0
    private var failed = 0
    private let nameWidth: Int
    private let patience: TimeInterval

    /// - Parameters:
    ///   - nameWidth: The maximum number of characters in the name of a step.
    ///   - patience: The number of seconds after which a step that hangs ends the program.
    init(nameWidth: Int, patience: TimeInterval) {
        self.nameWidth = nameWidth
        self.patience = patience
    }

    var isPassed: Bool { failed == 0 && passed > 0 }

    var summary: String {
        failed == 0
            ? "All \(passed) steps did what they should."
            : "\(failed) of \(passed + failed) steps did not do what they should."
    }

    /// Runs a step.
    ///
    /// - Parameters:
    ///   - name: The name of the step.
    ///   - body: Runs the step, checks its result, and returns a summary; further lines are indented. Throws if the result
    ///     is wrong.
    func step(_ name: String, _ body: @MainActor () async throws -> String) async {
        let watchdog = DispatchWorkItem { [patience] in
            Terminal.print("✗ \(name): nothing came of it within \(Int(patience)) s")
            // Not `exit`, so that the handlers of the signal clean up.
            kill(getpid(), SIGTERM)
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + patience, execute: watchdog)
        defer { watchdog.cancel() }
        do {
            show("✓", name, try await body())
            passed += 1
        } catch {
            show("✗", name, (error as? TeapotError)?.explanation ?? "\(error)")
            failed += 1
        }
    }

    private func show(_ mark: String, _ name: String, _ text: String) {
        let padding = String(repeating: " ", count: max(0, nameWidth - name.count))
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        Terminal.print("\(mark) \(name)\(padding)  \(lines.first ?? "")")
        for line in lines.dropFirst() {
            Terminal.print(line.isEmpty ? "  │" : "  │ \(line)")
        }
    }
}
