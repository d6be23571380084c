import Foundation
import LoopbackServer
import Teapot
import TestSupport

/// Sends many requests of all kinds, several at once, and prints their outcomes and the resources of the process meanwhile.
///
/// - Returns: Whether every call had its expected outcome and, if there were enough of them, nothing grew.
func soak(_ arguments: Arguments) async throws -> Bool {
    let requests = arguments.requests ?? 50_000
    let server = try BenchmarkServer(arguments)
    defer { server.stop() }
    let client = try SoakClient(server: server.baseURL, isCurl: arguments.isCurl)
    let (calls, connecting) = arguments.isPlain ? SoakCall.plain(from: server.baseURL) : SoakCall.mixed
    var generator = SeededGenerator(seed: UInt64(arguments.seed))
    let drawn = (0..<requests).map { _ in SoakCall.any(of: calls, using: &generator) }
    var report = SoakReport(requests: requests)
    print("\(drawn.count) requests, \(SoakClient.width) at once, seed \(arguments.seed)\n\n\(SoakReport.heading)")
    let start = ContinuousClock.now
    for point in 1...SoakReport.pointCount {
        let end = drawn.count * point / SoakReport.pointCount
        report.add(await client.make(drawn[(drawn.count * (point - 1) / SoakReport.pointCount)..<end]))
        // Some connections stay open, and how many the calls before have left is chance: have all of them open.
        _ = await client.make(Array(repeating: connecting, count: SoakClient.connections)[...])
        if let resources = ProcessResources.current { print(report.add(resources, after: end)) }
    }
    report.seconds = (ContinuousClock.now - start) / .seconds(1)
    report.addLateCompletions(client.lateCompletions.withLock { $0 })
    print(report)
    return report.isGood
}

extension SoakCall {
    /// A kind, each as often as its share says.
    fileprivate static func any(of calls: [SoakCall], using generator: inout SeededGenerator) -> SoakCall {
        var place = Int.random(in: 0..<calls.reduce(0) { $0 + $1.share }, using: &generator)
        return calls.first { call in
            place -= call.share
            return place < 0
        } ?? calls[0]
    }
}

extension SoakClient {
    /// Makes calls, each as soon as there is room.
    ///
    /// - Parameter calls: The calls, whose indices are their numbers.
    /// - Returns: Their outcomes. No call is under way any more.
    fileprivate func make(_ calls: ArraySlice<SoakCall>) async -> [SoakCall.Outcome] {
        await withTaskGroup(of: SoakCall.Outcome.self) { group in
            var outcomes: [SoakCall.Outcome] = []
            for (index, call) in zip(calls.indices, calls) {
                if index - calls.startIndex >= Self.width, let outcome = await group.next() { outcomes.append(outcome) }
                group.addTask { await call.outcome(self, index) }
            }
            for await outcome in group { outcomes.append(outcome) }
            return outcomes
        }
    }
}

/// The client that the calls of a soak share.
struct SoakClient: Sendable {
    /// How many calls are under way at once.
    static let width = 8
    /// How many connections to one server `URLSession` makes, and `CurlTransport`.
    static let connections = 6
    /// The size of the files that are sent and fetched, in bytes.
    static let fileSize = 60_000

    let teapot: Teapot
    /// A client of a server that is not there.
    let unreachable: Teapot
    let folder: TemporaryFolder
    /// The content of the files.
    let content = GeneratedFile.bytes(0..<fileSize)
    let digest = GeneratedFile.digest(0..<fileSize).text
    /// How many completions were called although their calls had been cancelled.
    let lateCompletions = Locked(0)

    init(server: URL, isCurl: Bool) throws {
        let queue = DispatchQueue(label: "TeapotBenchmark.delivery")
        let transport = isCurl ? Case.curlTransport : URLSessionTransport()
        teapot = Teapot(baseURL: server, defaultDeliveryQueue: queue, transport: transport)
        var nobody = URLComponents(url: server, resolvingAgainstBaseURL: true)
        nobody?.port = 1
        guard let nobody = nobody?.url else { throw URLError(.badURL) }
        unreachable = Teapot(baseURL: nobody, defaultDeliveryQueue: queue, transport: transport)
        folder = try TemporaryFolder()
        try content.write(to: upload)
    }

    /// The file that is sent.
    var upload: URL { folder.file("upload") }
}

/// The faults of the server on request, by the path `fault/NAME`. None of them ends the client's process.
enum SoakFault: String, CaseIterable {
    /// The connection is reset before anything is answered.
    case reset
    /// The connection is closed in the middle of the body.
    case cut
    /// The body is said to be compressed, and is not.
    case gzip
    /// Nothing comes, until the client hangs up.
    case stall

    private static let prefix = "/fault/"

    var path: String { Self.prefix + rawValue }

    init?(path: String) {
        guard path.hasPrefix(Self.prefix) else { return nil }
        self.init(rawValue: String(path.dropFirst(Self.prefix.count)))
    }

    /// The server's actions once it has read the request.
    var script: Script {
        switch self {
        case .reset: Script([.reset])
        case .cut: Script([.send("HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\nhalf"), .close])
        case .gzip:
            Script([.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope"), .close])
        case .stall: Script([.stall])
        }
    }
}
