#if canImport(FoundationNetworking)
    import Foundation
    import LoopbackServer
    import Teapot
    import TestSupport
    import TestTraits
    import Testing

    /// A server whose responses keep the queue busy that all sessions of FoundationNetworking share. In a process of their own,
    /// which would be stuck.
    @Suite(.inTurn, .exitTests)
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
                let error = await thrown { () throws(TeapotError) in
                    try await fine.send(Teapot.Request(path: "get").with { $0.timeoutInterval = 2 })
                }
                if error != nil { return call }
            }
            return call
        }

        /// In seconds. FoundationNetworking is busy for longer, and the machine may be, too.
        private static let patience = 10.0

        @Test(.disabled(if: Libcurl.isAtLeast(.v8_14), "it takes no more than 5,000 header fields: nothing is busy"))
        func `calls end once, and in time`() async {
            await #expect(processExitsWith: .success) {
                let busy = try await URLSessionTransportTests.keepBusy()
                try await URLSessionTransportTests.expectTimeouts()
                try await URLSessionTransportTests.expectCancellationBeforeTheStart()
                let time = await ContinuousClock().measure {
                    busy.cancel()
                    await busy.value
                }
                #expect(time < .seconds(URLSessionTransportTests.patience))
            }
        }

        /// Timeouts hold, and no thread waits for longer.
        private static func expectTimeouts() async throws {
            let server = try LoopbackServer()
            let folder = try TemporaryFolder()
            let file = folder.file("body")
            try Data(count: 10).write(to: file)
            let teapot = Teapot(baseURL: server.baseURL, defaultDeliveryQueue: .global())
            let calls: [String: @Sendable () async -> Void] = [
                "async": { _ = try? await teapot.send(Teapot.Request(path: "get").with { $0.timeoutInterval = 0.3 }) },
                "closure": { _ = await result { teapot.get("get", timeoutInterval: 0.3, completion: $0) } },
                "verb": { _ = teapot.get("get", timeoutInterval: 0.3) { (_: NetworkResult) in } },
                "blocking": {
                    await onThread {
                        _ = try? teapot.sendAndWait(Teapot.Request(path: "get").with { $0.timeoutInterval = 0.3 })
                    }
                },
                "upload": {
                    _ = try? await teapot.upload(
                        Teapot.Request(.put, path: "put", body: .file(file)).with { $0.timeoutInterval = 0.3 }
                    )
                },
                "many": {
                    await withTaskGroup { group in
                        for _ in 0..<20 {
                            group.addTask {
                                _ = try? await teapot.send(
                                    Teapot.Request(path: "get").with { $0.timeoutInterval = 0.3 }
                                )
                            }
                        }
                    }
                },
                "sleep": { try? await Task.sleep(for: .seconds(0.1)) },
                "cancel": {
                    let task = Task { _ = try? await teapot.get("get") }
                    await Task.yield()
                    task.cancel()
                    await task.value
                },
            ]
            await withTaskGroup { group in
                for (name, call) in calls {
                    group.addTask { (name, await ContinuousClock().measure(call)) }
                }
                for await (name, time) in group { #expect(time < .seconds(patience), "\(name)") }
            }
        }

        /// A task that has not started can be cancelled, and ends once.
        private static func expectCancellationBeforeTheStart() async throws {
            let server = try LoopbackServer()
            let transport = URLSessionTransport()
            let events = Locked<[String]>([])
            let hasEnded = Signal()
            let folder = try TemporaryFolder()
            let file = folder.file("body")
            try Data(count: 10).write(to: file)
            var request = URLRequest(url: server.baseURL)
            request.httpMethod = "PUT"
            for request in [TransportRequest(request), try TransportRequest(request, bodyFile: file)] {
                let task = transport.start(request) { event in
                    let isLast = events.withLock { events in
                        events.append("\(event.kind)")
                        return events.count == 2
                    }
                    if isLast { hasEnded.fire() }
                }
                for _ in 0..<3 { task?.cancel() }
            }
            await hasEnded.wait()
            let seen = events.withLock { $0 }
            #expect(seen.count == 2)
            #expect(seen.allSatisfy { $0.hasPrefix("finished") && $0.contains("-999") })
            #expect(server.requests.isEmpty)
        }
    }
#endif
