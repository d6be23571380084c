import Teapot

/// Runs steps one after the other, prints the result of each, and counts.
@MainActor
final class Checklist {
    /// The maximum number of lines after the first in the result of a step that is shown with its code.
    private static let lineLimit = 5
    /// The maximum number of characters in the name of a step.
    private static let nameWidth = 27

    /// Whether to run only the steps that show their code.
    let showsCode: Bool
    private var passed = 0
    private var failed = 0

    init(showsCode: Bool) {
        self.showsCode = showsCode
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
        do {
            show("✓", name, code, try await body())
            passed += 1
        } catch {
            show("✗", name, code, "\(error)")
            failed += 1
        }
    }

    private func show(_ mark: String, _ name: String, _ code: String?, _ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var rest = lines.dropFirst()
        if showsCode, let code {
            print("\(mark) \(name)")
            for line in code.split(separator: "\n") { print("    \(line)") }
            print("  → \(lines.first ?? "")")
            rest = rest.prefix(Self.lineLimit)
        } else {
            print("\(mark) \(name.padding(toLength: Self.nameWidth, withPad: " ", startingAt: 0))\(lines.first ?? "")")
        }
        for line in rest { print("  │ \(line)") }
        let hidden = lines.count - 1 - rest.count
        if hidden > 0 { print("  │ … and \(hidden) more lines with --all") }
        if showsCode { print("") }
    }
}

/// The failure of a step.
struct Mismatch: Error, CustomStringConvertible {
    let expected: String
    let found: String

    var description: String { "expected \(expected), found: \(found)" }
}

/// Compares a value with the expected one.
///
/// - Throws: `Mismatch` with both values.
func expect<Value: Equatable>(_ expected: Value, found: Value) throws {
    guard expected == found else { throw Mismatch(expected: "\(expected)", found: "\(found)") }
}

/// Makes a call that should fail, and returns its error.
@MainActor
func failure<Value: Sendable>(of call: @MainActor () async throws -> Value) async throws -> TeapotError {
    let value: Value
    do {
        value = try await call()
    } catch let error as TeapotError {
        return error
    }
    throw Mismatch(expected: "an error", found: "\(value)")
}
