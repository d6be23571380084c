internal import Foundation

/// What this process holds of the system, as the kernel counts it.
package struct ProcessResources: Sendable, CustomStringConvertible {
    package let descriptors: Int
    package let threads: Int
    /// Resident memory, in KB.
    package let memory: Int

    /// Counts now. `nil` where there is no `/proc`.
    package static var current: ProcessResources? {
        let files = FileManager.default
        guard
            let descriptors = try? files.contentsOfDirectory(atPath: "/proc/self/fd").count,
            let threads = try? files.contentsOfDirectory(atPath: "/proc/self/task").count,
            let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
            let memory = Int(line.filter(\.isNumber))
        else { return nil }
        return ProcessResources(descriptors: descriptors, threads: threads, memory: memory)
    }

    package var description: String { "\(descriptors) descriptors, \(threads) threads, \(memory) KB" }
}
