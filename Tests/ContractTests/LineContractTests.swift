import LoopbackServer
import Teapot
import TeapotCurl
import TeapotMock
import TestSupport
import TestTraits
import Testing

#if os(Linux)
    /// Exchanges that wait in line for a connection.
    @Suite(.inTurn)
    struct LineContractTests {
        /// Transports with a few connections to each host.
        enum Kind: CaseIterable, Sendable {
            case urlSession, curl

            func transport(connections: Int) -> any Transport {
                switch self {
                case .urlSession:
                    let configuration = URLSessionConfiguration.ephemeral
                    configuration.httpMaximumConnectionsPerHost = connections
                    return URLSessionTransport(configuration: configuration)
                case .curl:
                    var configuration = CurlTransport.Configuration()
                    configuration.maximumConnectionsPerHost = connections
                    return CurlTransport(configuration: configuration)
                }
            }
        }

        private static let answer = Script.Step.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")

        /// A server that answers each request when it is released.
        private func server() throws -> LoopbackServer {
            try LoopbackServer { _ in Script([.waitForRelease, Self.answer]) }
        }

        @Test(arguments: Kind.allCases)
        func `the timeout begins when a request is sent`(_ kind: Kind) async throws {
            let (server, clock) = (try server(), TestClock())
            let teapot = Teapot(baseURL: server.baseURL, transport: kind.transport(connections: 1), clock: clock)
            let timings = Locked<[Teapot.Timings]>([])
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<5 {
                    group.addTask {
                        do throws(TeapotError) {
                            let response = try await teapot.get("users")
                            timings.withLock { $0.append(response.timings) }
                        } catch {
                            Issue.record(error)
                        }
                    }
                }
                await clock.waits(5)
                // The last one waits for 40 seconds before it is sent; the timeout is 15.
                for count in 1...5 {
                    _ = await server.received(count)
                    #expect(server.requests.count == count)
                    clock.advance(by: .seconds(10))
                    server.release()
                    await eventually { timings.withLock { $0.count } >= count }
                }
            }
            #expect(timings.withLock { $0.map { $0.queued != nil } } == [false, true, true, true, true])
            #expect(timings.withLock { $0.map(\.total) } == (1...5).map { .seconds(10 * $0) })
        }

        @Test(arguments: Kind.allCases)
        func `the deadline runs, and its reason names the line`(_ kind: Kind) async throws {
            let (server, clock) = (try server(), TestClock())
            let transport = kind.transport(connections: 2)
            let teapot = Teapot(baseURL: server.baseURL, transport: transport, clock: clock)
            async let first = teapot.send(Teapot.Request(path: "first").with { $0.timeoutInterval = .infinity })
            async let second = teapot.send(Teapot.Request(path: "second").with { $0.timeoutInterval = .infinity })
            _ = await server.received(2)
            let hurried = Teapot(baseURL: server.baseURL, transport: transport, clock: clock)
            hurried.deadline = .seconds(12)
            async let third = thrown { () throws(TeapotError) in try await hurried.get("third") }
            async let fourth = thrown { () throws(TeapotError) in try await hurried.get("fourth") }
            await clock.waits(2)
            // CurlTransport puts them in line on its own thread, which does this after that.
            let other = try LoopbackServer()
            try await Teapot(baseURL: other.baseURL, transport: transport).get("get")
            clock.advance(by: .seconds(12))
            for error in await [third, fourth] {
                #expect(error?.type == .noResponse)
                #expect(error?.failureReason == "waited 12 s for one of 2 connections to 127.0.0.1")
            }
            server.release()
            server.release()
            _ = try await (first, second)
            #expect(server.requests.count == 2)
        }

        @Test(arguments: Kind.allCases)
        func `what is cancelled in line is not sent, and the others are`(_ kind: Kind) async throws {
            let server = try server()
            let teapot = Teapot(
                baseURL: server.baseURL,
                defaultDeliveryQueue: DispatchQueue(label: "delivery"),
                transport: kind.transport(connections: 1),
                clock: StoppedClock()
            )
            let completions = Completions()
            let tasks = (0..<5).map { teapot.get("users/\($0)", completion: completions.take) }
            _ = await server.received(1)
            for index in [1, 3] { tasks[index]?.cancel() }
            for count in 1...3 {
                _ = await server.received(count)
                server.release()
                await eventually { completions.count == count }
            }
            #expect(server.requests.map(\.path) == ["/users/0", "/users/2", "/users/4"])
            #expect(completions.all.map(\.isSuccess) == [true, true, true])
        }

        /// Of a coded body, all may have arrived and wait to be decoded.
        @Test(arguments: [false, true])
        func `copies within one host by the sample of Transfers end, and so do all calls to that host`(isCoded: Bool)
            async throws
        {
            let body = isCoded ? Data(DeflatedZeros(atMost: 30_000_000).stream) : Data(count: 10_000_000)
            let coding = isCoded ? "Content-Encoding: deflate\r\n" : ""
            let server = try LoopbackServer { request in
                guard request.path == "/big" else {
                    return Script([.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")])
                }
                let head = "HTTP/1.1 200 OK\r\n\(coding)Content-Length: \(body.count)\r\n\r\n"
                return Script([.send(head), .send(body)])
            }
            let clock = TestClock()
            let (other, transport) = (try LoopbackServer(), CurlTransport())
            let teapot = Teapot(baseURL: server.baseURL, transport: transport, clock: clock)
            // What is read has time: the clock of the others runs faster than any server sends.
            let reader = Teapot(baseURL: server.baseURL, transport: transport, clock: StoppedClock())
            let (isReading, isOver) = (Locked(0), Locked(0))
            let reasons = await withTaskGroup(of: String?.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        defer { isOver.withLock { $0 += 1 } }
                        do throws(TeapotError) {
                            let export = try await reader.bytes("big")
                            isReading.withLock { $0 += 1 }
                            await eventually { isReading.withLock { $0 } == 6 }
                            try await teapot.send(.init(.put, path: "sink", body: .stream(export)))
                            return nil
                        } catch { return error.failureReason }
                    }
                }
                group.addTask {
                    defer { isOver.withLock { $0 += 1 } }
                    await eventually { isReading.withLock { $0 } == 6 }
                    return await thrown { () throws(TeapotError) in try await teapot.get("other") }?.failureReason
                }
                // All are in line once the engine has sent what came after them.
                await clock.waits(7)
                _ = try? await Teapot(baseURL: other.baseURL, transport: transport).get("get")
                while isOver.withLock({ $0 }) < 7 {
                    if clock.waitCount > 0 { clock.advance(by: .seconds(1)) }
                    await Task.yield()
                }
                return await group.reduce(into: [String?]()) { $0.append($1) }
            }
            #expect(reasons.count == 7)
            let line = /waited \d+ s for one of 6 connections to 127\.0\.0\.1, on which nothing moved.*/
            #expect(reasons.contains { $0?.wholeMatch(of: line) != nil }, "\(reasons)")
        }
    }
#endif
