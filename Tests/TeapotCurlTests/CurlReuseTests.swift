#if os(Linux)
    import LoopbackServer
    @testable import Teapot
    @testable import TeapotCurl
    import TestSupport
    import TestTraits
    import Testing

    /// Which connections are used again, and how often a request is sent.
    @Suite(.inTurn)
    struct CurlReuseTests {
        private static func answer(_ text: String, _ status: String = "200 OK") -> Script.Step {
            let body = "{\"is\":\"\(text)\"}"
            return .send("HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        }

        /// A server that sends a response that nobody asked for.
        private static func server() throws -> LoopbackServer {
            let steps = [.readRequest, answer("first"), .waitForRelease, answer("stray")]
            return try LoopbackServer(scripts: [Script(steps), Script([.readRequest, answer("second"), .stall])])
        }

        @Test func `a connection on which nothing happened is used again`() async throws {
            let server = try LoopbackServer(scripts: [
                Script([.readRequest, Self.answer("first"), .readRequest, Self.answer("second"), .stall])
            ])
            let teapot = Teapot(baseURL: server.baseURL, transport: CurlTransport())
            _ = try await teapot.get("first")
            #expect(try await teapot.post("second", body: ["a": 1]).timings.isConnectionReused == true)
        }

        /// Somebody else's server answers there (RFC 9110, section 15.5.20).
        @Test func `a connection that leads to a server of others is not used again`() async throws {
            let server = try LoopbackServer(scripts: [
                Script([.readRequest, Self.answer("first", "421 Misdirected Request"), .stall]),
                Script([.readRequest, Self.answer("second"), .stall]),
            ])
            let teapot = Teapot(baseURL: server.baseURL, transport: CurlTransport())
            let error = await thrown { () throws(TeapotError) in try await teapot.get("get") }
            #expect(error?.responseStatus == 421)
            #expect(try await teapot.get("get").text == #"{"is":"second"}"#)
        }

        @Test func `before libcurl 7_80 each request has a connection of its own`() async throws {
            let server = try Self.server()
            let library = Result { () throws(URLError) in
                var library = try CurlLibrary.current.get()
                library.asksBeforeRequests = false
                return library
            }
            let teapot = Teapot(baseURL: server.baseURL, transport: CurlTransport(library: library))
            #expect(try await teapot.get("first").text == #"{"is":"first"}"#)
            server.release()
            #expect(try await teapot.get("second").text == #"{"is":"second"}"#)
        }

        @Test func `the connection of a Unix socket is not used after a stray response`() async throws {
            let folder = try TemporaryFolder()
            let path = folder.file("s").path
            let steps = [.readRequest, Self.answer("first"), .waitForRelease, Self.answer("stray")]
            let server = try LoopbackServer(
                at: .unixSocket(path),
                scripts: [Script(steps), Script([.readRequest, Self.answer("second"), .stall])]
            )
            var configuration = CurlTransport.Configuration()
            configuration.unixSocket = path
            let teapot = Teapot(baseURL: server.baseURL, transport: CurlTransport(configuration: configuration))
            _ = try await teapot.get("first")
            server.release()
            await server.scriptsFinished(1)
            #expect(try await teapot.get("second").text == #"{"is":"second"}"#)
        }

        // MARK: - Idle connections

        @Test(arguments: [6, 300])
        func `a connection that its server has closed is closed`(maximumConnections: Int) async throws {
            let script = Script([.readRequest, Self.answer("first"), .waitForRelease])
            let server = try LoopbackServer(scripts: [script])
            var configuration = CurlTransport.Configuration()
            configuration.maximumConnections = maximumConnections
            let teapot = Teapot(baseURL: server.baseURL, transport: CurlTransport(configuration: configuration))
            let older = ClientSocket.all(to: server.port)
            func states() -> [ClientSocket.State] {
                ClientSocket.all(to: server.port, besides: older).values.map(\.state)
            }
            try await teapot.get("first")
            #expect(states() == [.established])
            server.release()
            // Closed by the server first, which may be seen here later than the server's call returns, and then here.
            await eventually { states().isEmpty }
            // Nor is it needed.
            server.run(Script([.readRequest, Self.answer("third"), .stall]))
            #expect(try await teapot.post("third", body: ["a": 1]).text == #"{"is":"third"}"#)
        }

        @Test func `a connection that was idle for its age is closed`() async throws {
            let steps = [.readRequest, .waitForRelease, Self.answer("first"), .stall]
            let server = try LoopbackServer(scripts: [Script(steps)])
            var configuration = CurlTransport.Configuration()
            configuration.idleConnectionAge = .seconds(1)
            let teapot = Teapot(baseURL: server.baseURL, transport: CurlTransport(configuration: configuration))
            let older = ClientSocket.all(to: server.port)
            func states() -> [ClientSocket.State] {
                ClientSocket.all(to: server.port, besides: older).values.map(\.state)
            }
            async let response = teapot.get("first")
            // Not after the response: by then its age may be over.
            _ = await server.received(1)
            #expect(states() == [.established])
            server.release()
            _ = try await response
            await eventually { states().isEmpty }
        }

        // MARK: - Closed while in use

        @Test(arguments: [Teapot.HTTPMethod.get, .post])
        func `a request that was read is lost with its connection, whatever becomes of the next`(
            method: Teapot.HTTPMethod
        ) async throws {
            let script = Script([.readRequest, Self.answer("first"), .readRequest, .stall])
            let server = try LoopbackServer(scripts: [script])
            let teapot = Teapot(baseURL: server.baseURL, transport: CurlTransport())
            try await teapot.get("first")
            let body = method == .post ? Teapot.Request.Body(Data("{}".utf8)) : nil
            async let error = thrown { () throws(TeapotError) in
                try await teapot.send(Teapot.Request(method, path: "second", body: body))
            }
            _ = await server.received(2)
            server.stop()
            let code = await error?.code
            #expect(code == .networkConnectionLost)
        }

        @Test func `a request whose connections keep closing is sent twice at most, a POST once`() async throws {
            let count = 6
            let steps = [.readRequest, .waitForRelease, Self.answer("first"), .readRequest]
            for (method, sent) in [(Teapot.HTTPMethod.get, 2), (.post, 1)] {
                let server = try LoopbackServer(scripts: Array(repeating: Script(steps), count: count))
                let teapot = Teapot(baseURL: server.baseURL, transport: CurlTransport())
                async let first: Void = withTaskGroup(of: Void.self) { group in
                    for _ in 0..<count { group.addTask { _ = try? await teapot.get("first") } }
                }
                _ = await server.received(count)
                for _ in 0..<count { server.release() }
                await first
                let request = Teapot.Request(
                    method,
                    path: "second",
                    body: method == .get ? nil : Teapot.Request.Body(Data("{}".utf8))
                )
                let error = await thrown { () throws(TeapotError) in try await teapot.send(request) }
                #expect(error?.code == .networkConnectionLost)
                #expect(server.requests.count == count + sent)
            }
        }
    }
#endif
