@testable import Teapot
import TestSupport
import TestTraits
import Testing

extension TLSServers {
    fileprivate static func url(_ name: String, scheme: String = "https", host: String = "127.0.0.1") throws -> String {
        "\(scheme)://\(host):\(try #require(ports?[name]))"
    }
}

/// Certificates, and what is kept from whom.
@Suite(.enabled(if: TLSServers.ports != nil), .inTurn, .exitTests)
struct TLSTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func teapot(_ server: String, scheme: String = "https", host: String = "127.0.0.1") throws -> Teapot {
        let url = try TLSServers.url(server, scheme: scheme, host: host)
        return Teapot(baseURL: try #require(URL(string: url)), defaultDeliveryQueue: DispatchQueue(label: "delivery"))
    }

    /// The answer of nginx at `get`.
    private struct Echo: Decodable {
        let server: String
        let authorization: String
        let key: String
        let tea: String
        let cookie: String
        let connection: String
    }

    private static let secrets = ["Authorization": "Bearer s3cret", "X-Api-Key": "s3cret", "X-Tea": "green"]

    // MARK: - Certificates

    /// Every shape of a call, and its error.
    private func calls(to teapot: Teapot) async throws -> [String: TeapotError?] {
        try folder.write("tea", to: "leaves")
        let (there, leaves) = (folder.file("there"), folder.file("leaves"))
        return [
            "closure": await result { teapot.get("get", completion: $0) }.error,
            "async": await thrown { () throws(TeapotError) in try await teapot.get("get", as: Echo.self) },
            "blocking": await SendAndWaitTests.outcome(from: teapot, on: .global()).error,
            "image": await imageResult { teapot.downloadImage(path: "files/image.png", completion: $0) }.error,
            "download": await thrown { () throws(TeapotError) in
                try await teapot.download("files/random", to: there)
            },
            "upload": await thrown { () throws(TeapotError) in
                try await teapot.upload(Teapot.Request(.put, path: "files/leaves", body: .file(leaves)))
            },
            "bytes": await thrown { () throws(TeapotError) in
                for try await _ in try await teapot.bytes("files/random") {}
            },
        ]
    }

