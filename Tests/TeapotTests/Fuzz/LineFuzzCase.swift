#if os(Linux)
    import Foundation
    import LoopbackServer
    import Teapot
    import TeapotCurl
    import TestSupport

    /// Exchanges with one host, which has too few connections for them: some are cancelled in line, some under way.
    struct LineFuzzCase {
        private let connections: Int
        private let suspended: Set<Int>
        private let cancelled: [Int]
        private let waiting: Int
        private let endsEarly: Int

        init(_ generator: inout SeededGenerator) {
            connections = generator.number(1...3)
            waiting = generator.number(1...30)
            cancelled = (0..<waiting).filter { [count = generator.pick([1, 2, 4])] _ in generator.oneIn(count) }
                .shuffled(using: &generator)
            suspended = Set((0..<waiting).filter { _ in generator.oneIn(4) })
            endsEarly = generator.number(0...connections)
        }

        /// The end of an exchange, and what becomes of its body.
        private final class Record: Sendable {
            let ends = Locked(0)
            let ended = Signal()
            let isFreed = Locked(false)

            var body: Data {
                let bytes = UnsafeMutableRawPointer.allocate(byteCount: 1_000, alignment: 1)
                bytes.initializeMemory(as: UInt8.self, repeating: 0x61, count: 1_000)
                return Data(
                    bytesNoCopy: bytes,
                    count: 1_000,
                    deallocator: .custom { [isFreed] bytes, _ in
                        bytes.deallocate()
                        isFreed.withLock { $0 = true }
                    }
                )
            }
        }

        private struct Weak {
            weak var object: AnyObject?
        }

        /// - Returns: What is wrong.
        func problems() async throws -> [String] {
            let server = try LoopbackServer { request in
                request.path == "/held"
                    ? Script([.waitForRelease, .send("HTTP/1.1 204 No\r\n\r\n")]) : nil
            }
            let other = try LoopbackServer()
            var configuration = CurlTransport.Configuration()
            configuration.maximumConnectionsPerHost = connections
            let transport = CurlTransport(configuration: configuration)
            func start(_ path: String, _ record: Record, body: Data? = nil) -> (any TransportTask)? {
                var request = URLRequest(url: server.baseURL.appending(path: path))
                request.httpMethod = body == nil ? "GET" : "PUT"
                request.httpBody = body
                return transport.start(TransportRequest(request)) { event in
                    guard event.isFinished else { return }
                    record.ends.withLock { $0 += 1 }
                    record.ended.fire()
                }
            }
            let held = (0..<connections).map { _ in Record() }
            let heldTasks = held.map { start("held", $0) }
            _ = await server.received(connections)
            let records = (0..<waiting).map { _ in Record() }
            var tasks: [(any TransportTask)?] = records.map { start("anything", $0, body: $0.body) }
            for index in suspended { tasks[index]?.suspend() }
            let exchanges = cancelled.map { Weak(object: tasks[$0] as AnyObject) }
            for index in cancelled {
                tasks[index]?.cancel()
                tasks[index] = nil
            }
            for index in cancelled { await records[index].ended.wait() }
            // The thread has done with them once it has answered something else.
            try await Teapot(baseURL: other.baseURL, transport: transport).get("get")
            var problems: [String] = []
            for index in cancelled where !records[index].isFreed.withLock({ $0 }) {
                problems.append("the body of \(index) is kept")
            }
            if exchanges.contains(where: { $0.object != nil }) { problems.append("a cancelled exchange is kept") }
            for task in heldTasks.prefix(endsEarly) { task?.cancel() }
            for _ in held { server.release() }
            for index in suspended { tasks[index]?.resume() }
            for record in held + records { await record.ended.wait() }
            try await Teapot(baseURL: server.baseURL, transport: transport).get("get")
            if (held + records).contains(where: { $0.ends.withLock { $0 } != 1 }) {
                problems.append("an end that is not one")
            }
            let sent = server.requests.count { $0.path == "/anything" }
            if sent != waiting - cancelled.count {
                problems.append("\(sent) of \(waiting), \(cancelled.count) cancelled")
            }
            return problems
        }
    }
#endif
