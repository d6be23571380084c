import Foundation

/// How long a number of requests took.
struct Sample: Codable, Sendable {
    /// By the clock, in seconds.
    var seconds = 0.0
    /// What all threads of the client's process spent, in user and in system mode, in seconds.
    var processorSeconds = 0.0

    /// Measures what `body` takes.
    static func measure(_ body: () throws -> Void) rethrows -> Sample {
        let processor = processorTime
        let start = ContinuousClock.now
        try body()
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        return Sample(seconds: seconds, processorSeconds: processorTime - processor)
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
    }

    /// The same for one of `count` requests.
    func divided(by count: Int) -> Sample {
        Sample(seconds: seconds / Double(count), processorSeconds: processorSeconds / Double(count))
    }
}
