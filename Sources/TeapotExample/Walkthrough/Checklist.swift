import Teapot

/// Runs steps one after the other, prints a line for each, and counts.
final class Checklist {
    private var passed = 0
    private var failed = 0
    private let nameWidth = 26

    var isPassed: Bool { failed == 0 && passed > 0 }

    var summary: String {
        failed == 0
            ? "All \(passed) steps did what they should."
            : "\(failed) of \(passed + failed) steps did not do what they should."
    }

    /// Runs a step.
    ///
    /// - Parameters:
    ///   - name: What it does.
    ///   - body: Does it, checks what came of it, and returns that in a few words; further lines are indented. Throws when
    ///     it is not what it should be.
    func step(_ name: String, _ body: () throws -> String) {
        do {
            show("✓", name, try body())
            passed += 1
        } catch {
            show("✗", name, (error as? TeapotError)?.explanation ?? "\(error)")
            failed += 1
        }
    }

    private func show(_ mark: String, _ name: String, _ text: String) {
        let padding = String(repeating: " ", count: max(0, nameWidth - name.count))
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        print("\(mark) \(name)\(padding)  \(lines.first ?? "")")
        for line in lines.dropFirst() {
            print(line.isEmpty ? "  │" : "  │ \(line)")
        }
    }
}
