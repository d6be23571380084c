#if os(Linux)
    import Teapot
    import TeapotCurl
    import TestSupport
    import TestTraits
    import Testing

    /// TLS and HTTP/2 with the servers that `.ci/tls` starts: `TEAPOT_TLS_PORTS` has their ports, `TEAPOT_TLS_DIRECTORY` the
    /// certificates and keys, and `TEAPOT_TLS_PIN` the pin of the trusted one.
    @Suite(.enabled(if: TLSServers.ports != nil && TLSServers.directory != nil), .inTurn)
    struct CurlTLSTests {
        /// The answer of nginx at `get`.
        private struct Echo: Decodable {
            let server: String
            let connection: String
        }

        private func file(_ name: String) throws -> URL { try #require(TLSServers.directory).appending(path: name) }

        private func teapot(
            _ server: String,
            trustsAuthority: Bool = true,
            _ change: (inout CurlTransport.Configuration) throws -> Void = { _ in }
        ) throws -> Teapot {
            let port = try #require(TLSServers.ports?[server])
            var configuration = CurlTransport.Configuration()
            if trustsAuthority { configuration.certificateAuthorities = .file(try file("authority.crt")) }
            try change(&configuration)
            let url = try #require(URL(string: "https://127.0.0.1:\(port)"))
            return Teapot(baseURL: url, transport: CurlTransport(configuration: configuration))
        }

        /// - Returns: The code of the error, and why.
        private func failure(
            _ server: String,
            trustsAuthority: Bool = true,
            _ change: (inout CurlTransport.Configuration) throws -> Void = { _ in }
        ) async throws -> (code: URLError.Code, reason: String) {
            let teapot = try teapot(server, trustsAuthority: trustsAuthority, change)
            let error = try #require(await thrown { () throws(TeapotError) in try await teapot.get("get") })
            let cause = try #require(error.underlyingError as? URLError)
            return (cause.code, error.failureReason ?? "")
        }

        @Test func `a custom certificate authority, from a file and from data`() async throws {
            let inFile = try await teapot("trusted").get("get").timings
            #expect(inFile.tls != nil)
            let data = try Data(contentsOf: file("authority.crt"))
            let teapot = try teapot("trusted") { $0.certificateAuthorities = .data(data) }
            #expect(try await teapot.get("get", as: Echo.self).server == "trusted")
            #expect(try await failure("trusted", trustsAuthority: false).code == .serverCertificateUntrusted)
        }

        @Test(
            arguments: [
                ("self-signed", URLError.Code.serverCertificateUntrusted),
                ("unknown-authority", .serverCertificateUntrusted),
                ("expired", .serverCertificateHasBadDate), ("not-yet-valid", .serverCertificateNotYetValid),
                ("wrong-host", .serverCertificateUntrusted),
            ] as [(String, URLError.Code)]
        )
        func `a certificate that is refused`(server: String, code: URLError.Code) async throws {
            #expect(try await failure(server).code == code)
        }

        @Test func `the right pin, and a wrong one`() async throws {
            let pin = try #require(TLSServers.pin)
            let wrong = "sha256//" + Data(count: 32).base64EncodedString()
            for pins in [[pin], [wrong, pin]] {
                let teapot = try teapot("trusted") { $0.pinnedPublicKeys = pins }
                #expect(try await teapot.get("get").status == 200)
            }
            let refused = try await failure("trusted") { $0.pinnedPublicKeys = [wrong] }
            #expect(refused.code == .serverCertificateUntrusted)
            #expect(refused.reason.contains("public key"))
            // A pin replaces no trust.
            let untrusted = try await failure("self-signed") { $0.pinnedPublicKeys = [pin] }
            #expect(untrusted.code == .serverCertificateUntrusted)
        }

        @Test func `a certificate of the client`() async throws {
            let inFiles = try teapot("client") {
                $0.clientCertificate = .init(
                    certificate: .file(try file("other.crt")),
                    key: .file(try file("other.key"))
                )
            }
            #expect(try await inFiles.get("get").status == 200)
            let inMemory = try teapot("client") {
                $0.clientCertificate = .init(
                    certificate: .data(try Data(contentsOf: file("other.crt"))),
                    key: .data(try Data(contentsOf: file("other.key")))
                )
            }
            #expect(try await inMemory.get("get").status == 200)
            let missing = try teapot("client")
            let error = await thrown { () throws(TeapotError) in try await missing.get("get") }
            #expect(error?.responseStatus == 400)
            let broken = try await failure("client") {
                $0.clientCertificate = .init(certificate: .file(try file("no.crt")), key: .file(try file("no.key")))
            }
            #expect(broken.code == .clientCertificateRejected)
        }

        /// In TLS 1.3, the server says so when the handshake is over for the client (RFC 8446, section 4.4.2.4).
        @Test(arguments: ["mutual", "mutual-old"])
        func `a certificate of the client that is missing or refused is a final error`(server: String) async throws {
            func certificate(_ name: String) throws -> CurlTransport.ClientCertificate {
                .init(certificate: .file(try file("\(name).crt")), key: .file(try file("\(name).key")))
            }
            func error(_ name: String?) async throws -> TeapotError? {
                let teapot = try teapot(server) { $0.clientCertificate = try name.map(certificate) }
                teapot.retryPolicy = RetryPolicy(maximumAttempts: 3, baseDelay: .zero)
                return await thrown { () throws(TeapotError) in try await teapot.get("goodbye") }
            }
            let missing = try await error(nil)
            let refused = try await error("unknown-authority")
            #expect(missing?.type == .noResponse)
            // Before TLS 1.3, there is no alert for it.
            let code = server == "mutual" ? URLError.Code.clientCertificateRequired : .secureConnectionFailed
            #expect(missing?.code == code)
            #expect(missing?.failureReason?.contains(server == "mutual" ? "certificate required" : "alert") == true)
            #expect(refused?.code == .clientCertificateRejected)
            #expect(refused?.failureReason?.contains("unknown ca") == true)
            #expect([missing, refused].map { $0?.attempts } == [1, 1])
            #expect(try await error("other") == nil)
        }

        @Test func `a proxy that only makes tunnels`() async throws {
            let port = try #require(TLSServers.ports?["proxy"])
            let proxy = try #require(URL(string: "http://127.0.0.1:\(port)"))
            let response = try await teapot("trusted") { $0.proxy = .url(proxy) }.get("get")
            #expect(response.status == 200)
            #expect(response.headerFields["X-Tunnel"] == nil)
        }

        @Test func `authorities and a certificate of the client are for a secure proxy, too`() async throws {
            func proxy(_ name: String) throws -> URL {
                let port = try #require(TLSServers.ports?[name])
                return try #require(URL(string: "https://127.0.0.1:\(port)"))
            }
            let client = CurlTransport.ClientCertificate(
                certificate: .file(try file("other.crt")),
                key: .file(try file("other.key"))
            )
            let teapot = try teapot("trusted") {
                $0.proxy = .url(try proxy("proxy-mutual"))
                $0.clientCertificate = client
            }
            #expect(try await teapot.get("get").status == 200)
            // A server that lets its alert arrive; what it would answer to `CONNECT` does not matter.
            let other = try proxy("mutual")
            let missing = try await failure("trusted") { $0.proxy = .url(other) }
            #expect(missing.code == .clientCertificateRequired)
            let untrusted = try await failure("trusted", trustsAuthority: false) { $0.proxy = .url(other) }
            #expect(untrusted.code == .serverCertificateUntrusted)
            // Each says that it is about the proxy.
            for reason in [missing.reason, untrusted.reason] {
                #expect(reason.hasPrefix("the proxy 127.0.0.1:\(other.port ?? 0): "), "\(reason)")
            }
        }

        @Test func `an error of a server that is not reached by the proxy is its own`() async throws {
            await #expect(processExitsWith: .success) {
                ProxyVariables.set("https://127.0.0.1:1")
                setenv("no_proxy", "127.0.0.1", 1)
                let failure = try await CurlTLSTests().failure("expired")
                #expect(failure.code == .serverCertificateHasBadDate)
                #expect(!failure.reason.contains("proxy"), "\(failure.reason)")
            }
        }

        @Test func `a password that a SOCKS proxy refuses is not tried again`() async throws {
            let port = try #require(TLSServers.ports?["socks"])
            let proxy = try #require(URL(string: "socks5://u:topsecret@127.0.0.1:\(port)"))
            let teapot = try teapot("trusted") { $0.proxy = .url(proxy) }
            teapot.retryPolicy = RetryPolicy(maximumAttempts: 3, baseDelay: .zero)
            let error = await thrown { () throws(TeapotError) in try await teapot.get("get") }
            #expect(error?.code == .userAuthenticationRequired)
            #expect(error?.attempts == 1)
            #expect(error?.debugDescription.contains("topsecret") == false)
        }

        // MARK: - HTTP/2

        @Test func `a thousand requests share a connection`() async throws {
            let teapot = try teapot("http2")
            let connections = try await withThrowingTaskGroup(of: (String, String?).self) { group in
                for _ in 0..<1_000 {
                    group.addTask {
                        let response = try await teapot.get("get")
                        return (try response.decode(Echo.self).connection, response.timings.networkProtocol)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(connections.count == 1_000)
            #expect(Set(connections.map(\.0)).count == 1)
            #expect(Set(connections.map(\.1)) == ["HTTP/2"])
        }

        @Test(arguments: [300_000, nil], ["http2", "haproxy-http2"])
        func `a body that is made while it is sent`(length: Int?, server: String) async throws {
            let teapot = try teapot(server)
            for index in 0..<3 {
                let (pieces, source) = AsyncStream<Data>.makeStream()
                let body = Teapot.Request.Body.stream(pieces, length: length)
                let path = "files/made-\(length ?? 0)-\(index)"
                async let response = teapot.send(Teapot.Request(.put, path: Teapot.Path(path), body: body))
                for _ in 0..<30 {
                    source.yield(Data(count: 10_000))
                    await Task.yield()
                }
                source.finish()
                #expect(try await response.timings.networkProtocol == "HTTP/2")
                #expect(try await teapot.head(Teapot.Path(path)).headerFields["Content-Length"] == "300000")
            }
        }

        /// libcurl 7.88 fails the second request on such a connection.
        @Test func `HTTP/2 without TLS if it is asked for`() async throws {
            let teapot = try teapot("http2-plain") { $0.httpVersion = .http2 }
            let port = try #require(TLSServers.ports?["http2-plain"])
            teapot.baseURL = try #require(URL(string: "http://127.0.0.1:\(port)"))
            let protocols = try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<50 { group.addTask { try await teapot.get("get").timings.networkProtocol } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(protocols == Array(repeating: "HTTP/2", count: 50))
        }

        @Test func `HTTP/1.1 if it is asked for`() async throws {
            let response = try await teapot("http2") { $0.httpVersion = .http1_1 }.get("get")
            #expect(response.timings.networkProtocol == "HTTP/1.1")
        }

        /// FoundationNetworking loses some of them for as long as the timeout.
        @Test(arguments: [false, true], ["http2", "haproxy-http2"])
        func `bodies of every length come whole and at once`(isUpload: Bool, server: String) async throws {
            let teapot = try teapot(server)
            let powers = (4...20).flatMap { power in (-9...9).map { (1 << power) + $0 } }
            let lengths = Array(15_000...17_000) + powers.filter { $0 > 0 }
            let all = try await teapot.get("files/large").data
            let wrong = try await withThrowingTaskGroup(of: Int?.self) { group in
                for (index, length) in lengths.enumerated() {
                    if index >= 16 { _ = try await group.next() }
                    group.addTask {
                        guard isUpload else {
                            let response = try await teapot.send(
                                Teapot.Request(
                                    path: "files/large",
                                    headerFields: ["Range": "bytes=0-\(length - 1)", "Accept-Encoding": "identity"]
                                ).with { $0.timeoutInterval = 10 }
                            )
                            return response.data == all.prefix(length) ? nil : length
                        }
                        let body = Teapot.Request.Body(all.prefix(length), contentType: "application/octet-stream")
                        let request = Teapot.Request(.put, path: "files/up-\(index)", body: body).with {
                            $0.timeoutInterval = 10
                        }
                        try await teapot.send(request)
                        let stored = try await teapot.send(
                            Teapot.Request(.head, path: "files/up-\(index)").with { $0.timeoutInterval = 10 }
                        )
                        return stored.headerFields["Content-Length"] == "\(length)" ? nil : length
                    }
                }
                return try await group.reduce(into: []) { wrong, length in if let length { wrong.append(length) } }
            }
            #expect(wrong.isEmpty)
        }

        @Test(arguments: ["h2-early", "h2-early-reset"])
        func `a response that comes before the end of an upload is the response`(server: String) async throws {
            // More than fits into the window of a stream, which stays as it is.
            let body = Teapot.Request.Body(Data(count: 300_000), contentType: "application/octet-stream")
            let response = try await teapot(server).send(Teapot.Request(.put, path: "put", body: body))
            #expect(response.data == Data("{}".utf8))
        }

        @Test(arguments: ["h2-no-streams", "h2-one-stream"])
        func `a call after one that was not answered in time opens another connection`(server: String) async throws {
            let teapot = try teapot(server)
            let isSent = Signal()
            var stuck: Task<Void, any Error>?
            if server == "h2-one-stream" {
                // The only stream that the server allows. One that still waited would get the next connection, which answers
                // one request.
                let body = Teapot.Request.Body(Data("{}".utf8), contentType: "application/json")
                let request = Teapot.Request(.put, path: "stuck", body: body).with { $0.timeoutInterval = .infinity }
                stuck = Task { _ = try await teapot.upload(request) { if $0.bytes > 0 { isSent.fire() } } }
                await isSent.wait()
            }
            let error = await thrown { () throws(TeapotError) in
                try await teapot.send(Teapot.Request(path: "get").with { $0.timeoutInterval = 1 })
            }
            if let reason = error?.failureReason {
                #expect(reason.contains("no progress for 1.0 seconds"), "\(reason)")
                #expect(try await teapot.get("get").status == 200)
            } else {
                // libcurl has opened it already, as the stream is taken.
                #expect(server == "h2-one-stream")
            }
            stuck?.cancel()
            _ = await stuck?.result
        }

        @Test(arguments: ["h2-trailers", "h2-record", "h2-location", "h2-reset"])
        func `unusual HTTP/2 responses`(server: String) async throws {
            let teapot = try teapot(server)
            let outcome = await Outcome(of: { () throws(TeapotError) in try await teapot.get("get") })
            switch server {
            case "h2-trailers": #expect(try outcome.get().data == Data("{}".utf8))
            case "h2-record": #expect(try outcome.get().data.count == 16_300)
            // Nobody listens there.
            case "h2-location": #expect(outcome.error?.code == .cannotConnectToHost)
            default:
                // A limit of libcurl: a stream that is reset without an error has a body of no known length, taken as whole.
                #expect(try outcome.get().data == Data("{".utf8))
            }
        }
    }
#endif
