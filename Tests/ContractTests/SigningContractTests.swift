import Foundation
import LoopbackServer
import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

#if os(Linux)
    import TeapotCurl
#endif

/// Credentials that sign, whatever answers.
@Suite(.inTurn)
struct SigningContractTests {
    /// A signer whose signature shows what it saw: the key, a date that is another one each time, and the request.
    private struct Signing: Sendable {
        let dates = Locked(0)
        var prefix = "Bearer"

        func credential(key: String = "key-of-tea") -> Credential {
            .signing { request, body in
                let date = dates.withLock { count in
                    count += 1
                    return "date-\(count)"
                }
                #expect(request.value(forHTTPHeaderField: "X-Date") == nil)
                #expect(request.value(forHTTPHeaderField: "Authorization") == nil)
                let content = try body?.file.map { try Data(contentsOf: $0) } ?? body?.data ?? Data()
                #expect(body?.data == request.httpBody)
                let parts = [
                    key, date, request.httpMethod ?? "", request.url?.path() ?? "", request.url?.query() ?? "",
                    request.value(forHTTPHeaderField: "X-Plugin") ?? "", String(decoding: content, as: UTF8.self),
                ]
                request.setValue(date, forHTTPHeaderField: "X-Date")
                request.setValue("\(prefix) \(parts.joined(separator: "|"))", forHTTPHeaderField: "Authorization")
            }
        }
    }

    private struct Reason: LocalizedError {
        let text: String

        var errorDescription: String? { text }
    }

    /// A client, and what its plugin saw of the `Authorization` of each request that was sent.
    private func teapot(_ backend: Backend, _ credential: Credential? = nil) throws -> (Teapot, Locked<[String?]>) {
        let teapot = try backend.teapot()
        if let mock = teapot as? MockTeapot {
            try mock.overrideEndPoint("redirect-to", with: .status(307, headerFields: ["Location": "/anything"]))
            try mock.overrideEndPoint("status/503", with: .status(503))
            try mock.overrideEndPoint("bearer") { request in
                request.headerFields["Authorization"]?.hasPrefix("Bearer ") == true ? .status(200) : .status(401)
            }
        }
        let sent = Locked<[String?]>([])
        let plugin = WatchingPlugin(
            prepare: { $0.setValue("plugin", forHTTPHeaderField: "X-Plugin") },
            willSend: { request in
                sent.withLock { $0.append(request.urlRequest.value(forHTTPHeaderField: "Authorization")) }
            }
        )
        // The signer is first, and signs last.
        teapot.plugins = (credential.map { [$0] } ?? []) + [plugin]
        return (teapot, sent)
    }

