import Foundation
import LoopbackServer
import TestSupport

/// This executable, started again, or another one.
///
/// Its standard input is closed at the latest with this process, however that ends.
final class ChildProcess {
    /// The first line that it has written, which comes in one piece; empty if it has ended before.
    let line: String
    /// From its start until that line, in seconds.
    let seconds: Double
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// The path of this executable.
    static var ownPath: String { Bundle.main.executablePath ?? CommandLine.arguments[0] }

    /// Starts it, and waits for its first line.
    ///
    /// - Parameters:
    ///   - arguments: Its arguments.
    ///   - command: The path of the executable, possibly as an argument of another one.
    ///   - environment: What is added to the environment.
    ///   - errors: Takes its standard error, which otherwise is this process's.
    /// - Throws: When it cannot be started.
    init(
        _ arguments: [String],
        of command: [String] = [ownPath],
        environment: [String: String] = [:],
        errors: Pipe? = nil
    ) throws {
        process.executableURL = command.first.map { URL(fileURLWithPath: $0) }
        process.arguments = command.dropFirst() + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = output
        if let errors { process.standardError = errors }
        let start = ContinuousClock.now
        try process.run()
        line = Self.line(from: output)
        seconds = (ContinuousClock.now - start) / .seconds(1)
    }

    private static func line(from output: Pipe) -> String {
        String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    /// Writes a line to its standard input, and waits for one that it writes.
    ///
    /// - Returns: The line; empty if it has ended.
    func ask(_ line: String) throws -> String {
        try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
        return Self.line(from: output)
    }

    /// Closes its standard input, and waits until it has ended.
    ///
    /// - Returns: How it has ended, if not well: `signal 4`
    @discardableResult
    func end() -> String? {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
        guard process.terminationStatus != 0 else { return nil }
        let isKilled = process.terminationReason == .uncaughtSignal
        return "\(isKilled ? "signal" : "status") \(process.terminationStatus)"
    }
}

/// One side of a case in a process of its own: what it takes and holds is then its alone.
extension ChildProcess {
    /// The measurements that the process reports.
    struct Figures: Sendable {
        /// The processor time of its threads since the start, in seconds.
        let processorSeconds: Double
        /// The most memory that it ever had, in bytes; `nil` where there is no `/proc`.
        let peakMemory: Int?
    }

    /// Starts this executable again as such a process.
    static let argument = "--child"

    /// Makes requests in a new process, and waits until it has ended.
    ///
    /// - Parameters:
    ///   - name: The name of a case.
    ///   - side: Which side of it makes the requests.
    ///   - server: The URL below which the ``SampleFiles`` are.
    ///   - requests: How many.
    ///   - tool: A program that runs it, with the program's arguments; none if empty.
    ///   - environment: What is added to the environment.
    /// - Returns: Its measurements, and the seconds from its start until its requests were done.
    /// - Throws: ``CaseFailure`` with what the process has said if it failed.
    static func run(
        _ name: String,
        _ side: Side,
        from server: URL,
        requests: Int,
        under tool: [String] = [],
        environment: [String: String] = [:]
    ) throws -> (figures: Figures, seconds: Double) {
        let errors = Pipe()
        let arguments = [argument, name, side.rawValue, server.absoluteString, "\(requests)"]
        let child = try ChildProcess(arguments, of: tool + [ownPath], environment: environment, errors: errors)
        let said = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        let end = child.end()
        guard end == nil, let figures = Figures(line: child.line) else {
            let last = said.split(separator: "\n").last.map { String($0.hasPrefix("error: ") ? $0.dropFirst(7) : $0) }
            let reason = [end, last].compactMap { $0 }.joined(separator: ", ")
            throw CaseFailure("a process of its own (\(requests) requests of \(name)): \(reason)")
        }
        return (figures, child.seconds)
    }

    /// Is such a process: makes the requests, and prints a line about it.
    static func be(_ work: Arguments.Work) throws {
        Allocations.startTrace()
        let workload = try work.make(work.server)
        _ = try workload.run(work.requests)
        let figures = Figures(processorSeconds: Sample.processorTime, peakMemory: ProcessResources.peakMemory)
        try FileHandle.standardOutput.write(contentsOf: Data("\(figures.line)\n".utf8))
    }
}

extension ChildProcess.Figures {
    fileprivate init?(line: String) {
        let parts = line.split(whereSeparator: \.isWhitespace)
        guard parts.count == 2, let seconds = Double(parts[0]) else { return nil }
        processorSeconds = seconds
        peakMemory = Int(parts[1])
    }

    fileprivate var line: String { "\(processorSeconds) \(peakMemory.map { "\($0)" } ?? "unknown")" }
}

/// Counts calls of `malloc`, `calloc`, `realloc` and the like, by `mtrace` of glibc, which writes a line about each.
///
/// libmemusage, which only counts, will not do: it moves what `malloc` returns, and Swift asks for its usable size.
enum Allocations {
    /// The library with `mtrace` since glibc 2.34. It must be loaded before anything is allocated.
    private static let library = "libc_malloc_debug.so.0"
    /// Names the file that `mtrace` writes.
    private static let fileVariable = "MALLOC_TRACE"

    /// Counts for one request: the difference between this process and one with twice as many requests.
    ///
    /// - Parameters:
    ///   - measured: The case.
    ///   - server: The URL below which the ``SampleFiles`` are.
    ///   - requests: How many requests the lesser process makes.
    ///   - runs: How often it is counted.
    /// - Returns: The median; `nil` where there is no such library.
    /// - Throws: ``CaseFailure`` if a request does not have the expected outcome.
    static func perRequest(of measured: Case, from server: URL, requests: Int, runs: Int) throws -> Sides<Double>? {
        let medians = try measured.makers.own.map { side, _ in
            try measured.naming(side) {
                try perRequest(of: measured.name, side, from: server, requests: requests, runs: runs)
            }
        }
        guard medians.all.allSatisfy({ $0.value != nil }) else { return nil }
        return medians.map { _, median in median ?? .nan }
    }

    /// Counts for one request of one side, in the same way.
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

    /// Counts the lines of a trace that are not a `free`: `@ caller[address] + address size`, and `>` for what `realloc` gave.
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

/// The server that is used: the benchmark's own, or another one that is there.
///
/// Its own is in a process of its own, so that what it does is not counted as the client's work.
struct BenchmarkServer {
    /// The URL below which the ``SampleFiles`` are.
    let baseURL: URL
    private let process: ChildProcess?

    init(_ arguments: Arguments) throws {
        process = try arguments.server == nil ? ChildProcess([Arguments.serve]) : nil
        guard let url = arguments.server ?? process.flatMap({ URL(string: $0.line) }), url.host() != nil else {
            throw CaseFailure("the server did not start")
        }
        baseURL = url
    }

    /// Ends the benchmark's own, and returns when it has ended.
    func stop() {
        process?.end()
    }
}

/// Runs the server until standard input is closed. Its URL is the first line of standard output.
func serve() throws {
    let server = try LoopbackServer(
        recordsRequests: false,
        stored: SampleFiles.answers(),
        fault: { $0.path == "/\(SampleFiles.retry)" ? SampleFiles.retryScript : SoakFault(path: $0.path)?.script }
    )
    FileHandle.standardOutput.write(Data("\(server.baseURL.absoluteString)\n".utf8))
    _ = try FileHandle.standardInput.readToEnd()
    server.stop()
}
