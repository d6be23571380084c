#if os(Linux)
    import LoopbackServer
    import Teapot
    import TeapotCurl
    import TestSupport
    import TestTraits
    import Testing

    /// https through a proxy of the environment: what it answers to `CONNECT` (RFC 9110, section 9.3.6) belongs to nobody.
    @Suite(.inTurn, .exitTests)
    struct ProxyContractTests {
        enum Kind: String, CaseIterable, Codable, Sendable {
            case urlSession, curl

            private static let count = Locked(20)

            /// One with settings that no other has, so that no connections are kept for it: see `SessionPool`.
            var transport: any Transport {
                guard self == .urlSession else { return CurlTransport() }
                let configuration = URLSessionConfiguration.ephemeral
                configuration.httpMaximumConnectionsPerHost = Self.count.withLock { count in
                    count += 1
                    return count
                }
                return URLSessionTransport(configuration: configuration)
            }
        }

        private static let fields =
            "Set-Cookie: proxy=1\r\nETag: \"proxy\"\r\nLocation: /proxy\r\nContent-Length: 2\r\n\r\n{}"

        private static func refusal(_ status: Int) -> [Script.Step] {
            let challenges = "Proxy-Authenticate: Basic realm=tea\r\nWWW-Authenticate: Basic realm=tea\r\n"
            return [.send("HTTP/1.1 \(status) No\r\n\(challenges)\(fields)"), .close]
        }

        // MARK: - No tunnel

        /// A status, the code of the error, and the number of attempts with a policy of two.
        private static let refusals: [(Int, URLError.Code, Int)] = [
            (407, .userAuthenticationRequired, 1), (401, .resourceUnavailable, 1), (403, .resourceUnavailable, 1),
            (404, .resourceUnavailable, 1), (302, .badServerResponse, 1), (304, .badServerResponse, 1),
            (502, .cannotConnectToHost, 2), (503, .cannotConnectToHost, 2),
        ]

        private static let lost: [String: [Script.Step]] = [
            "closes the connection": [.close],
            "resets the connection": [.reset],
            "closes it in the status line": [.send("HTTP/1.1 200 Conn"), .close],
            "closes it in the header": [.send("HTTP/1.1 200 Connected\r\nX-Tunnel: y"), .close],
        ]

        /// Every shape of a call, and its error.
        private static func errors(of proxy: LoopbackServer, over transport: any Transport) async throws -> [(
            shape: String, error: TeapotError
        )] {
            ProxyVariables.set("http://ada:hush-proxy@127.0.0.1:\(proxy.port)")
            let url = try #require(URL(string: "https://tea.example/"))
            let teapot = Teapot(
                baseURL: url,
                defaultDeliveryQueue: DispatchQueue(label: "delivery"),
                transport: transport
            )
            teapot.retryPolicy = RetryPolicy(maximumAttempts: 2, baseDelay: .zero)
            let folder = try TemporaryFolder()
            let errors = [
                "closure": await result { teapot.get("a", completion: $0) }.error,
                "async": await thrown { () throws(TeapotError) in try await teapot.get("a") },
                "download": await thrown { () throws(TeapotError) in
                    try await teapot.download("a", to: folder.file("there"))
                },
                "bytes": await thrown { () throws(TeapotError) in
                    for try await _ in try await teapot.bytes("a") {}
                },
            ]
            #expect(folder.names.isEmpty)
            #expect(teapot.cookies.all.isEmpty)
            return try errors.map { ($0.key, try #require($0.value, "\($0.key)")) }
        }

        @Test(arguments: Kind.allCases)
        func `a refused tunnel is no response, and names the proxy and its status`(_ kind: Kind) async {
            await #expect(processExitsWith: .success) { [kind] in
                for (status, code, attempts) in Self.refusals {
                    let proxy = try LoopbackServer { _ in Script(Self.refusal(status)) }
                    for (shape, error) in try await Self.errors(of: proxy, over: kind.transport) {
                        #expect(error.type == .noResponse, "\(status), \(shape)")
                        #expect(error.responseStatus == nil, "\(status), \(shape)")
                        #expect(error.response == nil, "\(status), \(shape)")
                        #expect(error.code == code, "\(status), \(shape)")
                        let reason = "the proxy 127.0.0.1:\(proxy.port) answered CONNECT with status \(status)"
                        #expect(error.failureReason == reason, "\(shape)")
                        #expect(!"\(error.debugDescription)".contains("hush-proxy"))
                        #expect(error.attempts == attempts, "\(status), \(shape)")
                    }
                    #expect(proxy.requests.allSatisfy { $0.method == "CONNECT" })
                }
            }
        }

        @Test(arguments: Kind.allCases)
        func `a proxy that dies is a lost connection, and the call is sent again`(_ kind: Kind) async {
            await #expect(processExitsWith: .success) { [kind] in
                for (name, steps) in Self.lost {
                    let proxy = try LoopbackServer { _ in Script(steps) }
                    for (shape, error) in try await Self.errors(of: proxy, over: kind.transport) {
                        #expect(error.type == .noResponse, "\(name), \(shape)")
                        let code = error.code
                        #expect(code == .networkConnectionLost, "\(name), \(shape): \(error.failureReason ?? "")")
                        #expect(error.attempts == 2, "\(name), \(shape)")
                    }
                }
            }
        }

        @Test(arguments: Kind.allCases)
        func `what a proxy answers is no response if no handshake follows`(_ kind: Kind) async {
            await #expect(processExitsWith: .success) { [kind] in
                for status in ["200 OK", "201 Created", "204 No Content"] {
                    let proxy = try LoopbackServer { _ in
                        Script([.send("HTTP/1.1 \(status)\r\n\(Self.fields)"), .close])
                    }
                    for (shape, error) in try await Self.errors(of: proxy, over: kind.transport) {
                        #expect(error.type == .noResponse, "\(status), \(shape)")
                        #expect(error.responseStatus == nil, "\(status), \(shape)")
                        #expect(error.response == nil, "\(status), \(shape)")
                    }
                }
            }
        }

        // MARK: - Secrets

        private static let secretAddresses = [
            "http://ada:hush/x@127.0.0.1:1", "http://ada:hush#x@127.0.0.1:1", "http://ada:hush?x@127.0.0.1:1",
            "http://ada:hu hush@127.0.0.1:1", "http://ada:@hush/x@127.0.0.1:1", "http://hush/x@127.0.0.1:1",
            "http://ada:1/hush@127.0.0.1:1", "ada:hush/x@127.0.0.1:1", "ftp://ada:hush@127.0.0.1:1", "http://ada:hush",
            "http://ada:hush/\(String(repeating: "hush@", count: 100))@127.0.0.1:1", "http://ada:hush@127.0.0.1:1",
            "socks5://ada:hush/x@127.0.0.1:1", "http://ada:hush'@127.0.0.1:1/x", "http://ada:%zz/hush@127.0.0.1:1",
        ]

        @Test(arguments: Kind.allCases, ["http", "https"])
        func `no text shows the password of a proxy`(_ kind: Kind, scheme: String) async {
            await #expect(processExitsWith: .success) { [kind, scheme] in
                for address in Self.secretAddresses {
                    ProxyVariables.set(address, for: "\(scheme)_proxy")
                    let url = try #require(URL(string: "\(scheme)://127.0.0.1:1"))
                    let teapot = Teapot(baseURL: url, transport: kind.transport)
                    let log = Locked("")
                    teapot.logger = Logger(level: .incomingAndOutgoingData) { line in log.withLock { $0 += line } }
                    let error = await thrown { () throws(TeapotError) in try await teapot.get("a") }
                    #expect(error?.type == .noResponse, "\(address)")
                    #expect(error?.failureReason?.isEmpty == false, "\(address)")
                    var texts = [error?.failureReason ?? "", error?.debugDescription ?? "", log.withLock { $0 }]
                    if let cause = error?.underlyingError { texts += ["\(cause)", cause.localizedDescription] }
                    for text in texts { #expect(!text.contains("hush"), "\(address): \(text)") }
                }
            }
        }

        // MARK: - A tunnel

        private static let statuses = [200, 204, 302, 304, 401, 404, 500]
        private static func url(_ scheme: String, _ server: String) throws -> String {
            let parts = server.split(separator: "@").map(String.init)
            let port = try #require(TLSServers.ports?[parts.last ?? ""])
            let user = parts.count > 1 ? "\(parts[0]):hush-proxy@" : ""
            return "\(scheme)://\(user)127.0.0.1:\(port)"
        }

        private static func teapot(_ server: String, _ transport: any Transport) throws -> Teapot {
            let url = try #require(URL(string: url("https", server)))
            return Teapot(baseURL: url, defaultDeliveryQueue: DispatchQueue(label: "delivery"), transport: transport)
        }

        /// What a caller sees of a response, with the cookies that are stored.
        private struct Outcome: Equatable {
            var status: Int?
            var type: TeapotError.ErrorType?
            var fields: [String?] = []
            var body: Data?
            var cookies: [Teapot.Cookie] = []
        }

        private static func outcome(_ method: Teapot.HTTPMethod, _ path: String, of teapot: Teapot) async -> Outcome {
            var outcome = Outcome()
            var http: HTTPURLResponse?
            do throws(TeapotError) {
                let response = try await teapot.send(Teapot.Request(method, path: Teapot.Path(path)))
                (http, outcome.body) = (response.http, response.data)
            } catch {
                (http, outcome.body, outcome.type) = (error.response, error.data, error.type)
            }
            outcome.status = http?.status
            let names = [
                "ETag", "Content-Type", "Content-Length", "Location", "WWW-Authenticate", "X-Tunnel", "Proxy-Agent",
            ]
            outcome.fields = names.map { http?.value(forHTTPHeaderField: $0) }
            outcome.cookies = teapot.cookies.all
            return outcome
        }

        struct Row: Codable, Sendable, CustomTestStringConvertible {
            let kind: Kind
            let server: String
            let proxy: String

            var testDescription: String { "\(proxy), to \(server) over \(kind)" }
        }

        /// HTTP/1.1 and HTTP/2 through the proxies of `.ci/tls-servers`. A user makes `proxy` begin otherwise.
        private static let rows: [Row] = Kind.allCases.flatMap { kind in
            [
                ("trusted", "proxy"), ("http2", "proxy"), ("trusted", "proxy-secure"), ("trusted", "tinyproxy"),
                ("http2", "tinyproxy"), ("trusted", "haproxy"), ("http2", "haproxy"), ("http2", "created@proxy"),
                ("trusted", "old@proxy"),
            ].map { Row(kind: kind, server: $0.0, proxy: $0.1) }
        }

        /// One after the other: over `URLSession` each keeps a core busy.
        @Test(.enabled(if: TLSServers.ports != nil), .serialized, arguments: rows)
        func `the response is the origin's, whatever the proxy says`(_ row: Row) async {
            await #expect(processExitsWith: .success) { [row] in
                try await Self.compare(row)
                try await Self.transfer(row)
            }
        }

        @Test(.enabled(if: TLSServers.ports != nil), arguments: Kind.allCases)
        func `an answer that cannot be read does not become the proxy's`(_ kind: Kind) async {
            await #expect(processExitsWith: .success) { [kind] in
                ProxyVariables.set(try Self.url("http", "proxy"))
                for _ in 0..<2 {
                    let teapot = try Self.teapot("cut", kind.transport)
                    let error = await thrown { () throws(TeapotError) in try await teapot.get("garbled") }
                    #expect(error?.type == .noResponse, "\(error?.debugDescription ?? "")")
                    #expect(error?.response == nil, "\(error?.response?.allHeaderFields ?? [:])")
                    #expect(teapot.cookies.all.isEmpty)
                }
            }
        }

        /// Each call without a proxy, and with one.
        private static func compare(_ row: Row) async throws {
            let proxy = try url(row.proxy == "proxy-secure" ? "https" : "http", row.proxy)
            let direct = try teapot(row.server, row.kind.transport)
            let kept = try teapot(row.server, row.kind.transport)
            for method in [Teapot.HTTPMethod.get, .head, .delete] {
                for path in statuses.map({ "status/\($0)" }) + ["redirect-to?url=/status/404"] {
                    ProxyVariables.set(nil)
                    direct.cookies.removeAll()
                    let expected = await outcome(method, path, of: direct)
                    ProxyVariables.set(proxy)
                    // A tunnel of its own, and one that others have used.
                    let first = try teapot(row.server, row.kind.transport)
                    for teapot in [method == .get ? first : kept, kept] {
                        teapot.cookies.removeAll()
                        let outcome = await outcome(method, path, of: teapot)
                        #expect(outcome == expected, "\(method) \(path): \(outcome), not \(expected)")
                    }
                }
            }
        }

        private static func transfer(_ row: Row) async throws {
            func teapot() throws -> Teapot { try Self.teapot(row.server, row.kind.transport) }
            let folder = try TemporaryFolder()
            let body = try await teapot().get("files/random").data
            #expect(body.count == 1_000_000)
            try await teapot().download("files/random", to: folder.file("random"))
            var bytes = Data()
            for try await piece in try await teapot().bytes("files/random") { bytes += piece }
            let areSame = try [Data(contentsOf: folder.file("random")), bytes].map { $0 == body }
            #expect(areSame == [true, true])
            for status in [401, 404, 500] {
                let (first, second) = (try teapot(), try teapot())
                let errors = [
                    await thrown { () throws(TeapotError) in
                        try await first.download("status/\(status)", to: folder.file("none"))
                    },
                    await thrown { () throws(TeapotError) in
                        for try await _ in try await second.bytes("status/\(status)") {}
                    },
                ]
                #expect(errors.map { $0?.responseStatus } == [status, status])
                let refusal = Data("{\"status\":\(status)}".utf8)
                #expect(errors.map { $0?.data } == [refusal, refusal])
            }
            #expect(folder.names == ["random"])
            var events: [String] = []
            for try await event in try teapot().events("events") {
                events.append(event.data)
                break
            }
            #expect(events == ["tea"])
            let upload = Teapot.Request(.put, path: "files/sent", body: .file(folder.file("random")))
            #expect([201, 204].contains(try await teapot().upload(upload).status))
            // Tunnels that are made at the same time.
            let shared = try teapot()
            // libcurl 7.88 gives some calls to a connection that has no tunnel yet, and sends nothing.
            shared.retryPolicy = RetryPolicy(maximumAttempts: 4, baseDelay: .milliseconds(20))
            let statuses = await withTaskGroup(of: [Int?].self) { group in
                for index in 0..<40 {
                    let expected = [200, 404, 500, 401][index % 4]
                    group.addTask { [expected, await outcome(.get, "status/\(expected)", of: shared).status] }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.count == 40)
            #expect(statuses.allSatisfy { $0[0] == $0[1] }, "\(statuses)")
            #expect(Set(shared.cookies.all.map(\.name)) == ["origin"])
        }
    }
#endif
