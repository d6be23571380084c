import Dispatch
import Foundation
import LoopbackServer
import Teapot

/// One of the two ways of a case, with the client that it keeps for all requests.
struct Workload: Sendable {
    /// Makes this many requests, and returns when all have come to what they should.
    let run: @Sendable (_ requests: Int) throws -> Sample
    /// Lets go of the client.
    var end: @Sendable () -> Void = {}

    /// Lets go of a session with the workload.
    func ending(_ session: URLSession) -> Workload {
        var workload = self
        workload.end = { session.finishTasksAndInvalidate() }
        return workload
    }
}

extension Workload {
    /// Starts one call. Its completion takes why it did not come to what it should; `nil` if it did.
    typealias Call = @Sendable (_ completion: @escaping @Sendable ((any Error)?) -> Void) -> Void

    /// Calls with a completion handler, each made from the completion of one before.
    ///
    /// - Parameters:
    ///   - inFlight: How many are under way at once.
    ///   - call: Starts one. Its completion must not be called before it returns.
    /// - Returns: The workload.
    static func calls(inFlight: Int = 1, _ call: @escaping Call) -> Workload {
        Workload { requests in
            let loop = CallLoop(call, requests: requests)
            var sample = try Sample.measure { try loop.run(inFlight: inFlight) }
            sample.calls = CallTimes(loop.seconds)
            return sample
        }
    }

    /// Async calls, one after the other.
    static func tasks(_ call: @escaping @Sendable () async throws -> Void) -> Workload {
        Workload { requests in
            var seconds: [Double] = []
            var sample = try Sample.measure {
                seconds = try TaskResult.wait {
                    var seconds: [Double] = []
                    guard CallTimes.areMeasured else {
                        for _ in 0..<requests { try await call() }
                        return seconds
                    }
                    for _ in 0..<requests {
                        let start = ContinuousClock.now
                        try await call()
                        seconds.append((ContinuousClock.now - start) / .seconds(1))
                    }
                    return seconds
                }
            }
            sample.calls = CallTimes(seconds)
            return sample
        }
    }

    /// Makes a workload from a step that is complete when it returns.
    static func steps(_ step: @escaping @Sendable () throws -> Void) -> Workload {
        Workload { requests in
            try Sample.measure {
                for _ in 0..<requests { try step() }
            }
        }
    }
}

/// Makes calls, each from the completion of one before, until there are enough or one has failed.
final class CallLoop: Sendable {
    private struct State {
        /// How many are not made yet.
        var left: Int
        var underWay = 0
        var failure: (any Error)?
        /// The time of each call.
        var seconds: [Double] = []
    }

    private let call: Workload.Call
    private let state: Locked<State>
    private let finished = DispatchSemaphore(value: 0)

    init(_ call: @escaping Workload.Call, requests: Int) {
        self.call = call
        state = Locked(State(left: requests))
    }

    /// The time of each call, in seconds.
    var seconds: [Double] { state.withLock { $0.seconds } }

    /// Blocks until no call is under way any more.
    ///
    /// - Throws: The first failure.
    func run(inFlight: Int) throws {
        let first = state.withLock { state in
            let count = min(inFlight, state.left)
            state.left -= count
            state.underWay = count
            return count
        }
        guard first > 0 else { return }
        for _ in 0..<first { makeCall() }
        finished.wait()
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    private func makeCall() {
        guard CallTimes.areMeasured else { return call { [self] in didEnd($0, after: nil) } }
        let start = ContinuousClock.now
        call { [self] in didEnd($0, after: (ContinuousClock.now - start) / .seconds(1)) }
    }

    private func didEnd(_ failure: (any Error)?, after seconds: Double?) {
        let (goesOn, isLast) = state.withLock { state in
            if let seconds { state.seconds.append(seconds) }
            if let failure {
                state.failure = state.failure ?? failure
                state.left = 0
            }
            guard state.left > 0 else {
                state.underWay -= 1
                return (false, state.underWay == 0)
            }
            state.left -= 1
            return (true, false)
        }
        if goesOn { makeCall() }
        if isLast { finished.signal() }
    }
}

/// The way from a thread that may block to async code.
enum TaskResult {
    /// Runs `body` in a task, and blocks until it has ended.
    ///
    /// - Returns: What it returns.
    /// - Throws: What it throws.
    static func wait<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let outcome = Locked<Result<Value, any Error>>(.failure(CaseFailure("the task has not ended")))
        let finished = DispatchSemaphore(value: 0)
        let task = Task.detached(operation: body)
        Task.detached {
            let result = await task.result
            outcome.withLock { $0 = result }
            finished.signal()
        }
        finished.wait()
        return try outcome.withLock { $0 }.get()
    }
}

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

