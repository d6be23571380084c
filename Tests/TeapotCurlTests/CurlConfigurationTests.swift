#if os(Linux)
    import LoopbackServer
    import Teapot
    import TestSupport
    import TestTraits
    import Testing

    @testable import TeapotCurl

    /// Configurations, and their effect in libcurl. `CurlTLSTests` has the servers that need TLS.
    @Suite(.timeLimit(.minutes(10)), .inTurn)
    struct CurlConfigurationTests {
        private func get(
            from server: LoopbackServer,
            _ change: (inout CurlTransport.Configuration) -> Void
        ) async -> Outcome {
            var configuration = CurlTransport.Configuration()
            change(&configuration)
            let teapot = Teapot(baseURL: server.baseURL, transport: CurlTransport(configuration: configuration))
            return await Outcome(of: { () throws(TeapotError) in try await teapot.get("get") })
        }

        private static let file = CurlTransport.PEM.file(URL(filePath: "/nowhere.pem"))
        private static let data = CurlTransport.PEM.pem(Data("PEM".utf8))

        @Test(arguments: [file, data])
        func `options of TLS do not matter without TLS`(pem: CurlTransport.PEM) async throws {
            let server = try LoopbackServer()
            let outcome = await get(from: server) {
                $0.certificateAuthorities = pem
                $0.clientCertificate = .init(certificate: pem, key: pem, password: "s3cret")
                $0.pinnedPublicKeys = ["sha256//" + Data(count: 32).base64EncodedString()]
                $0.httpVersion = .http1_1
            }
            #expect(try outcome.get().timings.networkProtocol == "HTTP/1.1")
        }

        @Test func `empty data is an error that names the option`() async throws {
            let server = try LoopbackServer()
            let outcome = await get(from: server) { $0.certificateAuthorities = .pem(Data()) }
            #expect(outcome.error?.failureReason?.contains("CURLOPT_CAINFO_BLOB") == true)
            #expect(server.requests.isEmpty)
        }

        @Test(arguments: [
            Duration.zero, .seconds(5), .milliseconds(1), .seconds(-1), .seconds(Int64.max), .seconds(Int64.min),
        ])
        func `any duration is accepted`(duration: Duration) async throws {
            let server = try LoopbackServer()
            let outcome = await get(from: server) {
                $0.connectTimeout = max(duration, .seconds(1))
                $0.idleConnectionAge = duration
                $0.maximumConnections = 0
                $0.maximumConnectionsPerHost = -1
            }
            #expect(try outcome.get().status == 200)
        }

        @Test func `HTTP/2 alone is not spoken with a server that knows only HTTP/1.1`() async throws {
            let server = try LoopbackServer()
            let error = await get(from: server) { $0.httpVersion = .http2 }.error
            #expect(error?.type == .noResponse)
        }

        @Test(arguments: [
            (1, URLError.Code.badServerResponse), (3, .badURL), (5, .cannotFindHost), (6, .cannotFindHost),
            (7, .cannotConnectToHost),
            (18, .networkConnectionLost), (28, .timedOut), (35, .secureConnectionFailed),
            (58, .clientCertificateRejected),
            (60, .serverCertificateUntrusted), (61, .cannotDecodeContentData), (90, .serverCertificateUntrusted),
            (98, .clientCertificateRequired), (100, .dataLengthExceedsMaximum), (999, .unknown),
        ])
        func `an error of libcurl has the code that fits`(curl: Int, code: URLError.Code) {
            let error = URLError(curl: Int32(curl), text: "what libcurl says", hasResponse: false)
            #expect(error.code == code)
            #expect(error.localizedDescription == "what libcurl says")
        }

        @Test func `libcurl's text determines the code of a certificate error`() {
            let text = "SSL certificate problem: certificate has expired"
            #expect(URLError(curl: 60, text: text, hasResponse: false).code == .serverCertificateHasBadDate)
            #expect(URLError(curl: 999, text: "", hasResponse: true).code == .networkConnectionLost)
            #expect(
                URLError(curl: 56, text: "Too large response headers: 1 > 0", hasResponse: false).code
                    == .dataLengthExceedsMaximum
            )
        }

        // MARK: - What is refused

        /// Makes a request by the transport alone.
        private func end(
            of request: URLRequest,
            bodyFile: URL? = nil,
            sent: @escaping @Sendable () -> Void = {}
        ) async -> (any Error)? {
            await withCheckedContinuation { continuation in
                _ = CurlTransport().start(request, bodyFile: bodyFile) { event in
                    switch event {
                    case .sent: sent()
                    case .finished(let error): continuation.resume(returning: error)
                    default: break
                    }
                }
            }
        }

        @Test func `unsupported URLs are errors`() async throws {
            let ftp = URLRequest(url: try #require(URL(string: "ftp://127.0.0.1/tea")))
            #expect((await end(of: ftp) as? URLError)?.code == .unsupportedURL)
            // libcurl's limit is 8 MB.
            let long = try #require(URL(string: "http://127.0.0.1:1/" + String(repeating: "a", count: 9_000_000)))
            #expect(await end(of: URLRequest(url: long))?.localizedDescription == "libcurl rejected the URL")
        }

        @Test func `a file that becomes shorter while it is sent`() async throws {
            let server = try LoopbackServer()
            let folder = try TemporaryFolder()
            let file = folder.file("leaves")
            try Data(count: 5_000_000).write(to: file)
            var request = URLRequest(url: server.baseURL.appending(path: "put"))
            request.httpMethod = "PUT"
            let error = await end(of: request, bodyFile: file) {
                do {
                    let handle = try FileHandle(forWritingTo: file)
                    try handle.truncate(atOffset: 10)
                } catch {
                    Issue.record(error)
                }
            }
            #expect((error as? TeapotError)?.type == .fileError)
        }

        @Test func `a header has its limits`() throws {
            let url = try #require(URL(string: "http://127.0.0.1"))
            func take(_ lines: some Sequence<String>) throws -> HTTPURLResponse? {
                var header = ResponseHeader()
                var response: HTTPURLResponse?
                for line in ["HTTP/1.1 200 OK\r\n"] + lines + ["\r\n"] {
                    if case .response(let found, _) = try header.take(line, of: url, { (200, "HTTP/1.1") }) {
                        response = found
                    }
                }
                return response
            }
            #expect(try take((0..<50_000).map { _ in "X: a\r\n" }) != nil)
            #expect(throws: URLError.self) { try take((0..<50_001).map { _ in "X: a\r\n" }) }
            #expect(throws: URLError.self) { try take(["X: \(String(repeating: "a", count: 100_000))\r\n"]) }
            let long = "X: \(String(repeating: "a", count: 90_000))\r\n"
            #expect(throws: URLError.self) { try take((0..<50).map { _ in long }) }
            #expect(try take(["no colon\r\n", ": no name\r\n", "a b: no token\r\n"])?.allHeaderFields.isEmpty == true)
        }

        @Test func `texts show no secrets`() throws {
            let url = try #require(URL(string: "http://user:s3cret@proxy.example:1"))
            let texts = [CurlTransport.Proxy.environment, .none, .url(url)].map { "\($0)" }
            #expect(texts == ["environment", "none", "http://proxy.example:1"])
            let certificate = CurlTransport.ClientCertificate(
                certificate: Self.file,
                key: Self.data,
                password: "s3cret"
            )
            #expect("\(certificate)" == "/nowhere.pem, key: 3 bytes")
        }
    }
#endif
