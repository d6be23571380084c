#if os(Linux)
    import LoopbackServer
    import Teapot
    import TestSupport
    import TestTraits
    import Testing

    @testable import TeapotCurl

    /// Configurations, and their effect in libcurl. `CurlTLSTests` has the servers that need TLS.
    @Suite(.inTurn)
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
        private static let data = CurlTransport.PEM.data(Data("PEM".utf8))

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

        @Test func `a dump shows no password or key`() throws {
            var configuration = CurlTransport.Configuration()
            configuration.proxy = .url(try #require(URL(string: "http://ada:hush-proxy@proxy.example:3128")))
            configuration.certificateAuthorities = .data(Data("hush-authority".utf8))
            configuration.clientCertificate = .init(
                certificate: .file(URL(filePath: "/client.pem")),
                key: .data(Data("hush-key".utf8)),
                password: "hush-password"
            )
            var dumped = ""
            dump(configuration, to: &dumped)
            dump(configuration.clientCertificate, to: &dumped)
            dump([configuration.proxy], to: &dumped)
            #expect(dumped.contains("http://proxy.example:3128"))
            #expect(dumped.contains("/client.pem") && dumped.contains("8 bytes"))
            // The first bytes of the key, as a dump of `Data` shows them.
            #expect(!dumped.contains("hush") && !dumped.contains("104"))
            #expect(!"\(configuration)".contains("hush"))
        }

        @Test func `empty data is an error that names the option`() async throws {
            let server = try LoopbackServer()
            let outcome = await get(from: server) { $0.certificateAuthorities = .data(Data()) }
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

        @Test(
            arguments: [
                (1, URLError.Code.badServerResponse), (3, .badURL), (5, .cannotFindHost), (6, .cannotFindHost),
                (7, .cannotConnectToHost),
                (18, .networkConnectionLost), (28, .timedOut), (35, .secureConnectionFailed),
                (58, .clientCertificateRejected),
                (60, .serverCertificateUntrusted), (61, .badServerResponse), (90, .serverCertificateUntrusted),
                (98, .clientCertificateRequired), (100, .dataLengthExceedsMaximum), (999, .unknown),
            ] as [(Int, URLError.Code)]
        )
        func `an error of libcurl has the code that fits`(curl: Int, code: URLError.Code) {
            let error = URLError(curl: Int32(curl), text: "what libcurl says", verification: 0, hasResponse: false)
            #expect(error.code == code)
            #expect(error.localizedDescription == "what libcurl says")
        }

        @Test(arguments: [
            (60, 9, false, URLError.Code.serverCertificateNotYetValid), (60, 10, false, .serverCertificateHasBadDate),
            (60, 18, false, .serverCertificateUntrusted), (999, 0, true, .networkConnectionLost),
        ])
        func `the code depends on the certificate, and on a response`(
            curl: Int,
            verification: Int,
            hasResponse: Bool,
            code: URLError.Code
        ) {
            // The text has no say.
            let text = "SSL certificate problem: certificate has expired"
            let error = URLError(curl: Int32(curl), text: text, verification: verification, hasResponse: hasResponse)
            #expect(error.code == code)
        }

        // MARK: - What is refused

        /// Makes a request by the transport alone.
        private func end(
            of request: TransportRequest,
            sent: @escaping @Sendable () -> Void = {}
        ) async -> (any Error)? {
            await withCheckedContinuation { continuation in
                _ = CurlTransport().start(request) { event in
                    switch event.kind {
                    case .sent: sent()
                    case .finished(let error): continuation.resume(returning: error)
                    default: break
                    }
                }
            }
        }

        @Test func `unsupported URLs are errors`() async throws {
            let ftp = URLRequest(url: try #require(URL(string: "ftp://127.0.0.1/tea")))
            #expect((await end(of: TransportRequest(ftp)) as? URLError)?.code == .unsupportedURL)
            // libcurl's limit is 8 MB.
            let long = try #require(URL(string: "http://127.0.0.1:1/" + String(repeating: "a", count: 9_000_000)))
            #expect(
                await end(of: TransportRequest(URLRequest(url: long)))?.localizedDescription
                    == "libcurl rejected the URL"
            )
        }

        @Test func `a file that becomes shorter while it is sent`() async throws {
            let server = try LoopbackServer()
            let folder = try TemporaryFolder()
            let file = folder.file("leaves")
            try Data(count: 5_000_000).write(to: file)
            var request = URLRequest(url: server.baseURL.appending(path: "put"))
            request.httpMethod = "PUT"
            let error = try await end(of: TransportRequest(request, bodyFile: file)) {
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
            func take(_ lines: [String]) throws -> HTTPURLResponse? {
                try Self.response(["HTTP/1.1 200 OK\r\n"] + lines + ["\r\n"])
            }
            #expect(try take((0..<5_000).map { _ in "X: a\r\n" }) != nil)
            #expect(throws: URLError.self) { try take((0..<5_001).map { _ in "X: a\r\n" }) }
            #expect(throws: URLError.self) { try take(["X: \(String(repeating: "a", count: 100_000))\r\n"]) }
            let long = "X: \(String(repeating: "a", count: 90_000))\r\n"
            #expect(try take([long, long, long]) != nil)
            #expect(throws: URLError.self) { try take([long, long, long, long]) }
            #expect(try take(["no colon\r\n", ": no name\r\n", "a b: no token\r\n"])?.allHeaderFields.isEmpty == true)
        }

        /// The response of a header.
        private static func response(
            _ lines: [String],
            canBeHTTP2: Bool = false,
            version: String = "HTTP/1.1"
        ) throws -> HTTPURLResponse? {
            let url = try #require(URL(string: "http://127.0.0.1"))
            var header = ResponseHeader(canBeHTTP2: canBeHTTP2)
            var response: HTTPURLResponse?
            for line in lines {
                let step = try Array(line.utf8).withUnsafeBytes { try header.take($0, of: url, { version }) }
                if case .response(let found, _) = step { response = found.http }
            }
            return response
        }

        @Test(
            arguments: [
                ("6", "6"), ("0006", "6"), ("6, 6", "6"), ("6,06\t, 6", "6"), ("0", "0"),
                ("9223372036854775807", "9223372036854775807"), ("9223372036854775808", nil),
                ("18446744073709551622", nil),
                ("99999999999999999999", nil), ("6, 18446744073709551622", nil), ("6, 7", nil), ("6,", nil),
                (",6", nil),
                ("", nil), ("+6", nil), ("-6", nil), ("6 6", nil), ("6.0", nil), ("٦", nil),
            ] as [(String, String?)]
        )
        func `a length is one number of at most 63 bits, or an error`(field: String, length: String?) throws {
            let response = Result {
                try Self.response(["HTTP/1.1 200 OK\r\n", "Content-Length: \(field)\r\n", "\r\n"])
            }
            switch length {
            case .some: #expect(try response.get()?.value(forHTTPHeaderField: "Content-Length") == length)
            case nil:
                let error = #expect(throws: URLError.self) { try response.get() }
                #expect(error?.code == .badServerResponse)
            }
        }

        @Test(
            arguments: brief(
                [
                    ("HTTP/1.1 200 OK", 200), ("HTTP/1.0 404 Not Found", 404), ("http/1.1 200", 200),
                    ("HTTP/1.1 299  x", 299),
                    ("HTTP/1.1 999 High", 999), ("HTTP/1.1 101 Switching", 101), ("HTTP/1.1 200 ", 200),
                    ("HTTP/1.1 099 Low", nil), ("HTTP/1.1 20 OK", nil), ("HTTP/1.1 2000 OK", nil),
                    ("HTTP/1.1  200 OK", nil),
                    ("HTTP/1.1 +20 OK", nil), ("HTTP/1.1 ٢٠٠ OK", nil), ("HTTP/1.1", nil), ("HTTP/1.1 ", nil),
                    ("HTTP/1.2 200 OK", nil),
                    ("HTTP/1 200 OK", nil), ("ICY 200 OK", nil), ("HTTP/1.1\t200 OK", nil), ("HTTP/1.1 200\rOK", nil),
                    ("", nil),
                    (" ", nil), ("HTTP/2 200 ", nil), ("HTTP/2 200", nil), ("HTTP/2 200 OK", nil), ("HTTP/3 200 ", nil),
                ] as [(String, Int?)]
            )
        )
        func `a status line is one, or an error`(_ argument: Brief<(String, Int?)>) throws {
            let (line, status) = argument.value
            let response = Result { try Self.response(["\(line)\r\n", "\r\n"]) }
            switch status {
            case .some: #expect(try response.get()?.statusCode == status)
            case nil:
                let error = #expect(throws: URLError.self) { try response.get() }
                #expect(error?.code == .badServerResponse)
            }
        }

        @Test(
            arguments: [
                ("HTTP/2 200 ", "HTTP/2", true), ("HTTP/2 200 ", "HTTP/1.1", false), ("HTTP/2 200", "HTTP/2", false),
                ("HTTP/2 200 OK", "HTTP/2", false), ("HTTP/1.1 200 OK", "HTTP/2", false),
                ("HTTP/1.1 200 OK", "HTTP/1.1", true),
            ] as [(String, String, Bool)]
        )
        func `HTTP/2 has its status line`(line: String, version: String, isTaken: Bool) throws {
            let response = try? Self.response(["\(line)\r\n", "a: b\r\n", "\r\n"], canBeHTTP2: true, version: version)
            #expect((response?.statusCode == 200) == isTaken)
        }

        @Test(arguments: brief(["X-A: b\rc\r\n", "X-A: b\r\r\n", "X-A\r: b\r\n", "\r\r\n"]))
        func `a carriage return within a line is an error`(_ argument: Brief<String>) {
            let line = argument.value
            let error = #expect(throws: URLError.self) { try Self.response(["HTTP/1.1 200 OK\r\n", line, "\r\n"]) }
            #expect(error?.code == .badServerResponse)
        }
    }
#endif
