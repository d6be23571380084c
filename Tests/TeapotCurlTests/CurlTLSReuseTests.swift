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
            _ = try await other.get(change)
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
                            try await teapot.send(Teapot.Request(method, path: path, body: body))
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
