import Foundation

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
