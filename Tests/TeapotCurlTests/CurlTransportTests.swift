#if os(Linux)
    import LoopbackServer
    @testable import Teapot
    @testable import TeapotCurl
    import TestSupport
    import TestTraits
    import Testing

    /// Features of `CurlTransport` that `URLSession` on Linux does not have.
    @Suite(.inTurn)
    struct CurlTransportTests {
        private func teapot(
            _ server: LoopbackServer,
            _ change: (inout CurlTransport.Configuration) -> Void = { _ in }
        ) -> Teapot {
            var configuration = CurlTransport.Configuration()
            change(&configuration)
            return Teapot(baseURL: server.baseURL, transport: CurlTransport(configuration: configuration))
        }

        private static let empty = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

        // MARK: - The library

        @Test func `the library reports its version`() throws {
            let version = try #require(CurlTransport.version)
            #expect(version.libcurl.split(separator: ".").compactMap { Int($0) }.first ?? 0 >= 7)
            #expect(version.tls?.isEmpty == false)
        }

        @Test func `it is the portable transport`() {
            #expect((PortableTransport() as any Transport) is CurlTransport)
        }

        @Test func `without a library every call fails, and says what was looked for`() async throws {
            let library = Result { () throws(URLError) in try CurlLibrary(named: "libnothing.so.4") }
            let url = try #require(URL(string: "http://127.0.0.1:1"))
            let teapot = Teapot(baseURL: url, transport: CurlTransport(library: library))
            for _ in 0..<2 {
                let error = await thrown { () throws(TeapotError) in try await teapot.get("get") }
                #expect(error?.type == .noResponse)
                #expect(error?.failureReason?.contains("libnothing.so.4") == true)
                #expect(error?.failureReason?.contains("libcurl 7.68 or later") == true)
            }
        }

        @Test func `a library that is too old or lacks a function is not used`() async throws {
            let folder = try TemporaryFolder()
            let functions = [
                "global_init", "easy_init", "easy_cleanup", "easy_perform", "easy_strerror", "easy_pause",
                "easy_setopt",
                "easy_getinfo", "slist_append", "slist_free_all", "url", "url_set", "url_cleanup", "multi_init",
                "multi_cleanup", "multi_setopt",
                "multi_add_handle", "multi_remove_handle", "multi_perform", "multi_poll",
                "multi_socket_action", "multi_assign", "multi_info_read",
            ]
            let source = """
                struct version { int age; const char *version; unsigned int number; const char *host; int features; };
                static struct version old = {0, "7.67.0", 0x074300, "", 0};
                struct version *curl_version_info(int age) { return &old; }

                """
            for (name, count, reason) in [
                ("old", functions.count, "it is 7.67.0"), ("part", 5, "it lacks curl_easy_pause"),
            ] {
                try folder.write(
                    source + functions.prefix(count).map { "void curl_\($0)(void) {}\n" }.joined(),
                    to: "\(name).c"
                )
                let compiler = Process()
                compiler.executableURL = URL(filePath: "/usr/bin/env")
                let paths = ["\(name).so", "\(name).c"].map { folder.file($0).path }
                compiler.arguments = ["clang", "-shared", "-fPIC", "-w", "-o"] + paths
                try compiler.run()
                compiler.waitUntilExit()
                try #require(compiler.terminationStatus == 0)
                let error = #expect(throws: URLError.self) { try CurlLibrary(named: paths[0]) }
                #expect(error?.localizedDescription.hasSuffix(reason) == true, "\(error?.localizedDescription ?? "")")
            }
            // The one that is in use is as it was.
            let server = try LoopbackServer()
            #expect(try await teapot(server).get("get").status == 200)
        }

        // MARK: - When it reports

        @Test func `a request in line leaves before the end of the one before is reported`() async throws {
            let (isInLine, hasArrived, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), Signal())
            let server = try LoopbackServer { request in
                if request.path == "/get" { _ = isInLine.wait(timeout: .now() + 10) } else { hasArrived.signal() }
                return nil
            }
            var configuration = CurlTransport.Configuration()
            configuration.maximumConnectionsPerHost = 1
            let transport = CurlTransport(configuration: configuration)
            let result = Locked(DispatchTimeoutResult.timedOut)
            _ = transport.start(TransportRequest(URLRequest(url: server.baseURL.appending(path: "get")))) { event in
                if event.isFinished { result.withLock { $0 = hasArrived.wait(timeout: .now() + 10) } }
            }
            _ = transport.start(TransportRequest(URLRequest(url: server.baseURL.appending(path: "headers")))) { event in
                if case .queued = event.kind { isInLine.signal() }
                if event.isFinished { isOver.fire() }
            }
            await isOver.wait()
            #expect(result.withLock { $0 } == .success)
        }

        /// Each to a server of its own: the line of neither is full.
        @Test func `a request that waits for one of all connections is in line`() async throws {
            let (first, second) = (try LoopbackServer(scripts: [Script([.readRequest, .stall])]), try LoopbackServer())
            var configuration = CurlTransport.Configuration()
            configuration.maximumConnections = 1
            let transport = CurlTransport(configuration: configuration)
            let (isInLine, isOver) = (Signal(), Signal())
            let task = transport.start(TransportRequest(URLRequest(url: first.baseURL))) { _ in }
            _ = await first.received(1)
            _ = transport.start(TransportRequest(URLRequest(url: second.baseURL.appending(path: "get")))) { event in
                if case .queued = event.kind { isInLine.fire() }
                if event.isFinished { isOver.fire() }
            }
            await isInLine.wait()
            task?.cancel()
            await isOver.wait()
        }

        @Test func `a request that waits for one of all connections, which a reader holds, is not in line for ever`()
            async throws
        {
            let (first, second) = (try LoopbackServer(), try LoopbackServer())
            var configuration = CurlTransport.Configuration()
            configuration.maximumConnections = 1
            let teapot = Teapot(baseURL: first.baseURL, transport: CurlTransport(configuration: configuration))
            let unread = try await teapot.bytes("file/2000000")
            teapot.baseURL = second.baseURL
            let error = await thrown { () throws(TeapotError) in
                try await teapot.send(Teapot.Request(path: "get").with { $0.timeoutInterval = 0.5 })
            }
            #expect(error?.code == .timedOut)
            _ = unread
        }

        // MARK: - Where it connects to

        @Test(arguments: [false, true])
        func `localhost, of which one address refuses`(isIPv6: Bool) async throws {
            let server = try LoopbackServer(at: isIPv6 ? .ipv6 : .ipv4)
            let teapot = teapot(server)
            teapot.baseURL = try #require(URL(string: "http://localhost:\(server.port)"))
            let address = try await teapot.get("get").timings.remoteAddress
            #expect(address == (isIPv6 ? "[::1]" : "127.0.0.1") + ":\(server.port)")
        }

        @Test func `a Unix socket`() async throws {
            let folder = try TemporaryFolder()
            let server = try LoopbackServer(at: .unixSocket(folder.file("socket").path))
            let response = try await teapot(server) { $0.unixSocket = folder.file("socket").path }.get("get")
            #expect(response.status == 200)
            #expect(server.requests.map(\.path) == ["/get"])
        }

        @Test func `no Unix socket, which its error names`() async throws {
            let folder = try TemporaryFolder()
            let server = try LoopbackServer()
            let text = folder.file("text")
            try Data("no socket".utf8).write(to: text)
            for (path, reason) in [(folder.file("none").path, "No such file"), (text.path, "Connection refused")] {
                let teapot = teapot(server) { $0.unixSocket = path }
                let error = await thrown { () throws(TeapotError) in try await teapot.get("get") }
                #expect(error?.type == .noResponse)
                #expect(error?.code == .cannotConnectToHost)
                let failureReason = try #require(error?.failureReason)
                #expect(failureReason.hasPrefix("could not connect to the Unix socket \(path): \(reason)"))
            }
        }

        @Test func `a host whose address is given`() async throws {
            let server = try LoopbackServer()
            let teapot = teapot(server) { $0.hostOverrides = ["tea.example:\(server.port)": "127.0.0.1"] }
            teapot.baseURL = try #require(URL(string: "http://tea.example:\(server.port)"))
            #expect(try await teapot.get("get").status == 200)
        }

        @Test func `a proxy, and none`() async throws {
            let proxy = try LoopbackServer(scripts: [Script([.readRequest, .send(Self.empty)])])
            let server = try LoopbackServer()
            let proxied = teapot(server) { $0.proxy = .url(proxy.baseURL) }
            #expect(try await proxied.get("get").status == 200)
            #expect(proxy.requests.first?.target == "\(server.baseURL)/get")
            #expect(server.requests.isEmpty)
            #expect(try await teapot(server) { $0.proxy = .none }.get("get").status == 200)
            #expect(server.requests.count == 1)
        }

        @Test(arguments: ["http_proxy", "all_proxy", "ALL_PROXY"])
        func `a proxy of the environment, and none`(name: String) async {
            await #expect(processExitsWith: .success) { [name] in
                let names = ["http_proxy", "https_proxy", "all_proxy", "no_proxy"]
                for name in names + names.map({ $0.uppercased() }) { unsetenv(name) }
                let proxy = try LoopbackServer(scripts: [Script([.readRequest, .send(Self.empty)])])
                let server = try LoopbackServer()
                let direct = Teapot(baseURL: server.baseURL, transport: CurlTransport())
                #expect(try await direct.get("get").status == 200)
                setenv(name, proxy.baseURL.absoluteString, 1)
                // Its transport has looked already.
                #expect(try await direct.get("get").status == 200)
                let proxied = Teapot(baseURL: server.baseURL, transport: CurlTransport())
                #expect(try await proxied.get("get").status == 200)
                #expect(proxy.requests.map(\.target) == ["\(server.baseURL)/get"])
                var configuration = CurlTransport.Configuration()
                configuration.proxy = .none
                let other = Teapot(baseURL: server.baseURL, transport: CurlTransport(configuration: configuration))
                #expect(try await other.get("get").status == 200)
                #expect(server.requests.count == 3)
            }
        }

        @Test(arguments: [
            (407, URLError.Code.userAuthenticationRequired, 1), (403, .resourceUnavailable, 1),
            (302, .badServerResponse, 1), (502, .cannotConnectToHost, 2),
        ])
        func `a proxy that refuses a tunnel is named, with its status`(
            status: Int,
            code: URLError.Code,
            attempts: Int
        ) async throws {
            let refusal = "HTTP/1.1 \(status) No\r\nProxy-Authenticate: Basic realm=tea\r\nContent-Length: 0\r\n\r\n"
            let proxy = try LoopbackServer { _ in Script([.send(refusal), .close]) }
            var configuration = CurlTransport.Configuration()
            configuration.proxy = .url(proxy.baseURL)
            let url = try #require(URL(string: "https://tea.example/"))
            let teapot = Teapot(baseURL: url, transport: CurlTransport(configuration: configuration))
            teapot.retryPolicy = RetryPolicy(maximumAttempts: 2, baseDelay: .zero)
            let error = await thrown { () throws(TeapotError) in try await teapot.get("") }
            #expect(error?.type == .noResponse)
            #expect(error?.code == code)
            let address = "127.0.0.1:\(proxy.baseURL.port ?? 0)"
            #expect(error?.failureReason == "the proxy \(address) answered CONNECT with status \(status)")
            #expect(error?.attempts == attempts)
            #expect(proxy.requests.count == attempts)
        }

        @Test(arguments: ["", "sha256//short", "tea.pem"])
        func `a pin that is not one fails the call`(pin: String) async throws {
            let server = try LoopbackServer()
            let error = await thrown { () throws(TeapotError) in
                try await teapot(server) { $0.pinnedPublicKeys = [pin] }.get("get")
            }
            #expect(error?.type == .noResponse)
            #expect(error?.failureReason?.contains("pinned public key") == true)
            #expect(server.requests.isEmpty)
        }

        // MARK: - What comes

        @Test func `a header is delivered unchanged`() async throws {
            let fields = """
                X-A:b\r\nX-Latin: caf\u{E9}\r\nX-Two: 1\r\nx-two: 2\r\nX-Folded: a\r\n  b\r\nX-Late:\r\n a\r\nSet-Cookie: a=1; Expires=Wed, 09 Jun 2100 \
                10:18:14 GMT\r\nSet-Cookie: b=2\r\n
                """
            let head = "HTTP/1.0 203\r\n\(fields)Transfer-Encoding: chunked\r\n\r\n"
            let bytes = Data(head.unicodeScalars.map { UInt8($0.value) })
            let chunks = Data("2\r\n{}\r\n0\r\nX-Trailer: late\r\n\r\n".utf8)
            let server = try LoopbackServer(scripts: [
                Script([
                    .readRequest, .send("HTTP/1.1 103 Early Hints\r\nX-Early: 1\r\n\r\n"), .send(bytes.dropFirst(0)),
                    .send(chunks),
                    .readRequest, .send(Self.empty),
                ])
            ])
            let teapot = teapot(server)
            let response = try await teapot.get("get")
            #expect(response.status == 203)
            #expect(response.headerFields["X-A"] == "b")
            #expect(response.headerFields["X-Latin"] == "café")
            #expect(response.headerFields["X-Two"] == "1, 2")
            #expect(response.headerFields["X-Folded"] == "a b")
            #expect(response.http.allHeaderFields["X-Late"] as? String == "a")
            #expect(response.headerFields["X-Early"] == nil)
            #expect(response.headerFields["X-Trailer"] == nil)
            #expect(response.timings.networkProtocol == "HTTP/1.0")
        }

        /// RFC 9112, section 5.2.
        @Test(
            arguments: [
                (["X: a", " b"], "a b"), (["X:", " b"], "b"), (["X: ", "\t ", " b"], "b"),
                (["X: a", " ", "\tb "], "a b"),
                (["X: a", " "], "a"), (["X:", " "], ""),
            ] as [([String], String)]
        )
        func `a folded value has one blank for each fold, and none around it`(lines: [String], value: String) throws {
            let url = try #require(URL(string: "http://h/"))
            var (header, head) = (ResponseHeader(canBeHTTP2: false), nil as ResponseHead?)
            for line in ["HTTP/1.1 200 OK"] + lines + [""] {
                let step = try Array(line.utf8).withUnsafeBytes { try header.take($0, of: url) { "HTTP/1.1" } }
                if case .response(let whole, _) = step { head = whole }
            }
            #expect(head?.lines.value(of: "X") == value)
            #expect(head?.http.allHeaderFields["X"] as? String == value)
        }

        /// Making one takes longer than all else that a call does.
        @Test func `Foundation's response is made for who asks for it, once`() async throws {
            let server = try LoopbackServer()
            let teapot = teapot(server)
            teapot.retryPolicy = RetryPolicy(maximumAttempts: 2)
            _ = try await teapot.get("get", as: EmptyResponse.self)
            let response = try await teapot.get("get")
            #expect(response.status == 200)
            #expect(response.headerFields["content-type"] == "application/json")
            #expect(response.links.isEmpty)
            #expect(response.text != nil)
            guard case .own(let own) = response.head else {
                Issue.record("it is Foundation's")
                return
            }
            #expect(own.made.withLock { $0 } == nil)
            #expect(response.http === response.http)
            #expect(response.http.statusCode == 200)
        }

        private struct ThreadPlugin: Teapot.Plugin {
            let isOnEngine = Locked<Bool?>(nil)

            func didReceive(_ result: Result<Teapot.Response, TeapotError>, for request: Teapot.SentRequest) {
                isOnEngine.withLock { $0 = EventThread.isCurrent }
            }
        }

        @Test(arguments: [true, false]) func `only plugins of closures run on the thread`(isAsync: Bool) async throws {
            let server = try LoopbackServer()
            let teapot = teapot(server)
            let plugin = ThreadPlugin()
            teapot.plugins = [plugin]
            if isAsync {
                try await teapot.get("delay/0.2")
            } else {
                await withCheckedContinuation { done in teapot.get("delay/0.2") { (_: NetworkResult) in done.resume() }
                }
            }
            #expect(plugin.isOnEngine.withLock { $0 } == !isAsync)
        }

        /// libcurl 7.88 wrote to the field of the response before, which it had freed; later ones of Debian refuse a line without a
        /// colon before.
        @Test(arguments: ["", "a: "]) func `a header that begins with a folded line`(begin: String) async throws {
            let line = " \(begin)\(String(repeating: "a", count: 1_000))"
            let folded = "HTTP/1.1 200 OK\r\n\(line)\r\nContent-Length: 0\r\n\r\n"
            let script = Script((0..<20).flatMap { [.readRequest, .send($0.isMultiple(of: 2) ? Self.empty : folded)] })
            let server = try LoopbackServer(scripts: [script])
            let teapot = teapot(server)
            for _ in 0..<20 {
                let error = await thrown { () throws(TeapotError) in try await teapot.get("get") }
                // Some versions refuse it, which is right, too (RFC 9112, section 2.2).
                #expect(error.map { $0.type == .noResponse } ?? true)
            }
        }

        /// RFC 9112, sections 5.1 and 5.2: libcurl takes some of them for other fields, or for none.
        @Test(arguments: [
            "Content-Length : 50", "Content-Length\t: 50", "content-length  : 2", "Transfer-Encoding : chunked",
            "Transfer-Encoding\t: chunked", "Transfer-Encoding:\r\n chunked",
            "Transfer-Encoding: identity,\r\n\tchunked",
            "Content-Length:\r\n 50", "Content-Length: 5\r\n 0", "X-Tea: a\r\nTransfer-Encoding: \r\n\t\r\n chunked",
        ])
        func `a response whose end is found by a field that libcurl reads differently is refused`(field: String)
            async throws
        {
            for end in ["", "Connection: close\r\n"] {
                let script = Script([
                    .readRequest, .send("HTTP/1.1 200 OK\r\n\(field)\r\n\(end)\r\n2\r\n{}\r\n0\r\n\r\n"), .close,
                ])
                let server = try LoopbackServer(scripts: [script, script])
                let teapot = teapot(server)
                // libcurl 8.23 reads folded fields as one line, as Teapot does.
                do throws(TeapotError) {
                    let text = try await teapot.get("get").text
                    #expect(field.contains("\r\n") && text == "{}")
                } catch {
                    #expect(field.contains("\r\n") || error.type == .noResponse)
                    #expect(field.contains("\r\n") || error.code == .badServerResponse)
                }
            }
        }

        /// Nothing but the end of a body is unclear.
        @Test(arguments: [
            "Content-Type : text/plain", "X-Content-Length : 50", "X-Tea: a\r\n b", "Content-Lengths:\r\n 50",
        ])
        func `any other field may have a blank before its colon, or be folded`(field: String) async throws {
            let script = Script([.readRequest, .send("HTTP/1.1 200 OK\r\n\(field)\r\nContent-Length: 2\r\n\r\n{}")])
            let server = try LoopbackServer(scripts: [script])
            #expect(try await teapot(server).get("get").data == Data("{}".utf8))
            withExtendedLifetime(server) {}
        }

        @Test func `trailers are counted, too`() async throws {
            let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n"
            let trailers = String(repeating: "X-Tea: \(String(repeating: "a", count: 1_000))\r\n", count: 5_000)
            let server = try LoopbackServer(scripts: [Script([.readRequest, .send(head), .send(trailers), .stall])])
            let error = await thrown { () throws(TeapotError) in try await teapot(server).get("get") }
            #expect(error?.type == .dataTaskError)
            #expect(error?.code == .dataLengthExceedsMaximum)
        }

        @Test(arguments: ["ftp://user:s3cret@127.0.0.1:1", "http://user:s3cret@127.0.0.1:1"])
        func `an error shows no password of a proxy`(proxy: String) async throws {
            let server = try LoopbackServer()
            let url = try #require(URL(string: proxy))
            let teapot = teapot(server) { $0.proxy = .url(url) }
            let error = await thrown { () throws(TeapotError) in try await teapot.get("get") }
            #expect(error?.type == .noResponse)
            #expect(error.map { "\($0.debugDescription) \($0.underlyingError ?? $0)" }?.contains("s3cret") == false)
        }

        @Test func `bytes that are sent twice are counted once`() async throws {
            let server = try LoopbackServer(scripts: [Self.stale])
            let transport = CurlTransport()
            let sent = Locked<[Int]>([])
            for method in ["GET", "PUT"] {
                var request = URLRequest(url: server.baseURL.appending(path: "anything"))
                request.httpMethod = method
                if method == "PUT" { request.httpBody = Data(count: 10_000) }
                let done = Signal()
                _ = transport.start(TransportRequest(request)) { event in
                    if case .sent(let count) = event.kind { sent.withLock { $0.append(count) } }
                    if event.isFinished {
                        #expect(event.error == nil)
                        done.fire()
                    }
                }
                await done.wait()
            }
            #expect(server.requests.map(\.method) == ["GET", "PUT", "PUT"])
            #expect(sent.withLock { $0.reduce(0, +) } == 10_000)
        }

        @Test(arguments: ["HTTP/2 200 OK", "HTTP/2 200 ", "HTTP/2 200"])
        func `a response of HTTP/1.1 that claims to be HTTP/2 is refused`(statusLine: String) async throws {
            let response = "\(statusLine)\r\ncontent-length: 2\r\n\r\n{}"
            let script = Script([.readRequest, .send(response), .readRequest, .send(response)])
            let server = try LoopbackServer(scripts: [script])
            let teapot = teapot(server)
            let error = await thrown { () throws(TeapotError) in try await teapot.get("get") }
            #expect(error?.type == .noResponse)
            #expect(error?.code == .badServerResponse)
            let paths = try await withThrowingTaskGroup(of: (String, String?).self) { group in
                for number in 0..<20 {
                    group.addTask {
                        let response = try await teapot.get("anything/\(number)")
                        return (
                            "/anything/\(number)",
                            (response.json?.dictionary?["url"] as? String).flatMap(URL.init)?.path()
                        )
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(paths.allSatisfy { $0.0 == $0.1 }, "\(paths)")
        }

        @Test(
            arguments: brief(["Content-Length: 2\r\n\r\n{}", "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"])
        )
        func `bytes after a response are not the next one`(_ argument: Brief<String>) async throws {
            let rest = argument.value
            let surplus = "HTTP/1.1 203 Evil\r\nContent-Length: 0\r\n\r\n"
            let script = Script([
                .readRequest, .send("HTTP/1.1 200 OK\r\n\(rest)\(surplus)"), .readRequest, .send(Self.empty),
            ])
            let server = try LoopbackServer(scripts: [script])
            let teapot = teapot(server)
            #expect(try await teapot.get("first").text == "{}")
            let next = try await teapot.get("get")
            #expect(next.status == 200)
            // After chunks, libcurl drops them unseen.
            #expect(next.timings.isConnectionReused == rest.hasPrefix("Transfer-Encoding"))
        }

        @Test func `a connection is closed after a response with a length and chunks`() async throws {
            let body = "Content-Length: 7\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
            let script = Script([.readRequest, .send("HTTP/1.1 200 OK\r\n\(body)"), .readRequest, .stall])
            let server = try LoopbackServer(scripts: [script])
            let teapot = teapot(server)
            #expect(try await teapot.get("first").text == "{}")
            #expect(try await teapot.get("get").timings.isConnectionReused == false)
        }

        @Test func `timings are measured`() async throws {
            let server = try LoopbackServer()
            let teapot = teapot(server)
            let first = try await teapot.post("post", body: ["a": 1]).timings
            let second = try await teapot.get("status/204").timings
            #expect(first.isConnectionReused == false)
            #expect(second.isConnectionReused == true)
            for timings in [first, second] {
                #expect(timings.total > .zero)
                #expect(try #require(timings.firstByte) <= timings.total)
                #expect(timings.tls == nil)
                #expect(timings.networkProtocol == "HTTP/1.1")
                #expect(timings.remoteAddress == "127.0.0.1:\(server.port)")
            }
            #expect(first.connect != nil)
            #expect(try #require(first.bytesSent) > 100)
            #expect(try #require(first.bytesReceived) > 100)
            let error = await thrown { () throws(TeapotError) in try await teapot.get("status/404") }
            #expect(error?.timings.firstByte != nil)
        }

        // MARK: - Connections

        @Test func `a process that is started does not inherit a connection`() async throws {
            let server = try LoopbackServer()
            let older = ClientSocket.all(to: server.port)
            let teapot = teapot(server)
            try await teapot.get("get")
            let sockets = ClientSocket.all(to: server.port, besides: older)
            let flags = sockets.values.map { fcntl($0.descriptor, F_GETFD) }
            withExtendedLifetime(teapot) {}
            #expect(flags == [FD_CLOEXEC])
        }

        /// A connection that the server closes when the second request comes.
        private static let stale = Script([.readRequest, .send(empty), .readRequest, .close])

        @Test(
            arguments: [
                (Teapot.HTTPMethod.get, nil), (.put, "tea"), (.delete, nil), (.post, ""), (.post, "tea"),
            ] as [(Teapot.HTTPMethod, String?)]
        )
        func `an idempotent request is sent again if its connection was stale`(
            method: Teapot.HTTPMethod,
            text: String?
        ) async throws {
            let server = try LoopbackServer(scripts: [Self.stale])
            let teapot = teapot(server)
            try await teapot.get("get")
            let body = text.map { Teapot.Request.Body(Data($0.utf8), contentType: "text/plain") }
            let result = await outcome(of: Teapot.Request(method, path: "anything", body: body), from: teapot)
            if method == .post {
                #expect(result.error?.type == .noResponse)
                #expect(result.error?.code == .networkConnectionLost)
            } else {
                #expect(try result.get().status == 200)
            }
            let again = method == .post ? [] : [method.rawValue]
            #expect(server.requests.map(\.method) == ["GET", method.rawValue] + again)
        }

        @Test(arguments: [303: ["POST", "GET", "GET"], 307: ["POST", "POST"]])
        func `a GET that a POST led to is sent again if its connection was stale`(
            status: Int,
            methods: [String]
        ) async throws {
            let redirect = "HTTP/1.1 \(status) See\r\nLocation: /anything\r\nContent-Length: 0\r\n\r\n"
            let server = try LoopbackServer(scripts: [Script([.readRequest, .send(redirect), .readRequest, .close])])
            let body = Teapot.Request.Body(Data("tea".utf8), contentType: "text/plain")
            let result = await outcome(of: Teapot.Request(.post, path: "notes", body: body), from: teapot(server))
            #expect((try? result.get().status) == (status == 303 ? 200 : nil))
            #expect(server.requests.map(\.method) == methods)
        }

        // MARK: - Back-pressure

        @Test func `a paused body does not arrive`() async throws {
            let server = try LoopbackServer()
            let transport = CurlTransport()
            let (count, done) = (Locked(0), Signal())
            let request = URLRequest(url: server.baseURL.appending(path: "file/50000000"))
            let task = transport.start(TransportRequest(request)) { event in
                if let data = event.data { count.withLock { $0 += data.count } }
                if event.isFinished { done.fire() }
            }
            task?.suspend()
            // The thread is idle once other requests on it have been answered.
            for _ in 0..<5 { try await Teapot(baseURL: server.baseURL, transport: transport).get("get") }
            #expect(count.withLock { $0 } < 5_000_000)
            task?.resume()
            await done.wait()
            #expect(count.withLock { $0 } == 50_000_000)
        }

        // MARK: - The thread

        @Test func `a plugin that would block it gets an error at once`() async throws {
            let server = try LoopbackServer()
            let teapot = teapot(server)
            let types = Locked<[TeapotError.ErrorType?]>([])
            let plugin = WatchingPlugin(didReceive: { _, _ in
                let outcome = Result { try teapot.sendAndWait(Teapot.Request(path: "status/204")) }
                guard case .failure(let error) = outcome else { return }
                types.withLock { $0.append((error as? TeapotError)?.type) }
            })
            teapot.plugins = [plugin]
            await withCheckedContinuation { done in teapot.get("get") { (_: NetworkResult) in done.resume() } }
            #expect(types.withLock { $0 } == [.preparationFailed])
            #expect(server.requests.count == 1)
            teapot.plugins = []
            #expect(await onThread { try? teapot.sendAndWait(Teapot.Request(path: "status/204")).status } == 204)
        }
    }

    typealias Outcome = Result<Teapot.Response, TeapotError>
#endif
