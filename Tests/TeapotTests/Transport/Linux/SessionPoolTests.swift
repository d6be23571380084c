#if canImport(FoundationNetworking)
    import LoopbackServer
    import TestSupport
    import TestTraits
    import Testing

    @testable import Teapot

    extension SessionPool {
        /// The number of silent sessions.
        fileprivate static var silentCount: Int { silent.withLock { $0.count } }

        /// The number of the other sessions.
        static var count: Int { sessions.withLock { $0.count } }
    }

    /// Sessions that must not be released, each test in a process of its own, which has no others. An attempt over https counts here;
    /// `TLSTests` has connections.
    @Suite(.inTurn, .exitTests)
    struct SessionPoolTests {
        /// Makes an exchange with each of some transports, which are in use at the same time, and releases them.
        fileprivate static func use(_ transports: Int = 1, _ scheme: String = "https", of server: LoopbackServer)
            async throws
        {
            var all = (0..<transports).map { _ in URLSessionTransport() }
            for transport in all { try await exchange(scheme, with: server, over: transport) }
            weak let last = all.last
            all = []
            await eventually { last == nil }
        }

        private static func exchange(
            _ scheme: String,
            with server: LoopbackServer,
            over transport: URLSessionTransport
        ) async throws {
            // Nobody speaks TLS there.
            let secure = URL(string: "https://127.0.0.1:1")
            let url = try scheme == "https" ? #require(secure) : server.baseURL
            let error = await thrown { () throws(TeapotError) in
                try await Teapot(baseURL: url, transport: transport).get("get")
            }
            #expect((error == nil) == (scheme == "http"))
        }

        @Test func `there are as many sessions as clients were in use at the same time`() async {
            await #expect(processExitsWith: .success) {
                let server = try LoopbackServer(recordsRequests: false)
                for count in [5, 2, 5, 1] {
                    try await SessionPoolTests.use(count, of: server)
                    await eventually { SessionPool.count == 5 }
                }
                try await SessionPoolTests.use(6, of: server)
                await eventually { SessionPool.count == 6 }
            }
        }

        @Test func `a session that has used http only is released`() async {
            await #expect(processExitsWith: .success) {
                let server = try LoopbackServer(recordsRequests: false)
                try await SessionPoolTests.use(3, "http", of: server)
                #expect(SessionPool.count == 0)
                // One that is kept is used for http, too, and stays.
                try await SessionPoolTests.use(of: server)
                await eventually { SessionPool.count == 1 }
                let transport = URLSessionTransport()
                try await SessionPoolTests.exchange("http", with: server, over: transport)
                #expect(SessionPool.count == 0)
            }
        }

        @Test(arguments: ["http_proxy", "all_proxy", "ALL_PROXY"])
        func `a session that has used http is kept if the proxy is secure`(name: String) async {
            await #expect(processExitsWith: .success) { [name] in
                ProxyVariables.set("HTTPS://127.0.0.1:1", for: name)
                setenv("no_proxy", "127.0.0.1", 1)
                let server = try LoopbackServer(recordsRequests: false)
                try await SessionPoolTests.use(1, "http", of: server)
                await eventually { SessionPool.count == 1 }
            }
        }

        @Test func `a session is taken once, for the settings that it was made with`() async {
            await #expect(processExitsWith: .success) {
                let configuration = URLSessionConfiguration.checked(nil)
                let delegated = DelegatedSession(configuration, on: DelegateQueue(), SessionDelegate())
                let session = delegated.session
                SessionPool.add(delegated)
                let settings = SessionPool.settings(of: configuration)
                #expect(SessionPool.take(for: configuration)?.session === session)
                #expect(SessionPool.take(for: configuration) == nil)
                #expect(settings == SessionPool.settings(of: session.configuration))
            }
        }

        @Test func `the sessions that were left take turns`() async {
            await #expect(processExitsWith: .success) {
                let sessions = (0..<10).map { _ in
                    DelegatedSession(.checked(nil), on: DelegateQueue(), SessionDelegate())
                }
                for (index, session) in sessions.enumerated() {
                    let next = SessionPool.replacement(for: session)
                    let expected = index < SessionPool.patience ? nil : sessions[index - SessionPool.patience]
                    #expect(next?.session === expected?.session)
                }
                #expect(SessionPool.count == 0)
            }
        }

        /// A server that never answers, and one that does.
        @Test func `only a call that nobody answered leaves its session`() async throws {
            await #expect(processExitsWith: .success) {
                let server = try LoopbackServer { _ in Script([.stall]) }
                let secure = try #require(URL(string: "https://127.0.0.1:\(server.port)"))
                let transport = URLSessionTransport()
                func sessions(_ url: URL, timeout: TimeInterval) async throws -> Int {
                    let teapot = Teapot(baseURL: url, transport: transport)
                    let request = Teapot.Request(path: "get").with { $0.timeoutInterval = timeout }
                    let error = await thrown { () throws(TeapotError) in try await teapot.send(request) }
                    #expect(error?.code == .timedOut)
                    return SessionPool.silentCount
                }
                #expect(try await sessions(server.baseURL, timeout: 0.2) == 0)
                for count in [1, 2, 3, 4, 4, 4] { #expect(try await sessions(secure, timeout: 1) == count) }
            }
        }

        /// A value of a configuration, whose description is foreign code.
        private final class Description: CustomStringConvertible, Sendable {
            let describe = Locked<(@Sendable () -> Void)?>(nil)

            var description: String {
                describe.withLock { $0 }?()
                return "proxy"
            }
        }

        @Test func `a caller's values are not described under a lock`() async {
            await #expect(processExitsWith: .success) {
                let server = try LoopbackServer(recordsRequests: false)
                try await SessionPoolTests.use(of: server)
                await eventually { SessionPool.count == 1 }
                let value = Description()
                let configuration = URLSessionConfiguration.ephemeral
                configuration.connectionProxyDictionary = ["Tea": value]
                let transport = URLSessionTransport(configuration: configuration)
                let baseURL = server.baseURL
                let isFree = Locked<[Bool]>([])
                value.describe.withLock {
                    $0 = {
                        value.describe.withLock { $0 = nil }
                        let (request, done) = (URLRequest(url: baseURL), DispatchSemaphore(value: 0))
                        Thread.detachNewThread {
                            _ = transport.start(TransportRequest(request)) { if $0.isFinished { done.signal() } }
                        }
                        isFree.withLock { $0.append(done.wait(timeout: .now() + 5) == .success) }
                    }
                }
                try await SessionPoolTests.exchange("http", with: server, over: transport)
                #expect(isFree.withLock { $0 } == [true])
            }
        }

        @Test func `settings that FoundationNetworking obeys distinguish sessions`() {
            final class Other: URLProtocol {}
            let changes: [(URLSessionConfiguration) -> Void] = [
                { _ in },
                { $0.httpMaximumConnectionsPerHost = 2 },
                { $0.requestCachePolicy = .returnCacheDataDontLoad },
                { $0.protocolClasses = [Other.self] },
                { $0.connectionProxyDictionary = ["HTTPProxy": "127.0.0.1"] },
                { $0.connectionProxyDictionary = ["HTTPProxy": "127.0.0.2"] },
            ]
            let settings = changes.map { change in
                let configuration = URLSessionConfiguration.ephemeral
                change(configuration)
                return SessionPool.settings(of: .checked(configuration))
            }
            #expect(Set(settings).count == changes.count)
            let own = URLSessionConfiguration.default
            own.httpAdditionalHeaders = ["X-Tea": "green"]
            own.timeoutIntervalForRequest = 7
            #expect(SessionPool.settings(of: .checked(own)) == SessionPool.settings(of: .checked(nil)))
            #expect(settings[0] == SessionPool.settings(of: .checked(nil)))
        }
    }

    /// What the sessions of the pool hold.
    @Suite(.inTurn, .exitTests)
    struct SessionPoolResourceTests {
        @Test func `clients that follow one another over https share a session`() async {
            await #expect(processExitsWith: .success) {
                let server = try LoopbackServer(recordsRequests: false)
                for _ in 0..<100 {
                    try await SessionPoolTests.use(of: server)
                    await eventually { SessionPool.count == 1 }
                }
                let before = try #require(ProcessResources.current)
                for _ in 0..<100 {
                    try await SessionPoolTests.use(of: server)
                    await eventually { SessionPool.count == 1 }
                }
                let after = try #require(ProcessResources.current)
                // Failed connections end in the background.
                #expect(after.descriptors <= before.descriptors + 8, "\(before), then \(after)")
                #expect(after.memory <= before.memory + 8_000, "\(before), then \(after)")
            }
        }
    }
#endif
