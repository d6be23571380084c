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
                #expect((error?.underlyingError as? URLError)?.code == .networkConnectionLost)
                #expect(server.requests.count == count + sent)
            }
        }
    }
#endif
