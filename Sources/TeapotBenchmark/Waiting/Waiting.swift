import Foundation
import Teapot
import TeapotMock

/// Looks what it costs a process to wait for many slow answers, with each transport, and prints a table of it.
func waiting(_ arguments: Arguments) throws {
    let requests = arguments.requests ?? 1_000
    let server = try BenchmarkServer(arguments)
    defer { server.stop() }
    print("\(Machine.current)\n")
    var table = TextTable(["\(requests) calls wait", "CPU ms/s", "wake-ups/s", "resident KB"])
    for (side, _) in Case.waiting.makers.all {
        ProgressLine.show("\(side.title): \(requests) calls wait")
        let child = try ChildProcess.run(Case.waiting.name, side, from: server.baseURL, requests: requests).figures
        table.add([
            side.title, (child.sample.processorSeconds / child.sample.seconds * 1_000).text(digits: 2),
            (child.sample.wakeUps / child.sample.seconds).text(digits: 1),
            child.residentMemory.map { "\($0 >> 10)" } ?? "unknown",
        ])
    }
    ProgressLine.clear()
    print(table.markdown)
}

extension Case {
    /// Waiting for answers that do not come meanwhile. Over connections, only a few of the calls are at the server; the others
    /// wait for a connection.
    static let waiting = Case(
        name: "waiting",
        summary: "waiting for slow answers",
        goal: nil,
        requests: 1_000,
        makers: Sides(
            baseline: { server in
                let session = URLSession(configuration: .default)
                let url = server.appending(path: SoakFault.stall.path)
                return .waiting { ended in session.dataTask(with: url) { _, _, _ in ended() }.resume() }
            },
            calls: { .waiting($0) },
            others: [
                .mock: { _ in
                    let mock = MockTeapot(strictIn: .main)
                    try mock.overrideEndPoint(SoakFault.stall.path, with: .status(.ok).delayed(by: .seconds(10)))
                    return .waiting(mock)
                }
            ]
        )
    )
}

extension Workload {
    private static let settlingSeconds = 1.0
    private static let seconds = 3.0

    fileprivate static func waiting(_ teapot: Teapot) -> Workload {
        waiting { ended in teapot.get(SoakFault.stall.path) { (_: NetworkResult) in ended() } }
    }

    /// Starts calls, and takes what the process spends while all of them wait. They end with the process.
    fileprivate static func waiting(
        _ start: @escaping @Sendable (_ ended: @escaping @Sendable () -> Void) -> Void
    ) -> Workload {
        Workload { requests in
            let ended = Locked(0)
            for _ in 0..<requests { start { ended.withLock { $0 += 1 } } }
            Thread.sleep(forTimeInterval: settlingSeconds)
            let sample = Sample.measure { Thread.sleep(forTimeInterval: seconds) }
            let count = ended.withLock { $0 }
            guard count == 0 else { throw CaseFailure("\(count) calls did not wait") }
            return sample
        }
    }
}
