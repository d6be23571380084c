import Foundation

/// The machine and software that the figures depend on.
struct Machine: Codable, Sendable, CustomStringConvertible {
    let cores: Int
    let processor: String?
    let system: String
    /// The compiler of the benchmark.
    let compiler: String
    let isOptimized: Bool
    /// The core that the client is kept on; `nil` if it runs on all.
    var clientCore: Int?

    static var current: Machine {
        Machine(
            cores: ProcessInfo.processInfo.activeProcessorCount,
            processor: processorName,
            system: ProcessInfo.processInfo.operatingSystemVersionString,
            compiler: compilerName,
            isOptimized: isOptimized
        )
    }

    var description: String {
        let parts = [
            processor, "\(cores) cores", system, compiler, clientCore.map { "client on core \($0)" },
            isOptimized ? nil : "not optimized: figures say nothing",
        ]
        return parts.compactMap { $0 }.joined(separator: ", ")
    }

    /// `nil` where there is no `/proc`.
    private static var processorName: String? {
        let text = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
        let line = text?.split(separator: "\n").first { $0.hasPrefix("model name") }
        return line?.split(separator: ":", maxSplits: 1).last.map { $0.trimmingCharacters(in: .whitespaces) }
    }

    private static var compilerName: String {
        #if compiler(>=6.4)
            "Swift 6.4 or later"
        #elseif compiler(>=6.3)
            "Swift 6.3"
        #elseif compiler(>=6.2)
            "Swift 6.2"
        #else
            "Swift 6.0 or 6.1"
        #endif
    }

    private static var isOptimized: Bool {
        #if DEBUG
            false
        #else
            true
        #endif
    }
}
