#if os(Linux)
    import Teapot
    import TeapotCurl
    import TeapotMock
    import TestSupport
    import TestTraits
    import Testing

    /// How connections over TLS are used again, and shared over HTTP/2, with the servers that `.ci/tls-servers` starts.
    /// `TEAPOT_TLS_PORTS` has their ports. Without `TEAPOT_TLS_DIRECTORY`, the system trusts their authority.
    @Suite(.enabled(if: TLSServers.ports != nil), .serialized, .inTurn)
    struct CurlTLSReuseTests {
        private func url(_ server: String) throws -> URL {
            let port = try #require(TLSServers.ports?[server])
            return try #require(URL(string: "https://127.0.0.1:\(port)"))
        }

        private func transport(connections: Int) -> CurlTransport {
            var configuration = CurlTransport.Configuration()
            configuration.maximumConnectionsPerHost = connections
            if let directory = TLSServers.directory {
                configuration.certificateAuthorities = .file(directory.appending(path: "authority.crt"))
            }
            return CurlTransport(configuration: configuration)
        }

        private func teapot(_ server: String, connections: Int = 6) throws -> Teapot {
            Teapot(baseURL: try url(server), transport: transport(connections: connections))
        }

        @Test(arguments: ["close", "stray", "late"])
        func `an idle connection is not used after`(change: String) async throws {
            let (teapot, other) = (try teapot("idle"), try teapot("idle"))
            let first = try await teapot.get("get", as: [String: Int].self)
            _ = try await other.get(Teapot.Path(change))
            let response = try await teapot.post("get", body: ["a": 1])
            #expect(response.timings.isConnectionReused == false)
            let second = try response.decode([String: Int].self)
            #expect(second["connection"] ?? 0 > first["connection"] ?? .max)
            #expect(try await teapot.post("get", body: ["a": 1]).timings.isConnectionReused == true)
        }

        /// nginx takes ten requests on a connection, and sends `GOAWAY`; `.ci/tls` looks in its log for requests that it took twice.
        @Test(arguments: [1, 6], [Teapot.HTTPMethod.get, .post])
        func `requests that a server does not take on a connection are sent on another`(
            connections: Int,
            method: Teapot.HTTPMethod
        ) async throws {
            let teapot = try teapot("http2-recycled", connections: connections)
            // The log is that of all runs.
            let run = UInt64.random(in: 0 ... .max)
            let errors = await withTaskGroup(of: TeapotError?.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        let path = "get?recycled=\(run)-\(number)"
                        let body = method == .post ? Teapot.Request.Body(Data("{}".utf8)) : nil
                        return await thrown { () throws(TeapotError) in
                            try await teapot.send(Teapot.Request(method, path: Teapot.Path(path), body: body))
                        }
                    }
                }
                return await group.reduce(into: [TeapotError]()) { $0 += [$1].compactMap(\.self) }
            }
            #expect(errors.map(\.failureReason) == [])
        }

        @Test func `a request whose stream is refused is sent on another connection`() async throws {
            #expect(try await teapot("h2-refused").post("get", body: ["a": 1]).text == "{}")
        }

        /// Each of the first requests has a stream of its own.
        @Test(arguments: [Teapot.HTTPMethod.get, .post, .put], ["h2-legacy", "h2-legacy-early"])
        func `a server that wants HTTP/1.1 gets it`(method: Teapot.HTTPMethod, server: String) async throws {
            let (teapot, count) = (try teapot(server), 5)
            // They fit into the window of a connection.
            let body = method == .get ? nil : Teapot.Request.Body(Data(count: 10_000), contentType: "text/plain")
            let request = Teapot.Request(method, path: "get", body: body).with { $0.timeoutInterval = 10 }
            for _ in 0..<2 {
                let responses = try await withThrowingTaskGroup(of: Teapot.Response.self) { group in
                    for _ in 0..<count { group.addTask { try await teapot.send(request) } }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                let text = "{\"count\":\(method == .get ? 0 : 10_000)}"
                #expect(responses.map(\.text) == Array(repeating: text, count: count))
                #expect(Set(responses.map(\.timings.networkProtocol)) == ["HTTP/1.1"])
            }
        }

        @Test(arguments: [Teapot.HTTPMethod.get, .post])
        func `a server that wants HTTP/1.1 after its response has begun is an error`(method: Teapot.HTTPMethod)
            async throws
        {
            let teapot = try teapot("h2-legacy-late")
            let body = method == .post ? Teapot.Request.Body(Data("{}".utf8)) : nil
            let error = await thrown { () throws(TeapotError) in
                try await teapot.send(Teapot.Request(method, path: "get", body: body))
            }
            #expect(error?.data == Data("{".utf8))
            #expect(error?.failureReason?.contains("wants HTTP/1.1") == true, "\(error?.failureReason ?? "")")
        }

        @Test func `a server that wants HTTP/1.1 for a body that is made while it is sent`() async throws {
            let teapot = try teapot("h2-legacy")
            let (pieces, source) = AsyncStream<Data>.makeStream()
            source.yield(Data(count: 100))
            source.finish()
            let error = await thrown { () throws(TeapotError) in
                try await teapot.send(Teapot.Request(.put, path: "get", body: .stream(pieces)))
            }
            let reason = "the server wants HTTP/1.1 for the request, whose body cannot be sent a second time"
            #expect(error?.failureReason == reason)
        }

        /// Of what a server sends back while a connection is idle, nothing is an answer: it also ends TLS with `close_notify` alone.
        @Test(arguments: [Teapot.HTTPMethod.get, .post])
        func `a connection that its server has left in TLS is not used again`(method: Teapot.HTTPMethod) async throws {
            let (teapot, other) = (try teapot("h2-notify"), try teapot("h2-notify"))
            let body = method == .post ? Teapot.Request.Body(Data("{}".utf8)) : nil
            for _ in 0..<3 {
                let response = try await teapot.send(Teapot.Request(method, path: "get", body: body))
                #expect(response.timings.isConnectionReused == false)
                // Before its next answer, the server leaves the connections of the others.
                try await other.get("get")
            }
        }

        /// The same with a server that leaves what is idle for a while: Python's asyncio sends `close_notify`, and goes on reading.
        @Test(arguments: [Teapot.HTTPMethod.get, .post])
        func `an idle connection that hypercorn has left is not used again`(method: Teapot.HTTPMethod) async throws {
            let (teapot, other) = (try teapot("hypercorn"), try teapot("hypercorn"))
            let body = method == .post ? Teapot.Request.Body(Data("{}".utf8)) : nil
            for _ in 0..<4 {
                let response = try await teapot.send(Teapot.Request(method, path: "get", body: body))
                #expect(response.timings.isConnectionReused == false)
                #expect(response.timings.networkProtocol == "HTTP/2")
                try await other.get("pause")
            }
        }

        /// The server has read both, and closes the connection.
        @Test func `only a repeatable request is sent again after the connection was closed`() async throws {
            for (method, code) in [(Teapot.HTTPMethod.get, nil), (.post, URLError.Code.networkConnectionLost)] {
                let teapot = try teapot("h2-closing")
                try await teapot.get("get")
                let body = method == .post ? Teapot.Request.Body(Data("{}".utf8)) : nil
                let error = await thrown { () throws(TeapotError) in
                    try await teapot.send(Teapot.Request(method, path: "get", body: body))
                }
                #expect(error?.code == code, "\(method): \(error?.failureReason ?? "")")
            }
        }

        /// libcurl repeats it five times by itself, and the engine begins once more.
        @Test(arguments: ["h2-overloaded", "h2-leaving"], [Teapot.HTTPMethod.get, .post])
        func `a server that refuses each stream gets few requests`(
            server: String,
            method: Teapot.HTTPMethod
        ) async throws {
            let body = method == .post ? Teapot.Request.Body(Data("{}".utf8)) : nil
            let teapot = try teapot(server)
            let error = await thrown { () throws(TeapotError) in
                try await teapot.send(Teapot.Request(method, path: "get", body: body))
            }
            #expect(error?.type == .noResponse)
            #expect(error?.code == .networkConnectionLost)
            let reason = error?.failureReason ?? ""
            let count = reason.firstMatch(of: /the request was sent (\d+) times/).flatMap { Int($0.output.1) }
            #expect(try 2...12 ~= #require(count), "\(reason)")
            #expect(error?.attempts == 1)
        }

        /// Each call gives up before a connection that is slow could be told from one that has gone silent.
        @Test func `a silent connection is left although each call is short`() async throws {
            let teapot = try teapot("h2-silent")
            // The server answers after 0.2 s, once on each connection.
            let request = Teapot.Request(path: "get").with { $0.timeoutInterval = 0.4 }
            var statuses: [Int?] = []
            for _ in 0..<7 { statuses.append(try? await teapot.send(request).status) }
            #expect(statuses == [200, nil, nil, 200, nil, nil, 200])
        }

        @Test func `the timeout of a request does not run while others use all streams`() async throws {
            let clock = TestClock()
            let isQueued = Signal()
            let transport = QueueWatch(transport: transport(connections: 1), isQueued: isQueued)
            let teapot = Teapot(baseURL: try url("http2-limited"), transport: transport, clock: clock)
            let other = try self.teapot("http2-limited")
            // From now on, it is known that requests share a connection.
            _ = try await teapot.get("get")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        _ = try await teapot.send(Teapot.Request(path: "hold").with { $0.timeoutInterval = .infinity })
                    }
                }
                _ = try await other.get("held")
                group.addTask { _ = try await teapot.send(Teapot.Request(path: "get").with { $0.timeoutInterval = 1 }) }
                await isQueued.wait()
                clock.advance(by: .seconds(10))
                _ = try await other.get("release")
                try await group.waitForAll()
            }
        }
    }

    /// Passes everything on, and tells when an exchange has to wait for a connection or a stream.
    private struct QueueWatch: Transport {
        let transport: CurlTransport
        let isQueued: Signal

        func start(
            _ request: TransportRequest,
            receive: @escaping @Sendable (TransportEvent) -> Void
        ) -> (any TransportTask)? {
            // Others may wait for a moment, until libcurl has sent them.
            let isWatched = request.urlRequest.url?.path == "/get"
            return transport.start(request) { [isQueued] event in
                receive(event)
                if case .queued = event.kind, isWatched { isQueued.fire() }
            }
        }
    }
#endif
