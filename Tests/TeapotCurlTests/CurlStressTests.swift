#if os(Linux)
    import LoopbackServer
    import Teapot
    import TeapotCurl
    import TestSupport
    import TestTraits
    import Testing

    /// Many calls at once, cancelled at any moment.
    @Suite(.firstInTurn)
    struct CurlStressTests {
        private static let hand = DispatchQueue(label: "hand", attributes: .concurrent)

        /// Makes calls, at most 64 at a time, and cancels most of them at some moment within so many microseconds.
        ///
        /// - Returns: How many succeeded, were cancelled, and had another outcome.
        private func race(
            _ count: Int,
            within time: Int,
            _ call: @escaping @Sendable (Int) async throws(TeapotError) -> Teapot.Response
        ) async -> (succeeded: Int, cancelled: Int, others: [TeapotError]) {
            var generator = SystemRandomNumberGenerator()
            var tally = (succeeded: 0, cancelled: 0, others: [TeapotError]())
            func take(_ outcome: Outcome) {
                switch outcome {
                case .success: tally.succeeded += 1
                case .failure(let error) where error.type == .cancelled: tally.cancelled += 1
                case .failure(let error): tally.others.append(error)
                }
            }
            await withTaskGroup(of: Outcome.self) { group in
                for index in 0..<count {
                    if index >= 64, let outcome = await group.next() { take(outcome) }
                    let moment = Int.random(in: 0..<time, using: &generator)
                    group.addTask {
                        let task = Task { await Outcome(of: { () throws(TeapotError) in try await call(index) }) }
                        switch index % 8 {
                        case 0: task.cancel()
                        case 1: break
                        default: Self.hand.asyncAfter(deadline: .now() + .microseconds(moment)) { task.cancel() }
                        }
                        return await task.value
                    }
                }
                for await outcome in group { take(outcome) }
            }
            return tally
        }

        private static var factor: Int {
            ProcessInfo.processInfo.environment["TEAPOT_STRESS_CALLS"].flatMap(Int.init).map { max(1, $0 / 2_000) } ?? 1
        }

        /// With 257 connections, by epoll.
        @Test(arguments: [256, 257])
        func `each call ends once, with success or cancelled`(connections: Int) async throws {
            let server = try LoopbackServer(recordsRequests: false)
            var configuration = CurlTransport.Configuration()
            configuration.maximumConnections = connections
            let teapot = Teapot(baseURL: server.baseURL, transport: CurlTransport(configuration: configuration))
            let count = 2_000 * Self.factor
            let paths: [Teapot.Path] = ["get", "redirect/1", "bytes/100000", "file/300000?chunked=1"]
            let tally = await race(count, within: 20_000) { index throws(TeapotError) in
                try await teapot.send(Teapot.Request(path: paths[index / 8 % 4]).with { $0.timeoutInterval = 60 })
            }
            print("stress over curl: cancellation: \(tally.succeeded) succeeded, \(tally.cancelled) cancelled")
            #expect(tally.others.isEmpty)
            #expect(tally.succeeded + tally.cancelled == count)
            #expect(tally.succeeded > count / 10)
            #expect(tally.cancelled > count / 10)
        }

        /// The thread ends while others wake it up, with or without an exchange: the last of them releases what they share.
        @Test(arguments: [256, 257])
        func `tasks are cancelled while their transport ends`(connections: Int) async throws {
            let server = try LoopbackServer(recordsRequests: false)
            let request = TransportRequest(URLRequest(url: server.baseURL.appending(path: "get")))
            var configuration = CurlTransport.Configuration()
            configuration.maximumConnections = connections
            for index in 0..<200 * Self.factor {
                let (done, ends) = (Signal(), Locked(0))
                let task = CurlTransport(configuration: configuration).start(request) { event in
                    guard event.isFinished else { return }
                    ends.withLock { $0 += 1 }
                    done.fire()
                }
                if index.isMultiple(of: 2) { await done.wait() }
                for _ in 0..<4 { Self.hand.async { task?.cancel() } }
                await done.wait()
                #expect(ends.withLock { $0 } == 1)
            }
        }

        @Test func `uploads end while the server resets them`() async throws {
            let count = 200 * Self.factor
            let folder = try TemporaryFolder()
            let file = folder.file("leaves")
            try Data(count: 1_000_000).write(to: file)
            let server = try LoopbackServer(recordsRequests: false)
            for index in 0..<count {
                server.run(Script([.pause(Double(index % 5) / 1_000), index.isMultiple(of: 2) ? .reset : .close]))
            }
            let teapot = Teapot(baseURL: server.baseURL, transport: CurlTransport())
            let tally = await race(count, within: 10_000) { _ throws(TeapotError) in
                try await teapot.upload(
                    Teapot.Request(.put, path: "put", body: .file(file)).with { $0.timeoutInterval = 60 }
                )
            }
            #expect(tally.others.allSatisfy { $0.type == .noResponse })
            #expect(tally.succeeded + tally.cancelled + tally.others.count == count)
            #expect(tally.cancelled > 0)
            // The transport still works.
            let other = try LoopbackServer()
            teapot.baseURL = other.baseURL
            #expect(
                try await teapot.upload(
                    Teapot.Request(.put, path: "put", body: .file(file)).with { $0.timeoutInterval = 60 }
                ).status == 200
            )
        }
    }
#endif