/// How long a number of requests took.
struct Sample: Codable, Sendable {
    /// By the clock, in seconds.
    var seconds = 0.0
    /// The processor time of all threads in the client's process, in user and in system mode, in seconds.
    var processorSeconds = 0.0
    /// How often a thread of the process gave up its core to wait for something.
    var wakeUps = 0.0
    /// `nil` if the calls are not measured one by one.
    var calls: CallTimes?

    /// Measures what `body` takes.
    static func measure(_ body: () throws -> Void) rethrows -> Sample {
        let processor = processorTime
        let wakeUps = wakeUps
        let start = ContinuousClock.now
        try body()
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        return Sample(seconds: seconds, processorSeconds: processorTime - processor, wakeUps: Self.wakeUps - wakeUps)
    }

    private static var wakeUps: Double {
        var usage = rusage()
        // `RUSAGE_SELF`, whose type differs from one system to the other.
        getrusage(0, &usage)
        return Double(usage.ru_nvcsw)
    }

    /// The time that this process has spent so far, in seconds.
    static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    static func += (sum: inout Sample, sample: Sample) {
        sum.seconds += sample.seconds
        sum.processorSeconds += sample.processorSeconds
        sum.wakeUps += sample.wakeUps
    }

    /// The same for one of `count` requests.
    func divided(by count: Int) -> Sample {
        let count = Double(count)
        return Sample(
            seconds: seconds / count,
            processorSeconds: processorSeconds / count,
            wakeUps: wakeUps / count,
            calls: calls
        )
    }
}

/// The times that half of the calls, and 99 of 100, do not exceed, in seconds.
struct CallTimes: Codable, Sendable {
    /// Not in a child process, whose instructions and allocations are counted.
    static let areMeasured = !CommandLine.arguments.contains("--child")

    let median: Double
    let percentile99: Double
}

extension CallTimes {
    /// `nil` without a call.
    init?(_ seconds: [Double]) {
        guard !seconds.isEmpty else { return nil }
        let sorted = seconds.sorted()
        self.init(median: sorted.quantile(0.5), percentile99: sorted.quantile(0.99))
    }
}

/// The values that a quarter, a half and three quarters of all values do not exceed.
struct Quartiles: Codable, Sendable {
    let lower: Double
    let median: Double
    let upper: Double

    /// Of no values, all are NaN.
    init(_ values: [Double]) {
        let sorted = values.sorted()
        lower = sorted.quantile(0.25)
        median = sorted.quantile(0.5)
        upper = sorted.quantile(0.75)
    }
}

extension [Double] {
    /// The quantile of sorted values, interpolated between two of them; NaN of no values.
    fileprivate func quantile(_ part: Double) -> Double {
        guard let last else { return .nan }
        let place = part * Double(count - 1)
        let index = Int(place)
        let next = index + 1 < count ? self[index + 1] : last
        return self[index] + (next - self[index]) * (place - Double(index))
    }
}

/// The cores on which this process, and the threads and processes that it starts from now on, may run.
enum Cores {
    /// Their numbers; none where the system does not say.
    static var allowed: [Int] {
        var set = emptySet
        guard call("sched_getaffinity", thread: 0, &set) else { return [] }
        return (0..<set.count * 8).filter { set[$0 / 8] & (1 << ($0 % 8)) != 0 }
    }

    /// Restricts them, also for the threads that are there.
    ///
    /// - Returns: Whether the system did it.
    static func pin(to cores: some Sequence<Int>) -> Bool {
        var set = emptySet
        for core in cores where core / 8 < set.count { set[core / 8] |= 1 << (core % 8) }
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        // A thread may have ended since.
        for thread in threads.compactMap({ pid_t($0) }) { _ = call("sched_setaffinity", thread: thread, &set) }
        return call("sched_setaffinity", thread: 0, &set)
    }

    /// A bit for each core, as in glibc's `cpu_set_t`.
    private static var emptySet: [UInt8] { Array(repeating: 0, count: 128) }

    /// Calls a function that Swift does not import, because it is an extension of GNU.
    private static func call(_ name: String, thread: pid_t, _ set: inout [UInt8]) -> Bool {
        typealias Function = @convention(c) (pid_t, Int, UnsafeMutableRawPointer) -> CInt
        #if canImport(Glibc)
            guard let symbol = dlsym(nil, name) else { return false }
            let function = unsafeBitCast(symbol, to: Function.self)
            return set.withUnsafeMutableBytes { bytes in
                bytes.baseAddress.map { function(thread, bytes.count, $0) >= 0 } ?? false
            }
        #else
            return false
        #endif
    }
}
