import Foundation

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
