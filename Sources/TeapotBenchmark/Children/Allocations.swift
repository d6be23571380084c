import Foundation
import TestSupport

/// Counts calls of `malloc`, `calloc`, `realloc` and the like, by `mtrace` of glibc, which writes a line about each.
///
/// libmemusage, which only counts, will not do: it moves what `malloc` returns, and Swift asks for its usable size.
enum Allocations {
    /// The library with `mtrace` since glibc 2.34. It must be loaded before anything is allocated.
    private static let library = "libc_malloc_debug.so.0"
    /// Names the file that `mtrace` writes.
    private static let fileVariable = "MALLOC_TRACE"

    /// Counts what one request comes to: a process with twice as many requests has so many more.
    ///
    /// - Parameters:
    ///   - measured: The case.
    ///   - server: The URL below which the ``SampleFiles`` are.
    ///   - requests: How many requests the lesser process makes.
    ///   - runs: How often it is counted.
    /// - Returns: The median; `nil` where there is no such library.
    /// - Throws: ``CaseFailure`` when a request does not come to what it should.
    static func perRequest(of measured: Case, from server: URL, requests: Int, runs: Int) throws -> Sides<Double>? {
        let medians = try measured.makers.own.map { side, _ in
            try measured.naming(side) {
                try perRequest(of: measured.name, side, from: server, requests: requests, runs: runs)
            }
        }
        guard medians.all.allSatisfy({ $0.value != nil }) else { return nil }
        return medians.map { _, median in median ?? .nan }
    }

    /// Counts what one request of one side comes to, in the same way.
    static func perRequest(
        of name: String,
        _ side: Side,
        from server: URL,
        requests: Int,
        runs: Int
    ) throws -> Double? {
        let counts = try (0..<runs).compactMap { _ -> Double? in
            guard
                let few = try count(name, side, server, requests: requests),
                let many = try count(name, side, server, requests: 2 * requests)
            else { return nil }
            return Double(many - few) / Double(requests)
        }
        return counts.count == runs ? Quartiles(counts).median : nil
    }

    private static func count(_ name: String, _ side: Side, _ server: URL, requests: Int) throws -> Int? {
        let folder = try TemporaryFolder()
        let file = folder.file("trace")
        let environment = ["LD_PRELOAD": library, fileVariable: file.path]
        #if canImport(Glibc)
            _ = try ChildProcess.run(name, side, from: server, requests: requests, environment: environment)
        #endif
        return (try? Data(contentsOf: file)).map { count(in: $0) }
    }

    /// Counts the lines of a trace that are no `free`: `@ caller[address] + address size`, and `>` for what `realloc` gave.
    private static func count(in trace: Data) -> Int {
        trace.withUnsafeBytes { bytes in
            (0..<max(0, bytes.count - 3)).reduce(into: 0) { count, index in
                guard bytes[index] == UInt8(ascii: "]"), bytes[index + 1] == UInt8(ascii: " ") else { return }
                let isAllocation = bytes[index + 2] == UInt8(ascii: "+") || bytes[index + 2] == UInt8(ascii: ">")
                if isAllocation, bytes[index + 3] == UInt8(ascii: " ") { count += 1 }
            }
        }
    }

    /// Has what this process allocates from now on counted, if it was started for that.
    static func startTrace() {
        #if canImport(Glibc)
            guard ProcessInfo.processInfo.environment[fileVariable] != nil else { return }
            // glibc itself has an `mtrace` that does nothing, and `dlvsym`, which tells them apart, is not imported.
            typealias Lookup =
                @convention(c) (UnsafeMutableRawPointer, UnsafePointer<CChar>, UnsafePointer<CChar>)
                -> UnsafeMutableRawPointer?
            guard let library = dlopen(library, RTLD_NOW | RTLD_NOLOAD), let lookup = dlsym(nil, "dlvsym") else {
                return
            }
            guard let trace = unsafeBitCast(lookup, to: Lookup.self)(library, "mtrace", "GLIBC_2.2.5") else { return }
            unsafeBitCast(trace, to: (@convention(c) () -> Void).self)()
        #endif
    }
}
