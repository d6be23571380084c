import Foundation
import LoopbackServer
import Testing

/// The cases of one fuzzer: how many, and what each is drawn from.
///
/// A case has a seed of its own, made of that of the run and of its number, so that it can be run alone. The cases run in a
/// child process, since the worst that they find ends one: the number of the case under way is in a file then.
struct FuzzRun: Codable, Sendable {
    let name: String
    let seed: UInt64
    let cases: Range<Int>
    /// Holds the number of the case under way, and nothing after the last.
    private let note: URL

    /// Seconds that one case may take.
    private static let patience = 60.0

    /// - Parameters:
    ///   - name: Also makes the cases of one fuzzer others than those of another with the same seed.
    ///   - count: How many cases there are by default.
    init(_ name: String, cases count: Int) {
        let factor = Self.variable("TEAPOT_FUZZ_CASES", from: 1)
        self.name = name
        seed = Self.variable("TEAPOT_FUZZ_SEED", from: UInt64(0)) ?? (factor == nil ? 1 : .random(in: 0 ... .max))
        if let only = Self.variable("TEAPOT_FUZZ_CASE", from: 0) {
            cases = only..<only + 1
        } else {
            cases = 0..<count * (factor ?? 1)
        }
        note = FileManager.default.temporaryDirectory.appending(path: "TeapotFuzz-\(UUID().uuidString)")
    }

    /// A number from the environment. Records an issue if it is not a number, instead of running the usual cases.
    private static func variable<Number: FixedWidthInteger>(_ name: String, from least: Number) -> Number? {
        guard let text = ProcessInfo.processInfo.environment[name] else { return nil }
        let number = Number(text).flatMap { $0 >= least ? $0 : nil }
        if number == nil { Issue.record("\(name) is not a number of at least \(least): \(text)") }
        return number
    }

    private func generator(of number: Int) -> SeededGenerator {
        let salt = name.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) }
        var mixed = SeededGenerator(seed: seed ^ salt &+ UInt64(number) &* 0xD134_2543_DE82_EF95)
        return SeededGenerator(seed: mixed.next())
    }

    private func reproduction(_ number: Int) -> String {
        "\(name), TEAPOT_FUZZ_SEED=\(seed) TEAPOT_FUZZ_CASE=\(number)"
    }

    /// Runs the cases one after the other, in the child process, until three of them have failed.
    ///
    /// - Parameter check: Runs a case, and returns what is wrong.
    /// - Throws: The error of `check`, which should not throw.
    func check(_ check: (inout SeededGenerator) async throws -> [String]) async throws {
        try Data().write(to: note)
        let file = try FileHandle(forWritingTo: note)
        // A case that takes for ever ends the process, too.
        let watchdog = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "watchdog"))
        watchdog.setEventHandler { exit(EXIT_FAILURE) }
        watchdog.activate()
        defer { watchdog.cancel() }
        var failures = 0
        for number in cases where failures < 3 {
            try file.seek(toOffset: 0)
            try file.write(contentsOf: Data("\(number)".utf8))
            watchdog.schedule(deadline: .now() + Self.patience)
            var generator = generator(of: number)
            let problems = try await check(&generator)
            for problem in problems { Issue.record("\(reproduction(number)): \(problem)") }
            failures += problems.isEmpty ? 0 : 1
        }
        try file.truncate(atOffset: 0)
    }

    /// Says what was run, and in which case the child process ended, if it ended too soon.
    func conclude() {
        print("fuzz: \(name), seed \(seed), \(cases.count) cases")
        let rest = try? String(contentsOf: note, encoding: .utf8)
        if let number = rest.flatMap(Int.init) { Issue.record("\(reproduction(number)): the process ended") }
        try? FileManager.default.removeItem(at: note)
    }
}
