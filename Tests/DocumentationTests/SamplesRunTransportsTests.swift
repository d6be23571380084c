import LoopbackServer
import Teapot
import TeapotCurl
import TeapotMock
import TestSupport
import TestTraits
import Testing

#if os(Linux)
    /// A transport in front of another one loses nothing that Teapot gives to it.
    @Suite(.inTurn)
    struct SamplesRunTransportsTests {
        @Test func `adds a field, counts bytes and delays`() async throws {
            let (server, received) = (try LoopbackServer(), TransportSamples.Counter())
            let teapot = TransportSamples.slow(baseURL: server.baseURL, received)
            #expect(try await teapot.get("file/1000").data.count == 1_000)
            #expect(received.value == 1_000)
            #expect(server.requests.map { $0.header("X-Network") } == ["slow"])
        }

        @Test func `a refresh and an upload of a file go through it`() async throws {
            let refused = "HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n"
            let server = try LoopbackServer { request in
                request.header("Authorization") == "Bearer fresh-token" ? nil : Script([.send(refused)])
            }
            let teapot = Teapot(baseURL: server.baseURL, transport: Self.slow)
            teapot.authenticator = Authenticator(.bearer("stale-token")) { _ in .bearer("fresh-token") }
            let folder = try TestSupport.TemporaryFolder()
            let file = folder.file("leaves")
            try Data(count: 100_000).write(to: file)
            try await teapot.upload("put", fromFile: file, method: .put)
            #expect(server.requests.map(\.body.count) == [100_000, 100_000])
            #expect(server.requests.map { $0.header("X-Network") } == ["slow", "slow"])
        }

        @Test func `a blocking call on the thread of the events goes through it`() async throws {
            let server = try LoopbackServer()
            let teapot = Teapot(baseURL: server.baseURL, transport: PassingTransport(base: CurlTransport()))
            let statuses = Locked<[Int?]>([])
            teapot.plugins = [
                BlockingPlugin {
                    let outcome = Result { () throws(TeapotError) in try teapot.sendAndWait("get") }
                    statuses.withLock { $0.append((try? outcome.get())?.status) }
                }
            ]
            try await teapot.get("headers")
            #expect(statuses.withLock { $0 } == [200])
        }

        @Test func `the caller's idempotency, the file and secrets arrive`() async throws {
            let (manual, folder) = (ManualTransport { $0.answer(200) }, try TestSupport.TemporaryFolder())
            let recording = RecordingTransport(wrapping: manual)
            let baseURL = try #require(URL(string: "http://api.example"))
            let requests = Locked<[TransportRequest]>([])
            let transport = PassingTransport(base: recording) { request in requests.withLock { $0.append(request) } }
            let teapot = Teapot(baseURL: baseURL, transport: transport)
            teapot.authenticator = Authenticator(Credential(headerField: "X-Who", value: "oolong-oolong")) { _ in
                throw URLError(.userAuthenticationRequired)
            }
            try await teapot.send(Teapot.Request(.post, path: "a", isIdempotent: true))
            try await teapot.send(Teapot.Request(path: "b", isIdempotent: false))
            try Data("tea".utf8).write(to: folder.file("leaves"))
            try await teapot.upload("c", fromFile: folder.file("leaves"))
            #expect(requests.withLock { $0.map(\.isIdempotent) } == [true, false, false])
            #expect(requests.withLock { $0.map(\.bodyFile) } == [nil, nil, folder.file("leaves")])
            #expect(manual.hops.map(\.bodyFile) == [nil, nil, folder.file("leaves")])
            try recording.write(to: folder.file("a.har"))
            let text = try #require(folder.text("a.har"))
            #expect(text.contains("X-Who") && !text.contains("oolong"))
        }

        private static var slow: SlowTransport {
            SlowTransport(base: CurlTransport(), delay: .milliseconds(1)) { _ in }
        }
    }

    /// Passes everything on, on the same thread.
    private struct PassingTransport: Transport {
        let base: any Transport
        var look: @Sendable (TransportRequest) -> Void = { _ in }

        func start(
            _ request: TransportRequest,
            receive: @escaping @Sendable (TransportEvent) -> Void
        ) -> (any TransportTask)? {
            look(request)
            return base.start(request, receive: receive)
        }

        var forBlockingCaller: any Transport { PassingTransport(base: base.forBlockingCaller, look: look) }
    }

    /// Calls a closure with the first outcome.
    private final class BlockingPlugin: Teapot.Plugin {
        private let block: @Sendable () -> Void
        private let hasCalled = Locked(false)

        init(_ block: @escaping @Sendable () -> Void) {
            self.block = block
        }

        func didReceive(_ outcome: Result<Teapot.Response, TeapotError>, for request: Teapot.SentRequest) {
            let isFirst = hasCalled.withLock { hasCalled in
                defer { hasCalled = true }
                return !hasCalled
            }
            if isFirst { block() }
        }
    }
#endif