    @Test(arguments: ["trusted", "other"], ["127.0.0.1", "localhost"])
    func `a certificate that is trusted`(server: String, host: String) async throws {
        let teapot = try teapot(server, host: host)
        for (shape, error) in try await calls(to: teapot) { #expect(error == nil, "\(shape)") }
        #expect(try await teapot.get("get", as: Echo.self).server == server)
        #expect(folder.names == ["leaves", "there"])
    }

    @Test func `a server that wants a certificate of the client`() async throws {
        let teapot = try teapot("mutual")
        teapot.retryPolicy = RetryPolicy(maximumAttempts: 3, baseDelay: .zero)
        let error = await thrown { () throws(TeapotError) in try await teapot.get("goodbye") }
        #expect(error?.type == .noResponse)
        #expect(error?.code == .clientCertificateRequired)
        #expect(error?.failureReason?.contains("certificate required") == true)
        #expect(error?.attempts == 1)
    }

    @Test(
        arguments: [
            ("self-signed", URLError.Code.serverCertificateUntrusted, "self-signed certificate"),
            ("unknown-authority", .serverCertificateUntrusted, "unable to get local issuer certificate"),
            ("expired", .serverCertificateHasBadDate, "certificate has expired"),
            ("not-yet-valid", .serverCertificateNotYetValid, "certificate is not yet valid"),
            (
                "wrong-host", .serverCertificateUntrusted,
                "does not match|no alternative certificate subject name matches"
            ),
        ] as [(String, URLError.Code, String)]
    )
    func `a certificate that is refused`(server: String, code: URLError.Code, reason: String) async throws {
        let calls = try await calls(to: teapot(server))
        #expect(calls.count == 7)
        for (shape, error) in calls {
            #expect(error?.type == .noResponse, "\(shape)")
            #expect(error?.description == LocalizedStrings.text("Teapot:CertificateRefused"), "\(shape)")
            #expect(error?.code == code, "\(shape)")
            #expect(error?.failureReason?.contains(try Regex(reason)) == true, "\(shape)")
        }
        #expect(folder.names == ["leaves"])
    }

    @Test func `a redirect to a certificate that is refused`() async throws {
        let teapot = try teapot("trusted")
        for server in ["self-signed", "wrong-host"] {
            let path = try "redirect-to?url=\(TLSServers.url(server))/get"
            let error = await thrown { () throws(TeapotError) in try await teapot.get(Teapot.Path(path)) }
            #expect(error?.type == .noResponse)
            #expect(error?.description == LocalizedStrings.text("Teapot:CertificateRefused"))
        }
    }

    @Test func `http to an https server is a failure like any other`() async throws {
        // No other test has these settings. From libcurl 8.14 on, http would use the TLS connection that a kept session has to the
        // same port.
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 11
        let url = try #require(URL(string: try TLSServers.url("trusted", scheme: "http")))
        let teapot = Teapot(baseURL: url, transport: URLSessionTransport(configuration: configuration))
        let error = await thrown { () throws(TeapotError) in try await teapot.get("get") }
        #expect(error?.type == .invalidResponseStatus)
        #expect(error?.responseStatus == 400)
    }

    // MARK: - Bodies

    @Test func `bodies are received and sent whole`() async throws {
        let teapot = try teapot("trusted")
        let body = try await teapot.get("files/random").data
        let file = folder.file("random")
        try await teapot.download("files/random", to: file)
        let created = try await teapot.upload(Teapot.Request(.put, path: "files/sent", body: .file(file)))
        #expect([201, 204].contains(created.status))
        let sent = try await teapot.get("files/sent").data
        var bytes = Data()
        for try await piece in try await teapot.bytes("files/sent") { bytes += piece }
        #expect(body.count == 1_000_000)
        // Not as an expectation of its own, which would look for the difference byte by byte.
        let areSame = try [Data(contentsOf: file), sent, bytes].map { $0 == body }
        #expect(areSame == [true, true, true])
    }

    @Test func `a connection is used again`() async throws {
        let teapot = try teapot("trusted")
        var connections: Set<String> = []
        for _ in 0..<5 { connections.insert(try await teapot.get("get", as: Echo.self).connection) }
        #expect(connections.count == 1)
    }

    #if canImport(FoundationNetworking)
        /// From libcurl 8.12 on, a session that is released with its connection ends the process: `SessionPool`.
        @Test(arguments: ["trusted", "http2"])
        func `a client that has used https is released, and the next one uses its connection`(server: String)
            async throws
        {
            await #expect(processExitsWith: .success) { [server] in
                func use() async throws { try await TLSTests().teapot(server).get("get") }
                for _ in 0..<20 {
                    try await use()
                    await eventually { SessionPool.count == 1 }
                }
                let before = try #require(ProcessResources.current)
                for _ in 0..<20 {
                    try await use()
                    await eventually { SessionPool.count == 1 }
                }
                let after = try #require(ProcessResources.current)
                #expect(after.descriptors <= before.descriptors, "\(before), then \(after)")
            }
        }
    #endif

    @Test(arguments: ["length", "chunks"])
    func `a body that is cut off`(path: String) async throws {
        let teapot = try teapot("cut")
        let error = await thrown { () throws(TeapotError) in try await teapot.get(Teapot.Path(path)) }
        #expect(error?.type == .dataTaskError)
        #expect(error?.code == .networkConnectionLost)
        #expect(error?.responseStatus == 200)
        #expect(error?.data == Data("{}".utf8))
    }

    /// libcurl 7.88 accepts a missing `close_notify`.
    @Test(arguments: ["goodbye", "close"])
    func `a body until the connection closes is taken as whole`(path: String) async throws {
        let teapot = try teapot("cut")
        let isRefused = path == "close" && Libcurl.isAtLeast(.v8_14)
        let error = await thrown { () throws(TeapotError) in
            let data = try await teapot.get(Teapot.Path(path)).data
            #expect(data == Data("{}".utf8))
        }
        #expect(error?.type == (isRefused ? .dataTaskError : nil))
    }

    // MARK: - HTTP/2

