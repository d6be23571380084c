#if canImport(FoundationNetworking)
    internal import Foundation
    internal import LoopbackServer
    internal import Teapot
    internal import TestSupport
    internal import TestTraits
    internal import Testing

    /// A server whose responses keep the queue busy that all sessions of FoundationNetworking share. In processes of their own,
    /// which would be stuck.
    @Suite("One server does not stop the others", .timeLimit(.minutes(10)), .inTurn)
    struct URLSessionTransportTests {
        /// As many as libcurl takes. It takes FoundationNetworking half a minute and more: the time grows with the square.
        private static let fields = String(repeating: "a: \r\n", count: 61_000)

        /// Keeps the queue busy, and returns the call that does once it is.
        private static func keepBusy() async throws -> Task<Void, Never> {
            let server = try LoopbackServer(scripts: [
                Script([.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\(fields)\r\n")])
            ])
            let teapot = Teapot(baseURL: server.baseURL, clock: StoppedClock())
            let call = Task { _ = try? await teapot.get("get") }
            _ = await server.received(1)
            let other = try LoopbackServer()
            let fine = Teapot(baseURL: other.baseURL)
            for _ in 0..<200 {
                // Long enough that a machine with much to do is not taken for a queue that is busy.
                let error = await thrown { () throws(TeapotError) in try await fine.get("get", timeoutInterval: 3) }
                if error != nil { return call }
            }
            return call
        }

        /// In seconds. FoundationNetworking is busy for longer, and the machine may be, too.
        private static let patience = 10.0

        @Test func `timeouts hold, and no thread waits for longer`() async {
            await #expect(processExitsWith: .success) {
                let busy = try await URLSessionTransportTests.keepBusy()
                let server = try LoopbackServer()
                let folder = try TemporaryFolder()
                let file = folder.file("body")
                try Data(count: 10).write(to: file)
                let teapot = Teapot(baseURL: server.baseURL, defaultDeliveryQueue: .global())
                func seconds(_ body: () async -> Void) async -> Double {
                    let start = ContinuousClock.now
                    await body()
                    return (ContinuousClock.now - start) / .seconds(1)
                }
                var times: [String: Double] = [:]
                times["async"] = await seconds { _ = try? await teapot.get("get", timeoutInterval: 0.3) }
                times["closure"] = await seconds {
                    _ = await result { teapot.get("get", timeoutInterval: 1, completion: $0) }
                }
                times["verb"] = await seconds { _ = teapot.get("get", timeoutInterval: 0.3) { (_: NetworkResult) in } }
                times["blocking"] = await seconds {
                    await onThread { _ = try? teapot.sendAndWait(Teapot.Request(path: "get", timeoutInterval: 0.3)) }
                }
                times["upload"] = await seconds {
                    _ = try? await teapot.upload("put", fromFile: file, method: .put, timeoutInterval: 0.3)
                }
                times["many, and a sleep"] = await seconds {
                    async let calls: Void = withTaskGroup { group in
                        for _ in 0..<20 { group.addTask { _ = try? await teapot.get("get", timeoutInterval: 0.3) } }
                    }
                    try? await Task.sleep(for: .seconds(0.1))
                    await calls
                }
                times["cancel"] = await seconds {
                    let task = Task { _ = try? await teapot.get("get") }
                    await Task.yield()
                    task.cancel()
                    await task.value
                }
                times["cancel of a call under way"] = await seconds {
                    busy.cancel()
                    await busy.value
                }
                let late = times.filter { $0.value > URLSessionTransportTests.patience }
                #expect(late.isEmpty)
            }
        }

        @Test func `a task that has not started can be cancelled, and ends once`() async {
            await #expect(processExitsWith: .success) {
                let busy = try await URLSessionTransportTests.keepBusy()
                let server = try LoopbackServer()
                let transport = URLSessionTransport()
                let events = Locked<[String]>([])
                let hasEnded = Signal()
                let folder = try TemporaryFolder()
                let file = folder.file("body")
                try Data(count: 10).write(to: file)
                for bodyFile in [nil, file] {
                    var request = URLRequest(url: server.baseURL)
                    request.httpMethod = "PUT"
                    let task = transport.start(request, bodyFile: bodyFile) { event in
                        let isLast = events.withLock { events in
                            events.append("\(event)")
                            return events.count == 2
                        }
                        if isLast { hasEnded.fire() }
                    }
                    for _ in 0..<3 { task.cancel() }
                }
                await hasEnded.wait()
                let seen = events.withLock { $0 }
                #expect(seen.count == 2)
                #expect(seen.allSatisfy { $0.hasPrefix("finished") && $0.contains("-999") })
                #expect(server.requests.isEmpty)
                busy.cancel()
            }
        }
    }
#endif
