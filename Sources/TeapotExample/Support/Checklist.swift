import Foundation
import Teapot

/// Runs steps one after the other, prints the result of each, and counts.
@MainActor
final class Checklist {
    /// The maximum number of lines after the first in the result of a step that is shown with its code.
    private static let lineLimit = 5

    private var passed = 0
    private var failed = 0
    private let nameWidth: Int
    private let showsCode: Bool
    private let patience: TimeInterval

    /// - Parameters:
    ///   - nameWidth: The maximum number of characters in the name of a step.
    ///   - showsCode: Whether to run only the steps that show their code.
    ///   - patience: The number of seconds after which a step that hangs ends the program.
    init(nameWidth: Int, showsCode: Bool = false, patience: TimeInterval) {
        self.nameWidth = nameWidth
        self.showsCode = showsCode
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
    ///   - code: The lines of `body` that the step is about. `ExampleTests` compares them.
    ///   - body: Runs the step, checks its result, and returns a summary; further lines are indented. Throws if the result
    ///     is wrong.
    func step(_ name: String, code: String? = nil, _ body: @MainActor () async throws -> String) async {
        guard code != nil || !showsCode else { return }
        let watchdog = DispatchWorkItem { [patience] in
            Terminal.print("✗ \(name): nothing came of it within \(Int(patience)) s")
            // Not `exit`, so that the handlers of the signal clean up.
            kill(getpid(), SIGTERM)
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + patience, execute: watchdog)
        defer { watchdog.cancel() }
        do {
            show(Terminal.styled("✓", .green), name, code, try await body())
            passed += 1
        } catch {
            show(Terminal.styled("✗", .red), name, code, (error as? TeapotError)?.explanation ?? "\(error)")
            failed += 1
        }
    }

    private func show(_ mark: String, _ name: String, _ code: String?, _ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var rest = lines.dropFirst()
        if showsCode, let code {
            Terminal.print("\(mark) \(Terminal.styled(name, .bold))")
            for line in code.split(separator: "\n") { Terminal.print("    \(line)") }
            Terminal.print("  → \(lines.first ?? "")")
            rest = rest.prefix(Self.lineLimit)
        } else {
            let padding = String(repeating: " ", count: max(0, nameWidth - name.count))
            Terminal.print("\(mark) \(name)\(padding)  \(lines.first ?? "")")
        }
        for line in rest { Terminal.print(line.isEmpty ? "  │" : "  │ \(line)") }
        let hidden = lines.count - 1 - rest.count
        if hidden > 0 { Terminal.print("  │ … and \(hidden) more lines with --all") }
        if showsCode { Terminal.print("") }
    }
}
