import Teapot
import TestSupport

#if os(Linux)
    import TeapotCurl
#endif

/// Prints what a call and an open stream take over `CurlTransport`, the more of them there are at once.
///
/// Each row is the difference between two processes: one that makes many calls, and one that makes one.
func growth(_ arguments: Arguments) throws {
    guard let server = arguments.server else {
        throw CaseFailure("--growth needs a server with many addresses: --against")
    }
    func figures(_ name: String, _ requests: Int) throws -> GrowthFigures {
        let (figures, seconds) = try ChildProcess.run(name, .curl, from: server, requests: requests)
        return GrowthFigures(
            seconds: seconds,
            processorSeconds: figures.processorSeconds,
            memory: Double(figures.peakMemory ?? 0)
        )
    }
    var calls = TextTable(["hosts", "calls at once", "time µs", "processor µs", "memory KB"], leading: 0)
    for (hosts, count) in [1, 10, 200].flatMap({ hosts in [64, 1_000, 10_000].map { (hosts, $0) } }) {
        let name = GrowingCall.calls(count, hosts: hosts).name
        let requests = max(arguments.requests ?? 20_000, 2 * count)
        let taken = try figures(name, requests) - figures(name, 1)
        let memory = taken.memory / Double(count)
        calls.add(["\(hosts)", "\(count)"] + taken.divided(by: requests).times + [GrowthFigures.kilobytes(memory)])
    }
    print("\(calls)\n")
    var streams = TextTable(["open streams", "µs to open one", "KB of one", "µs of a GET", "processor µs"], leading: 0)
    let nothing = try figures(GrowingCall.streams(1).name, 1)
    for count in [100, 1_000, 10_000] {
        let name = GrowingCall.streams(count).name
        let opened = try figures(name, 1)
        let requests = arguments.requests ?? 1_000
        let taken = try (figures(name, requests) - opened).divided(by: requests)
        let one = (opened - nothing).divided(by: count)
        streams.add(["\(count)", one.times[1], GrowthFigures.kilobytes(one.memory)] + taken.times)
    }
    print(streams)
}

/// The cost of a process, or a part of it.
private struct GrowthFigures {
    var seconds: Double
    var processorSeconds: Double
    /// The most that it had, in bytes.
    var memory: Double

    static func - (more: GrowthFigures, less: GrowthFigures) -> GrowthFigures {
        GrowthFigures(
            seconds: more.seconds - less.seconds,
            processorSeconds: more.processorSeconds - less.processorSeconds,
            memory: more.memory - less.memory
        )
    }

    func divided(by count: Int) -> GrowthFigures {
        GrowthFigures(
            seconds: seconds / Double(count),
            processorSeconds: processorSeconds / Double(count),
            memory: memory / Double(count)
        )
    }

    /// By the clock, and of the processor, in microseconds.
    var times: [String] { [seconds, processorSeconds].map { "\(Int(($0 * 1e6).rounded()))" } }

    static func kilobytes(_ bytes: Double) -> String { "\((bytes / 102.4).rounded() / 10)" }
}

/// A workload whose cost must not grow with its size.
enum GrowingCall {
    /// `GET`s of the small object, this many at once, from several hosts in turn. The hosts are the addresses from 127.0.0.1 on.
    case calls(Int, hosts: Int)
    /// `GET`s of the small object, one after the other, beside this many open streams. The server answers the path `open` with
    /// a header and the beginning of a body that does not end.
    case streams(Int)

    var name: String {
        switch self {
        case .calls(let count, let hosts): "calls-\(count)-\(hosts)"
        case .streams(let count): "streams-\(count)"
        }
    }

    init?(named name: String) {
        let parts = name.split(separator: "-")
        let numbers = parts.dropFirst().compactMap { Int($0) }.filter { (1...100_000).contains($0) }
        switch (parts.first, numbers.count) {
        case ("calls", 2) where numbers[1] < 255: self = .calls(numbers[0], hosts: numbers[1])
        case ("streams", 1): self = .streams(numbers[0])
        default: return nil
        }
    }

    /// Makes the workload over one transport, with all streams open.
    func workload(server: URL) throws -> Workload {
        #if os(Linux)
            let queue = DispatchQueue(label: "TeapotBenchmark.delivery")
            var configuration = CurlTransport.Configuration()
            if case .streams(let count) = self {
                configuration.maximumConnections = count + 6
                configuration.maximumConnectionsPerHost = count + 6
            }
            let transport = CurlTransport(configuration: configuration)
            var hosts = [server]
            if case .calls(_, let count) = self { hosts = try (1...count).map { try server.atAddress($0) } }
            let clients = hosts.map { Teapot(baseURL: $0, defaultDeliveryQueue: queue, transport: transport) }
            let next = Locked(0)
            let call: Workload.Call = { completion in
                let index = next.withLock { next in
                    next += 1
                    return next % clients.count
                }
                clients[index].get(SampleFiles.small) { completion($0.failure()) }
            }
            switch self {
            case .calls(let count, _): return .calls(inFlight: count, call)
            case .streams(let count):
                let client = clients[0]
                let streams = try TaskResult.wait { try await Self.open(count, client) }
                var workload = Workload.calls(call)
                workload.end = { _ = streams.count }
                return workload
            }
        #else
            throw CaseFailure("there is no CurlTransport")
        #endif
    }

    private static func open(_ count: Int, _ client: Teapot) async throws -> [Teapot.ResponseBytes] {
        try await withThrowingTaskGroup(of: Teapot.ResponseBytes.self) { group in
            for _ in 0..<count {
                group.addTask {
                    var request = Teapot.Request(path: "open")
                    request.timeoutInterval = 600
                    return try await client.bytes(request)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}

extension URL {
    /// The same URL, of a loopback address.
    fileprivate func atAddress(_ number: Int) throws -> URL {
        var parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
        parts?.host = "127.0.0.\(number)"
        guard let url = parts?.url else { throw URLError(.badURL) }
        return url
    }
}
