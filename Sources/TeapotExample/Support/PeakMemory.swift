import Foundation

/// The peak memory of this process.
enum PeakMemory {
    /// The peak in bytes; `nil` if the system does not report it.
    static var current: Int? {
        #if os(Linux)
            // `ru_maxrss` would count the memory before `exec`, too.
            guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
            guard let match = status.firstMatch(of: /VmHWM:\s*(\d+) kB/) else { return nil }
            return Int(match.output.1).map { $0 * 1024 }
        #else
            var usage = rusage()
            guard getrusage(RUSAGE_SELF, &usage) == 0 else { return nil }
            return usage.ru_maxrss
        #endif
    }
}
