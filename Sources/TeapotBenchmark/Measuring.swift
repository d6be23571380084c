import Foundation
import LoopbackServer
import Teapot

extension Case {
    /// Measures rounds, in each of which the ways take turns in random order, so that none gains by its place.
    ///
    /// A round that does not count comes first: connections are made there, and code is loaded.
    ///
    /// - Parameters:
    ///   - server: The URL below which the ``SampleFiles`` are.
    ///   - rounds: How many rounds to measure.
    ///   - arguments: The number of requests, and the seed of the order.
    ///   - progress: Called before each round, with its number; the one that does not count is 0.
    /// - Returns: What one request took in each round.
    /// - Throws: ``CaseFailure`` when a request does not come to what it should.
    func measure(
        from server: URL,
        rounds: Int,
        _ arguments: Arguments,
        progress: (Int) -> Void
    ) throws -> Rounds<Sides<Sample>> {
        let workloads = try makers.map { side, make in try naming(side) { try make(server) } }
        defer { for (_, workload) in workloads.all { workload.end() } }
        var generator = SeededGenerator(seed: UInt64(arguments.seed))
        func round() throws -> Sides<Sample> {
            var samples: [Side: Sample] = [:]
            for (side, workload) in workloads.all.shuffled(using: &generator) {
                let count = requests(of: side, asked: arguments.requests)
                samples[side] = try naming(side) { try workload.run(count) }.divided(by: count)
            }
            return workloads.map { side, _ in samples[side] ?? Sample() }
        }
        progress(0)
        _ = try round()
        return try Rounds(count: rounds) { number in
            progress(number)
            let stolen = StolenTime.now
            let start = ContinuousClock.now
            let samples = try round()
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            return (samples, StolenTime.isDisturbing(from: stolen, to: StolenTime.now, in: seconds))
        }
    }

    /// Says which side it was that failed.
    func naming<Value>(_ side: Side, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            throw CaseFailure("\(side.title): \(error.explanation)")
        }
    }
}

/// The values of rounds; of those that the machine disturbed, as many are measured again as there are rounds.
struct Rounds<Value> {
    private(set) var values: [Value] = []
    /// How many rounds were disturbed and measured again.
    private(set) var repeated = 0
    /// How many of the values come from rounds that were disturbed.
    private(set) var disturbed = 0

    /// - Parameters:
    ///   - count: How many values are wanted.
    ///   - measure: Measures one round, and says whether it was disturbed.
    init(count: Int, _ measure: (_ number: Int) throws -> (value: Value, isDisturbed: Bool)) rethrows {
        while values.count < count {
            let (value, isDisturbed) = try measure(values.count + 1)
            if isDisturbed, repeated < count {
                repeated += 1
            } else {
                values.append(value)
                disturbed += isDisturbed ? 1 : 0
            }
        }
    }
}

/// The time for which a virtual machine's cores had work but were not run, because the host was busy.
enum StolenTime {
    /// More than this part of a round disturbs it.
    private static let tolerance = 0.02

    /// The seconds since the start of the machine, of all cores; `nil` where there is no `/proc`.
    static var now: Double? { (try? String(contentsOfFile: "/proc/stat", encoding: .utf8)).flatMap(seconds) }

    /// Reads `/proc/stat`: `cpu user nice system idle iowait irq softirq steal …`, in ticks.
    static func seconds(in text: String) -> Double? {
        let fields = text.prefix { !$0.isNewline }.split(separator: " ")
        guard fields.count > 8, fields[0] == "cpu", let ticks = Double(fields[8]) else { return nil }
        return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Whether so much was stolen between two moments that it disturbs a round of `seconds`; `false` if it is not known.
    static func isDisturbing(from first: Double?, to last: Double?, in seconds: Double) -> Bool {
        guard let first, let last else { return false }
        return last - first > seconds * tolerance
    }
}
