#if os(Linux)
    import CLibcurl
    import LoopbackServer
    import Teapot
    @testable import TeapotCurl
    import TestSupport
    import TestTraits
    import Testing

    /// The time, memory, threads and descriptors of whole processes, which nothing else uses.
    @Suite(.firstInTurn, .exitTests)
    struct CurlResourceTests {
        /// With 257 connections, by epoll.
        @Test(arguments: [256, 257])
        func `the thread ends with the transport, and leaves nothing behind`(connections: Int) async throws {
            await #expect(processExitsWith: .success) { [connections = connections as Int] in
                var configuration = CurlTransport.Configuration()
                configuration.maximumConnections = connections
                let server = try LoopbackServer()
                // Those who keep a task keep nothing else, and may cancel it at any time.
                var tasks: [any TransportTask] = []
                func use() async {
                    let done = Signal()
                    let request = URLRequest(url: server.baseURL.appending(path: "get"))
                    let transport = CurlTransport(configuration: configuration)
                    let task = transport.start(TransportRequest(request)) { event in
                        if event.isFinished { done.fire() }
                    }
                    await done.wait()
                    if let task { tasks.append(task) }
                    for task in tasks { task.cancel() }
                }
                for _ in 0..<5 { await use() }
                let before = try #require(ProcessResources.current)
                for _ in 0..<100 { await use() }
                // The last threads may still be at it.
                var after = before
                for _ in 0..<1_000 {
                    after = try #require(ProcessResources.current)
                    if after.descriptors <= before.descriptors + 3, after.threads <= before.threads + 3 { break }
                    await use()
                }
                #expect(after.descriptors <= before.descriptors + 3, "\(before), then \(after)")
                #expect(after.threads <= before.threads + 3, "\(before), then \(after)")
            }
        }

        /// The open descriptors of whose details a line passes: threads that start and end open and close some, too, so that neither the
        /// number nor the time says whose one is.
        private static func descriptors(where isRight: (Substring) -> Bool) -> [Int32] {
            (0..<Int32(1_024)).filter { descriptor in
                let details = try? String(contentsOfFile: "/proc/self/fdinfo/\(descriptor)", encoding: .utf8)
                return details?.split(separator: "\n").contains(where: isRight) == true
            }
        }

        /// As a daemon does when it starts: each wait ends at once then, and the thread rests instead.
        @Test(arguments: [false, true])
        func `a thread whose descriptors are closed does not occupy a core`(usesEpoll: Bool) async {
            await #expect(processExitsWith: .success) { [usesEpoll = usesEpoll as Bool] in
                _ = try CurlLibrary.current.get()
                // What is opened later gets the numbers of these, or of one that was closed just now.
                let lower = (0..<64).map { _ in dup(STDERR_FILENO) }
                var (multi, own) = (nil as OpaquePointer?, [] as [Int32])
                for count in 7..<100 where own.allSatisfy({ $0 < lower[63] }) {
                    multi = clibcurl_multi_init(usesEpoll)
                    // It is the one that was woken so often.
                    for _ in 0..<count { clibcurl_multi_wakeup(try #require(multi)) }
                    let line = "eventfd-count:\(String(count, radix: 16))"
                    own = Self.descriptors { $0.split(separator: " ").joined() == line }
                }
                // Those of Dispatch stay: without them, it ends the process.
                try #require(own.count == 1)
                own += Self.descriptors { $0.hasPrefix("tfd:") && $0.split(separator: " ")[1] == "\(own[0])" }
                try #require(own.count == (usesEpoll ? 2 : 1))
                for descriptor in lower + own { close(descriptor) }
                let start = DispatchTime.now().uptimeNanoseconds
                for _ in 0..<10 { _ = clibcurl_multi_poll(try #require(multi), 60_000) }
                let milliseconds = (DispatchTime.now().uptimeNanoseconds - start) / 1_000_000
                // Each rests for 10 ms.
                #expect(100..<30_000 ~= milliseconds)
            }
        }

        @Test func `an idle connection is given up when no descriptor is left`() async throws {
            let servers = try (0..<3).map { _ in try LoopbackServer() }
            let urls = servers.map(\.baseURL)
            await #expect(processExitsWith: .success) { [urls = urls as [URL]] in
                let teapot = Teapot(baseURL: urls[0], transport: CurlTransport())
                for url in urls.dropLast() {
                    teapot.baseURL = url
                    try await teapot.get("get")
                }
                var opened: [Int32] = []
                var limit = rlimit(rlim_cur: 256, rlim_max: 256)
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
                while case let descriptor = dup(STDERR_FILENO), descriptor >= 0 { opened.append(descriptor) }
                // One after the other has to go.
                for url in [urls[2], urls[1], urls[0], urls[2]] {
                    teapot.baseURL = url
                    try await teapot.get("get")
                }
                #expect(dup(STDERR_FILENO) < 0)
                for descriptor in opened { close(descriptor) }
            }
            withExtendedLifetime(servers) {}
        }

        @Test func `a call beside hundreds of open streams costs what it costs alone`() async throws {
            let server = try LoopbackServer(recordsRequests: false) { request in
                let head = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"
                return request.path == "/open" ? Script([.send(head), .waitForRelease]) : nil
            }
            let url = server.baseURL
            let child = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
                [url = url as URL] in
                let count = 450
                var configuration = CurlTransport.Configuration()
                configuration.maximumConnections = count + 6
                configuration.maximumConnectionsPerHost = count + 6
                let teapot = Teapot(baseURL: url, transport: CurlTransport(configuration: configuration))
                func processorTime() -> Double {
                    var time = timespec()
                    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
                    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
                }
                // The least of some, as others use the processor's caches, too.
                func timeOfACall() async throws -> Double {
                    var times: [Double] = []
                    for _ in 0..<5 {
                        let start = processorTime()
                        for _ in 0..<100 { try await teapot.get("get") }
                        times.append((processorTime() - start) / 100)
                    }
                    return times.min() ?? 0
                }
                _ = try await timeOfACall()
                let alone = try await timeOfACall()
                var streams: [Teapot.ResponseBytes] = []
                for _ in 0..<count { streams.append(try await teapot.bytes("open")) }
                let beside = try await timeOfACall()
                let times = String(format: "%.0f µs, %.0f µs", alone * 1e6, beside * 1e6)
                print("stress over curl: a call alone, and beside \(count) streams: \(times)")
                #expect(beside < 2.5 * alone)
                withExtendedLifetime(streams) {}
            }
            withExtendedLifetime(server) {}
            print(String(decoding: child?.standardOutputContent ?? [], as: UTF8.self), terminator: "")
        }

        @Test func `ten thousand calls that wait cost no time, no thread and little memory`() async throws {
            let child = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
                let count = 10_000
                let server = try LoopbackServer(recordsRequests: false) { request in
                    request.path != "/late"
                        ? nil : Script([.waitForRelease, .send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")])
                }
                let teapot = Teapot(baseURL: server.baseURL, transport: CurlTransport())
                try await teapot.get("get")
                let before = try #require(ProcessResources.current)
                let ended = Locked(0)
                let tasks = (0..<count).map { _ in
                    teapot.get("late", timeoutInterval: 600, deliveryQueue: .global()) { (_: NetworkResult) in
                        ended.withLock { $0 += 1 }
                    }
                }
                // All that can be sent has been.
                _ = await server.received(1)
                func processorTime() -> Double {
                    var time = timespec()
                    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
                    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
                }
                // An answer that takes two seconds, in which nothing else happens.
                let other = Teapot(baseURL: server.baseURL, transport: CurlTransport())
                try await other.get("get")
                let start = processorTime()
                let waited = try await other.get("delay/2").timings.total.components
                let share = (processorTime() - start) / (Double(waited.seconds) + Double(waited.attoseconds) / 1e18)
                let after = try #require(ProcessResources.current)
                let kilobytes = Double(after.memory - before.memory) / Double(count)
                let use = String(format: "%.2f %% of a core, %.1f KB each", share * 100, kilobytes)
                print("stress over curl: \(count) waiting calls: \(use), \(after)")
                #expect(share < 0.01)
                #expect(kilobytes < 20)
                for task in tasks { task?.cancel() }
                #expect(ended.withLock { $0 } == 0)
                #expect(try await teapot.get("get").status == 200)
            }
            print(String(decoding: child?.standardOutputContent ?? [], as: UTF8.self), terminator: "")
        }
    }
#endif