    #if canImport(FoundationNetworking)
        /// Nothing in `URLSession` asks for HTTP/1.1. If this fails, say so in FoundationNetworking.md.
        @Test func `HTTP/2 is used if the server has it`() async throws {
            let response = try await teapot("h2").get("get", headerFields: ["Connection": "close"])
            #expect(response.data == Data("{\"count\":0}".utf8))
        }

        @Test func `a body is sent whole over HTTP/2`() async throws {
            try folder.write(String(repeating: "tea ", count: 10_000), to: "leaves")
            let file = Teapot.Request.Body.file(folder.file("leaves"))
            for body in [file, Teapot.Request.Body(Data(count: 40_000))] {
                let teapot = try teapot("h2")
                #expect(
                    try await teapot.send(.init(.put, path: "x", body: body)).data == Data("{\"count\":40000}".utf8)
                )
            }
        }

        /// As over HTTP/1.1: see `FatalResponseTests`.
        @Test(arguments: ["h2-trailers", "h2-location"])
        func `some HTTP/2 responses end the process`(server: String) async throws {
            let child = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [server] in
                _ = try? await TLSTests().teapot(server).get("get")
                exit(0)
            }
            let output = String(decoding: try #require(child).standardErrorContent, as: UTF8.self)
            #expect(output.contains(/FoundationNetworking\/.*Fatal error/), "\(output)")
        }

        @Test func `a body that a reset without an error cuts off is taken as whole`() async throws {
            #expect(try await teapot("h2-reset").get("get").data == Data("{".utf8))
        }

        @Test func `a connection that has gone silent is not used for ever`() async throws {
            await #expect(processExitsWith: .success) {
                let teapot = try TLSTests().teapot("h2-silent")
                let request = Teapot.Request(path: "get").with { $0.timeoutInterval = 2 }
                for _ in 0..<2 {
                    #expect(try await teapot.send(request).status == 200)
                    let error = await thrown { () throws(TeapotError) in try await teapot.send(request) }
                    #expect(error?.code == .timedOut)
                }
                // Nor by the next attempt, whatever ended the one before.
                teapot.retryPolicy = RetryPolicy(maximumAttempts: 2, baseDelay: .zero)
                #expect(try await teapot.send(request).status == 200)
                #expect(try await teapot.send(request).status == 200)
                let hasty = request.with { $0.deadline = .seconds(1.5) }
                let error = await thrown { () throws(TeapotError) in try await teapot.send(hasty) }
                #expect(error?.code == .timedOut)
                #expect(try await teapot.send(request).status == 200)
            }
        }

        /// By the deadline, each call gives up before a slow server could be told from a silent one.
        @Test func `a silent connection is left although each call is short`() async throws {
            await #expect(processExitsWith: .success) {
                let teapot = try TLSTests().teapot("h2-silent")
                let request = Teapot.Request(path: "get").with { $0.deadline = .seconds(0.6) }
                var statuses: [Int?] = []
                for _ in 0..<4 { statuses.append(try? await teapot.send(request).status) }
                #expect(statuses == [200, nil, nil, 200])
            }
        }

        @Test func `a silent connection is left by several calls at once, and by the events of a stream`() async throws
        {
            await #expect(processExitsWith: .success) {
                let teapot = try TLSTests().teapot("h2-silent")
                let request = Teapot.Request(path: "get").with { $0.timeoutInterval = 1 }
                #expect(try await teapot.send(request).status == 200)
                async let first = try? teapot.send(request).status
                async let second = try? teapot.send(request).status
                #expect(await [first, second] == [nil, nil])
                #expect(try await teapot.send(request).status == 200)

                let events = try TLSTests().teapot("h2-events").events(request)
                var count = 0
                for try await event in events {
                    #expect(event.data == "tea")
                    count += 1
                    if count == 3 { break }
                }
                #expect(count == 3)
            }
        }

        /// In a process of its own, where it is about time. libcurl 7.88 has read all of it, and FoundationNetworking waits for more.
        @Test func `a large response in one record stalls`() async throws {
            await #expect(processExitsWith: .success) {
                let error = await thrown { () async throws(TeapotError) in
                    guard let teapot = try? TLSTests().teapot("h2-record") else { return }
                    try await teapot.send(Teapot.Request(path: "get").with { $0.timeoutInterval = 3 })
                }
                let expected: URLError.Code? = Libcurl.isAtLeast(.v8_14) ? nil : .timedOut
                #expect(error?.code == expected)
            }
        }
    #endif

    // MARK: - Secrets

    @Test func `secure cookies are sent over https and not in the clear`() async throws {
        let teapot = try teapot("trusted")
        try await teapot.get("cookies/set")
        #expect(
            try await teapot.get("get", as: Echo.self).cookie.split(separator: "; ").sorted() == ["open=1", "secure=1"]
        )
        // Cookies are for a host, whatever the port; only another base URL leads from https to http.
        teapot.baseURL = try self.teapot("plain", scheme: "http").baseURL
        let inTheClear = try await teapot.get("get", as: Echo.self)
        #expect(inTheClear.server == "plain")
        #expect(inTheClear.cookie == "open=1")
    }

    /// `URLSession` joins the fields with a comma, where the second one may not look like a cookie.
    @Test(arguments: [
        "filter[x]=1; Path=/", "novalue", "novalue; Path=/", "=x", "=", "тест=1; Path=/", "b=2; Path=/", ";",
    ])
    func `secure cookies stay secure, whatever other field there is`(other: String) async throws {
        let (https, http) = (try teapot("trusted").baseURL, try self.teapot("plain", scheme: "http").baseURL)
        for (first, isSent) in [("session=s; Path=/; Secure", true), ("session=s; Secure", false)] {
            let teapot = try teapot("trusted")
            try await teapot.get("cookies/set-two", headerFields: ["X-First": first, "X-Second": other])
            teapot.baseURL = http
            #expect(try await !teapot.get("get", as: Echo.self).cookie.contains("session"))
            teapot.baseURL = https
            #expect(try await teapot.get("get", as: Echo.self).cookie.contains("session=s") == isSent)
        }
        let teapot = try teapot("trusted")
        try teapot.cookies.set([Teapot.Cookie(name: "session", value: "s")])
        let deletion = ["X-First": "session=; Path=/; Max-Age=0", "X-Second": other]
        try await teapot.get("cookies/set-two", headerFields: deletion)
        #expect(try await !teapot.get("get", as: Echo.self).cookie.contains("session"))
    }

    @Test func `secure cookies are not taken in the clear`() async throws {
        let teapot = try teapot("plain", scheme: "http")
        try await teapot.get("cookies/set")
        teapot.baseURL = try self.teapot("trusted").baseURL
        #expect(try await teapot.get("get", as: Echo.self).cookie == "open=1")
    }

    @Test func `https does not redirect to http`() async throws {
        let path = try "redirect-to?url=\(TLSServers.url("plain", scheme: "http"))/get"
        let teapot = try teapot("trusted")
        let result = await result { teapot.get(path, headerFields: Self.secrets, completion: $0) }
        #expect(result.error?.type == .invalidResponseStatus)
        #expect(result.error?.responseStatus == 302)
        #expect(result.error?.failureReason == "the redirect leads from https to http")
    }

    @Test(arguments: [("plain", "http", "trusted"), ("trusted", "https", "other")])
    func `secrets are dropped on a change of origin`(from: String, scheme: String, to: String) async throws {
        let path = try "redirect-to?url=\(TLSServers.url(to))/get"
        let fields = Self.secrets.merging(["Cookie": "sid=s3cret"]) { $1 }
        let echo = try await teapot(from, scheme: scheme).get(Teapot.Path(path), headerFields: fields).decode(Echo.self)
        #expect(echo.server == to)
        #expect(echo.tea == "green")
        #expect([echo.authorization, echo.key, echo.cookie] == ["", "", ""])
    }

    @Test func `secrets are kept within an origin`() async throws {
        let path = try "redirect-to?url=\(TLSServers.url("trusted"))/get"
        let echo = try await teapot("trusted").get(Teapot.Path(path), headerFields: Self.secrets).decode(Echo.self)
        #expect([echo.authorization, echo.key, echo.tea] == ["Bearer s3cret", "s3cret", "green"])
    }
}
