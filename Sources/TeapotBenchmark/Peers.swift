import Foundation
import TestSupport

/// Another HTTP client, in an executable of its own that is called `peer`.
///
/// Without arguments, it prints the names of the cases that it can do, in one line, separated by spaces. With the name of a case
/// and the URL of the server, it prints a line, and then answers each line of its input, the number of requests to make, with
/// the seconds that they took and the processor time that it spent: `0.25 0.19`. If it measures each request, the seconds that half of
/// them, and 99 of 100, do not exceed follow: `0.25 0.19 0.003 0.005`. It ends with its input.
struct Peer: Sendable {
    let name: String
    let executable: String
    let cases: Set<String>
    /// Where its package was made, which goes with it; `nil` if there was one.
    private let folder: TemporaryFolder?

    /// Builds the packages in a directory: those that ``adapters`` know as libraries, all others as peers themselves.
    ///
    /// - Throws: ``CaseFailure`` if there is none, or if one cannot be built.
    static func all(in directory: String) throws -> [Peer] {
        // A peer that has ended is an error, and not the end of this process.
        signal(SIGPIPE, SIG_IGN)
        let files = FileManager.default
        let names = ((try? files.contentsOfDirectory(atPath: directory)) ?? []).sorted().filter {
            files.fileExists(atPath: "\(directory)/\($0)/Package.swift")
        }
        guard !names.isEmpty else { throw CaseFailure("no directory in \(directory) contains a package") }
        return try names.map { try Peer($0, at: URL(fileURLWithPath: directory).appending(path: $0)) }
    }

    private init(_ name: String, at library: URL) throws {
        self.name = name
        folder = try Self.adapters[name].map { try Self.package(of: name, at: library, calling: $0) }
        ProgressLine.show("building \(name)")
        let build = ["swift", "build", "-c", "release", "--product", "peer", "--package-path"]
        let command = build + [(folder?.url ?? library).path]
        _ = try Self.output(of: command)
        executable = try Self.output(of: command + ["--show-bin-path"]).trimmingCharacters(in: .newlines) + "/peer"
        cases = Set(try Self.output(of: [executable]).split(whereSeparator: \.isWhitespace).map(String.init))
        ProgressLine.clear()
    }

    private static func output(of command: [String]) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw CaseFailure("\(command.joined(separator: " ")): status \(process.terminationStatus)\n\(text)")
        }
        return text
    }
}

extension Case {
    /// The same case, done by these peers, too, as far as they can.
    func adding(_ peers: [Peer]) -> Case {
        var measured = self
        for peer in peers where peer.cases.contains(name) {
            measured.makers.others[Side(rawValue: peer.name)] = { server in try .peer(peer, name, server) }
        }
        return measured
    }
}

extension Workload {
    fileprivate static func peer(_ peer: Peer, _ name: String, _ server: URL) throws -> Workload {
        // Used by one round at a time.
        nonisolated(unsafe) let process = try ChildProcess([name, server.absoluteString], of: [peer.executable])
        var workload = Workload { requests in
            let line = try process.ask("\(requests)")
            guard let sample = Sample(line: line) else { throw CaseFailure("unexpected answer: “\(line)”") }
            return sample
        }
        workload.end = { process.end() }
        return workload
    }
}

extension Sample {
    /// Reads `SECONDS PROCESSOR-SECONDS`, and perhaps `MEDIAN PERCENTILE-99`.
    init?(line: String) {
        let parts = line.split(separator: " ").compactMap { Double($0) }
        guard [2, 4].contains(parts.count), parts.count == line.split(separator: " ").count else { return nil }
        self.init(seconds: parts[0], processorSeconds: parts[1])
        if parts.count == 4 { calls = CallTimes(median: parts[2], percentile99: parts[3]) }
    }
}

extension Peer {
    /// How a library makes a client of `url`, and gets the small object from `small` as a `User`.
    struct Adapter: Sendable {
        let client: String
        let call: String
    }

    /// The libraries that are known, by the names of their packages.
    static let adapters = [
        "Get": Adapter(
            client: "APIClient(baseURL: url)",
            call: "try await client.send(Request<User>(path: small.path)).value"
        ),
        "Alamofire": Adapter(
            client: "Session()",
            call: "try await client.request(small).validate().serializingDecodable(User.self).value"
        ),
        "AsyncHTTPClient": Adapter(
            client: "HTTPClient.shared",
            call: """
                try await JSONDecoder().decode(
                    User.self,
                    from: Data(
                        client.execute(HTTPClientRequest(url: small.absoluteString), timeout: .seconds(15))
                            .body.collect(upTo: 1_000_000).readableBytesView
                    )
                )
                """
        ),
    ]

    /// Makes a package with a peer that uses a library.
    static func package(of name: String, at library: URL, calling adapter: Adapter) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(manifest(of: name, at: library), to: "Package.swift")
        try folder.write(program(of: name, calling: adapter), to: "Peer.swift")
        return folder
    }

    private static func manifest(of name: String, at library: URL) -> String {
        """
        // swift-tools-version: 5.9
        import PackageDescription

        let package = Package(
            name: "peer",
            platforms: [.macOS(.v13)],
            dependencies: [.package(name: "\(name)", path: \(library.path.debugDescription))],
            targets: [
                .executableTarget(name: "peer", dependencies: [.product(name: "\(name)", package: "\(name)")], path: ".")
            ]
        )
        """
    }

    private static func program(of name: String, calling adapter: Adapter) -> String {
        """
        import Foundation
        import \(name)

        struct User: Decodable, Sendable {
            let id: Int
            let name: String
            let email: String
            let isActive: Bool
            let roles: [String]
            let balance: Double
        }

        func processorTime() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }

        @main
        enum Peer {
            static func main() async throws {
                setvbuf(stdout, nil, _IOLBF, 0)
                guard CommandLine.arguments.count == 3, let url = URL(string: CommandLine.arguments[2]) else {
                    return print("async-decodable get-64")
                }
                let inFlight = CommandLine.arguments[1] == "get-64" ? 64 : 1
                let small = url.appendingPathComponent("\(SampleFiles.small)")
                let client = \(adapter.client)
                print("ready")
                while let line = readLine(), let count = Int(line) {
                    let (start, processor) = (ContinuousClock.now, processorTime())
                    let calls = try await withThrowingTaskGroup(of: [Double].self) { group in
                        for first in 0..<inFlight {
                            group.addTask {
                                var seconds: [Double] = []
                                for _ in stride(from: first, to: count, by: inFlight) {
                                    let start = ContinuousClock.now
                                    _ = \(adapter.call)
                                    seconds.append((ContinuousClock.now - start) / .seconds(1))
                                }
                                return seconds
                            }
                        }
                        return try await group.reduce(into: []) { $0 += $1 }.sorted()
                    }
                    let (seconds, used) = ((ContinuousClock.now - start) / .seconds(1), processorTime() - processor)
                    print(seconds, used, calls[count / 2], calls[count * 99 / 100])
                }
            }
        }
        """
    }
}