    @Test(arguments: Backend.available)
    func `the final request is signed, with its body`(backend: Backend) async throws {
        let (teapot, sent) = try teapot(backend, Signing().credential())
        let response = try await teapot.post("anything?q=1", body: ["a": 1])
        let folder = try TemporaryFolder()
        try folder.write("of a file", to: "body")
        let file = Teapot.Request(.put, path: "anything", body: .file(folder.file("body")))
        try await teapot.send(file)
        let signature = #"Bearer key-of-tea|date-1|POST|/anything|q=1|plugin|{"a":1}"#
        #expect(
            sent.withLock { $0 } == [signature, "Bearer key-of-tea|date-2|PUT|/anything||plugin|of a file"]
        )
        guard backend != .mock else { return }
        let arrived = response.json?.dictionary?["headers"] as? [String: Any]
        #expect(arrived?["Authorization"] as? String == signature)
        #expect(arrived?["X-Date"] as? String == "date-1")
    }

    @Test(arguments: Backend.available)
    func `a signer knows the kind of the body`(backend: Backend) async throws {
        let kinds = Locked<[String]>([])
        let credential = Credential.signing { request, body in
            let parts: [(String, Any?)] = [("data", body?.data), ("file", body?.file), ("pieces", body?.pieces)]
            let names = parts.compactMap { $1 == nil ? nil : $0 } + [body?.contentType ?? "none"]
            kinds.withLock { $0.append(names.joined(separator: " ")) }
            request.setValue("signed", forHTTPHeaderField: "Authorization")
        }
        let (teapot, _) = try teapot(backend, credential)
        let folder = try TemporaryFolder()
        try folder.write("of a file", to: "body")
        let streamed = AsyncStream { continuation in
            continuation.yield(Data("of a stream".utf8))
            continuation.finish()
        }
        let bodies: [Teapot.Request.Body?] = [
            nil, .init(Data("{}".utf8)), .file(folder.file("body"), contentType: "text/x-tea"),
            .stream(streamed),
        ]
        for body in bodies { try await teapot.send(Teapot.Request(.post, path: "anything", body: body)) }
        let bytes = "application/octet-stream"
        #expect(kinds.withLock { $0 } == ["none", "data application/json", "file text/x-tea", "pieces \(bytes)"])
    }

    @Test(arguments: Backend.available)
    func `each attempt and each redirect is signed anew`(backend: Backend) async throws {
        let (teapot, sent) = try teapot(backend, Signing().credential())
        teapot.retryPolicy = RetryPolicy(maximumAttempts: 2, baseDelay: .zero)
        let error = await thrown { () throws(TeapotError) in try await teapot.get("status/503") }
        #expect(error?.attempts == 2)
        let status = try await teapot.get("redirect-to?url=/anything&status_code=307").status
        #expect(status == 200)
        let query = "url=/anything&status_code=307"
        #expect(
            sent.withLock { $0 } == [
                "Bearer key-of-tea|date-1|GET|/status/503||plugin|",
                "Bearer key-of-tea|date-2|GET|/status/503||plugin|",
                "Bearer key-of-tea|date-3|GET|/redirect-to|\(query)|plugin|",
                "Bearer key-of-tea|date-4|GET|/anything||plugin|",
            ]
        )
    }

    @Test(arguments: Backend.available)
    func `a stale key is refreshed, and its request signed again`(backend: Backend) async throws {
        let (teapot, sent) = try teapot(backend)
        let old = Signing(prefix: "Stale").credential(key: "old")
        let new = Signing().credential(key: "new")
        teapot.authenticator = Authenticator(old) { refresh in
            #expect(refresh.stale == old && refresh.stale != new)
            #expect(refresh.response?.status == 401)
            #expect(refresh.request.value(forHTTPHeaderField: "X-Date") == nil)
            return new
        }
        #expect(try await teapot.get("bearer").status == 200)
        #expect(try await teapot.get("bearer").status == 200)
        #expect(
            sent.withLock { $0 } == [
                "Stale old|date-1|GET|/bearer||plugin|", "Bearer new|date-1|GET|/bearer||plugin|",
                "Bearer new|date-2|GET|/bearer||plugin|",
            ]
        )
        let own = ["Authorization": "Own"]
        let error = await thrown { () throws(TeapotError) in try await teapot.get("bearer", headerFields: own) }
        #expect(error?.responseStatus == 401)
        #expect(sent.withLock { $0.count } == 4 && sent.withLock { $0.last } == "Own")
    }

    @Test(arguments: Backend.available)
    func `a signer that throws fails the call, and hides what it has set`(backend: Backend) async throws {
        let credential = Credential.signing { request, _ in
            request.setValue("Sig s3cret-of-tea", forHTTPHeaderField: "X-Sig")
            throw Reason(text: "no use for s3cret-of-tea")
        }
        let (teapot, sent) = try teapot(backend, credential)
        let error = await thrown { () throws(TeapotError) in try await teapot.get("anything") }
        #expect(error?.type == .preparationFailed)
        #expect(error?.underlyingError is Reason)
        #expect(error?.failureReason?.contains("no use for <redacted>") == true)
        #expect(error.map { "\($0)".contains("s3cret") } == false)
        #expect(sent.withLock { $0 } == [])
    }

    static let changes: [(name: String, type: TeapotError.ErrorType, change: @Sendable (inout URLRequest) -> Void)] = [
        ("the URL", .invalidPayload, { $0.url = URL(string: "https://other.test/") }),
        ("the body", .invalidPayload, { $0.httpBody = Data("other".utf8) }),
        ("the method", .invalidPayload, { $0.httpMethod = "PUT" }),
        ("two header fields in one", .invalidHeaderField, { $0.allHTTPHeaderFields = ["X-Sig": "a\r\nX: b"] }),
        ("a name with a space", .invalidHeaderField, { $0.allHTTPHeaderFields = ["X Sig": "a"] }),
    ]

    @Test(arguments: brief(changes.indices) { changes[$0].name })
    func `a signer cannot change more than header fields and query`(row: Brief<Int>) async throws {
        let (_, expected, change) = Self.changes[row.value]
        for backend in Backend.available {
            let (teapot, sent) = try teapot(backend, .signing { request, _ in change(&request) })
            let error = await thrown { () throws(TeapotError) in try await teapot.post("anything", body: ["a": 1]) }
            #expect(error?.type == expected)
            #expect(sent.withLock { $0 } == [])
        }
    }

    @Test(arguments: Backend.servers)
    func `a signature can be in the query`(backend: Backend) async throws {
        let credential = Credential.signing { request, _ in
            request.url?.append(queryItems: [URLQueryItem(name: "signature", value: "a b")])
            request.timeoutInterval = -1
        }
        let (teapot, _) = try teapot(backend, credential)
        let arguments = try await teapot.get("get?q=1").json?.dictionary?["args"] as? [String: String]
        #expect(arguments == ["q": "1", "signature": "a b"])
    }

    // MARK: - Other origins

    @Test(arguments: Backend.carriers, [true, false])
    func `another origin gets no signature`(backend: Backend, isPlugin: Bool) async throws {
        let (here, there) = (try LoopbackServer(), try LoopbackServer())
        let teapot = Teapot(baseURL: here.baseURL, transport: backend.transport)
        let credential = Signing().credential()
        if isPlugin {
            teapot.plugins = [credential]
        } else {
            teapot.authenticator = Authenticator(credential) { _ in credential }
        }
        try await teapot.get("redirect-to", query: ["url": "\(there.baseURL)/redirect-to?url=\(here.baseURL)/get"])
        #expect(here.requests.map { $0.header("Authorization") != nil } == [true, false])
        #expect(here.requests.map { $0.header("X-Date") } == ["date-1", nil])
        #expect(
            there.requests.map { $0.headers.contains { ["Authorization", "X-Date"].contains($0.name) } } == [false]
        )
    }

    @Test func `a plugin that changes the origin takes the authenticator's signature away`() async throws {
        let transport = ManualTransport { $0.answer(200) }
        let teapot = Teapot(baseURL: try #require(URL(string: "http://here.example")), transport: transport)
        let credential = Signing().credential()
        teapot.authenticator = Authenticator(credential) { _ in credential }
        teapot.plugins = [WatchingPlugin { $0.url = URL(string: "http://there.example/bearer") }]
        try await teapot.get("bearer")
        #expect(transport.hops.map { $0.request.value(forHTTPHeaderField: "Authorization") } == [nil])
    }

    // MARK: - Texts

    @Test(arguments: Backend.carriers)
    func `texts show no signature`(backend: Backend) async throws {
        let server = try LoopbackServer()
        let recording = RecordingTransport(wrapping: backend.transport)
        let teapot = Teapot(baseURL: server.baseURL, transport: recording)
        let lines = Locked<[String]>([])
        let add = { @Sendable (line: String) in lines.withLock { $0.append(line) } }
        teapot.logger = Logger(level: .incomingAndOutgoingData) { add($0) }
        let sign = Credential.signing(headerField: "X-Sig") { request, _ in
            request.setValue("s3cret-of-tea", forHTTPHeaderField: "X-Sig")
            request.setValue("d4te-of-tea", forHTTPHeaderField: "X-When")
            request.setValue("tea.test", forHTTPHeaderField: "Host")
        }
        teapot.plugins = [sign, CurlPrinter { add($0) }]
        add("\(try await teapot.post("anything/s3cret-of-tea", body: ["a": "d4te-of-tea"]))")
        add("\(sign) \(String(reflecting: sign))")
        let error = await thrown { () throws(TeapotError) in try await teapot.get("status/418?echo=s3cret-of-tea") }
        add(error.map { "\($0)" } ?? "none")
        let folder = try TemporaryFolder()
        try recording.write(to: folder.file("recording.json"))
        add(try #require(folder.text("recording.json")))
        let text = lines.withLock { $0.joined(separator: "\n") }
        #expect(!text.contains("s3cret") && !text.contains("d4te"))
        #expect(text.contains("tea.test"))
        #expect(text.contains("X-Sig: <redacted>") && text.contains("X-When: <redacted>"))
    }
}
