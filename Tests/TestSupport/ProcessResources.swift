import Foundation

/// The system resources of this process, as the kernel counts them.
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
            let memory = kilobytes("VmRSS", in: status)
        else { return nil }
        return ProcessResources(descriptors: descriptors, threads: threads, memory: memory)
    }

    /// The most memory this process ever had, in bytes. `nil` where there is no `/proc`.
    package static var peakMemory: Int? {
        (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)).flatMap { kilobytes("VmHWM", in: $0) }
            .map { $0 << 10 }
    }

    private static func kilobytes(_ name: String, in status: String) -> Int? {
        status.split(separator: "\n").first { $0.hasPrefix("\(name):") }.flatMap { Int($0.filter(\.isNumber)) }
    }

    package var description: String { "\(descriptors) descriptors, \(threads) threads, \(memory) KB" }
}
