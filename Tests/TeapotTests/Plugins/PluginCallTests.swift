import Foundation
import Teapot
import TestSupport
import TestTraits
import Testing

/// When plugins are called, and what they may do there.
@Suite(.inTurn)
struct PluginCallTests {
    private let queue = MarkedQueue("delivery")
    private let folder: TemporaryFolder
    private let transport = ManualTransport { $0.answer(200, body: "{}") }
    private let teapot: Teapot

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("tea", to: "body")
        let url = try #require(URL(string: "http://api.example/v1"))
        teapot = Teapot(baseURL: url, defaultDeliveryQueue: queue.queue, transport: transport)
    }

    // MARK: - Every way through

    @Test(arguments: CallShape.all)
    func `every call passes through the plugins, in order`(shape: CallShape) async throws {
        let lines = Locked<[String]>([])
        teapot.plugins = [WatchingPlugin("1", lines: lines), WatchingPlugin("2", lines: lines)]
        let error = await shape.outcome(of: "a", from: teapot, in: folder).error
        #expect(error?.type == (shape == .image ? .missingImage : nil))
        let request = "\(shape.method) /v1/a"
        #expect(
            lines.withLock { $0 } == [
                "1 prepare \(request)", "2 prepare \(request)", "1 willSend \(request)", "2 willSend \(request)",
                "1 didReceive 200 \(request)", "2 didReceive 200 \(request)",
            ]
        )
    }

    /// The end of a sequence of bytes, too, which another thread reads.
    @Test(arguments: CallShape.all, [200, 404])
    func `plugins see the answer before the caller does`(shape: CallShape, status: Int) async throws {
        let answers = DispatchQueue(label: "answers")
        let transport = ManualTransport { hop in
            answers.async { hop.answer(status, body: "{}") }
        }
        let teapot = Teapot(baseURL: teapot.baseURL, defaultDeliveryQueue: queue.queue, transport: transport)
        let isOver = Locked(false)
        let wasOver = Locked<[Bool]>([])
        teapot.plugins = [
            WatchingPlugin(didReceive: { [queue] _, _ in
                // A caller that got it too early has its turn here. No thread of Swift's pool may be blocked.
                for _ in 0..<100 {
                    queue.queue.sync {}
                    sched_yield()
                }
                wasOver.withLock { $0.append(isOver.withLock { $0 }) }
            })
        ]
        _ = await shape.outcome(of: "a", from: teapot, in: folder)
        isOver.withLock { $0 = true }
        await eventually { wasOver.withLock { !$0.isEmpty } }
        #expect(wasOver.withLock { $0 } == [false])
    }

    // MARK: - Preparing

    @Test func `the request that plugins return is sent`() async throws {
        teapot.plugins = [
            WatchingPlugin { request in
                request.url?.append(queryItems: [URLQueryItem(name: "key", value: "1")])
                request.setValue("green", forHTTPHeaderField: "X-Tea")
                request.httpMethod = "PUT"
            },
            WatchingPlugin { request in
                request.setValue(
                    "\(request.url?.query() ?? ""), \(request.httpMethod ?? "")",
                    forHTTPHeaderField: "X-Seen"
                )
                request.httpBody = request.httpBody.map { $0 + Data("!".utf8) }
            },
        ]
        try await teapot.send(
            Teapot.Request(.post, path: "a", body: Teapot.Request.Body(Data("tea".utf8), contentType: "text/plain"))
                .with { $0.timeoutInterval = .infinity }
        )
        let request = try #require(transport.hops.first?.request)
        #expect(request.url?.absoluteString == "http://api.example/v1/a?key=1")
        #expect(request.httpMethod == "PUT")
        #expect(request.value(forHTTPHeaderField: "X-Tea") == "green")
        #expect(request.value(forHTTPHeaderField: "X-Seen") == "key=1, PUT")
        #expect(request.httpBody == Data("tea!".utf8))
    }

    @Test func `bytes replace a file`() async throws {
        let sent = Locked<[Teapot.SentRequest]>([])
        teapot.plugins = [
            WatchingPlugin(
                prepare: { request in
                    #expect(request.httpBody == nil)
                    if request.url?.lastPathComponent == "b" { request.httpBody = Data("milk".utf8) }
                },
                willSend: { request in sent.withLock { $0.append(request) } }
            )
        ]
        try await teapot.upload(
            Teapot.Request(.post, path: "a", body: .file(folder.file("body"))).with { $0.timeoutInterval = .infinity }
        )
        try await teapot.upload(
            Teapot.Request(.post, path: "b", body: .file(folder.file("body"))).with { $0.timeoutInterval = .infinity }
        )
        #expect(transport.hops.map(\.bodyFile) == [folder.file("body"), nil])
        #expect(transport.hops.map(\.request.httpBody) == [nil, Data("milk".utf8)])
        #expect(sent.withLock { $0.map(\.bodyFile) } == [folder.file("body"), nil])
    }

    @Test(arguments: [(#"{"a": 1}"#, "application/json"), ("tea", "application/octet-stream")])
    func `a plugin's body has a content type`(body: String, type: String) async throws {
        teapot.plugins = [WatchingPlugin(prepare: { $0.httpBody = Data(body.utf8) })]
        try await teapot.send(Teapot.Request(.post, path: "a").with { $0.timeoutInterval = .infinity })
        #expect(transport.hops.map { $0.request.value(forHTTPHeaderField: "Content-Type") } == [type])
    }

    // MARK: - Errors

    private struct Refusal: Error {}

    @Test(arguments: CallShape.all)
    func `an error fails calls of every shape`(shape: CallShape) async throws {
        let causes: [(any Error & Sendable, TeapotError.ErrorType)] = [
            (Refusal(), .preparationFailed), (CancellationError(), .cancelled),
        ]
        for (cause, type) in causes {
            let plugin = WatchingPlugin { _ in throw cause }
            teapot.plugins = [plugin]
            let error = await shape.outcome(of: "a", from: teapot, in: folder).error
            #expect(error?.type == type)
            #expect(error?.underlyingError is Refusal == (type == .preparationFailed))
            #expect(plugin.all == ["prepare \(shape.method) /v1/a"])
        }
        #expect(transport.hops.isEmpty)
        #expect(!folder.names.contains { $0.hasPrefix("file") })
    }

    // MARK: - What is checked

    typealias Change = @Sendable (inout URLRequest) -> Void

    static let wrong: [(name: String, type: TeapotError.ErrorType, change: Change)] = [
        ("no URL", .invalidRequestPath, { $0.url = nil }),
        ("a scheme that is not http", .invalidRequestPath, { $0.url = URL(string: "ftp://api.example/a") }),
        ("a file", .invalidRequestPath, { $0.url = URL(filePath: "/etc/hosts") }),
        ("data", .invalidRequestPath, { $0.url = URL(string: "data:,a") }),
        ("no host", .invalidRequestPath, { $0.url = URL(string: "http:///a") }),
        ("a path alone", .invalidRequestPath, { $0.url = URL(string: "/a") }),
        ("an invalid port", .invalidRequestPath, { $0.url = URL(string: "http://api.example:99999/a") }),
        ("a user", .invalidRequestPath, { $0.url = URL(string: "http://me@api.example/a") }),
        ("a user and a password", .invalidRequestPath, { $0.url = URL(string: "http://me:pw@api.example/a") }),
        ("a password alone", .invalidRequestPath, { $0.url = URL(string: "http://:pw@api.example/a") }),
        ("a method that is not a token", .invalidPayload, { $0.httpMethod = "GET /b HTTP/1.1\r\nX: y" }),
        ("an empty method", .invalidPayload, { $0.httpMethod = "" }),
        ("a body for a GET", .invalidPayload, { $0.httpBody = Data("a".utf8) }),
        (
            "a body for a get", .invalidPayload,
            { request in (request.httpMethod, request.httpBody) = ("get", Data("a".utf8)) }
        ),
        (
            "a stream", .invalidPayload,
            { request in
                request.httpMethod = "POST"
                request.httpBodyStream = InputStream(data: Data("a".utf8))
            }
        ),
        ("a second header field", .invalidHeaderField, { $0.allHTTPHeaderFields = ["X": "y\r\nZ: z"] }),
        ("a NUL", .invalidHeaderField, { $0.allHTTPHeaderFields = ["X": "a\0b"] }),
        ("a name that is not a token", .invalidHeaderField, { $0.allHTTPHeaderFields = ["X Y": "z"] }),
        ("a length", .invalidHeaderField, { $0.setValue("3", forHTTPHeaderField: "Content-Length") }),
        ("a coding", .invalidHeaderField, { $0.setValue("chunked", forHTTPHeaderField: "transfer-encoding") }),
    ]

    @Test(arguments: brief(wrong.indices) { wrong[$0].name })
    func `the request that a plugin returns is checked`(row: Brief<Int>) async throws {
        let (_, type, change) = Self.wrong[row.value]
        let plugin = WatchingPlugin(prepare: change)
        teapot.plugins = [plugin]
        let error = await thrown { () throws(TeapotError) in
            try await teapot.send(Teapot.Request(path: "a").with { $0.timeoutInterval = .infinity })
        }
        #expect(error?.type == type)
        #expect(transport.hops.isEmpty)
        #expect(plugin.all.count == 1)
    }

    @Test func `a correct length that a plugin sets is left out`() async throws {
        teapot.plugins = [
            WatchingPlugin { request in
                request.httpBody = Data("signed".utf8)
                request.setValue("6", forHTTPHeaderField: "content-length")
            }
        ]
        try await teapot.send(
            Teapot.Request(.post, path: "a", body: .json(Data("plain".utf8))).with { $0.timeoutInterval = .infinity }
        )
        let sent = try #require(transport.hops.first?.request)
        #expect(sent.httpBody == Data("signed".utf8))
        #expect(sent.value(forHTTPHeaderField: "Content-Length") == nil)
    }

    @Test func `a file for a GET is refused, too`() async throws {
        teapot.plugins = [WatchingPlugin { $0.httpMethod = "GET" }]
        let file = folder.file("body")
        let error = await thrown { () throws(TeapotError) in
            try await teapot.upload(
                Teapot.Request(.post, path: "a", body: .file(file)).with { $0.timeoutInterval = .infinity }
            )
        }
        #expect(error?.type == .invalidPayload)
        #expect(transport.hops.isEmpty)
    }

    // MARK: - What plugins may do

    @Test func `a call uses the plugins that were set when it began`() async throws {
        let lines = Locked<[String]>([])
        let second = WatchingPlugin("2", lines: lines)
        let teapot = teapot
        teapot.plugins = [
            WatchingPlugin(
                "1",
                lines: lines,
                prepare: { _ in teapot.plugins = [second] },
                willSend: { _ in teapot.plugins += [second] },
                didReceive: { _, _ in teapot.plugins = [second] }
            )
        ]
        try await teapot.send(Teapot.Request(path: "a").with { $0.timeoutInterval = .infinity })
        try await teapot.send(Teapot.Request(path: "b").with { $0.timeoutInterval = .infinity })
        #expect(
            lines.withLock { $0 } == [
                "1 prepare GET /v1/a", "1 willSend GET /v1/a", "1 didReceive 200 GET /v1/a",
                "2 prepare GET /v1/b", "2 willSend GET /v1/b", "2 didReceive 200 GET /v1/b",
            ]
        )
    }

    @Test func `a plugin may make calls from all its methods`() async throws {
        let completions = Completions()
        let teapot = teapot
        let inner: @Sendable (URLRequest) -> Void = { request in
            guard let path = request.url?.lastPathComponent, path.count < 2 else { return }
            teapot.get("a\(path)", timeoutInterval: .infinity, completion: completions.take)
        }
        let plugin = WatchingPlugin(
            prepare: { inner($0) },
            willSend: { inner($0.urlRequest) },
            didReceive: { inner($1.urlRequest) }
        )
        teapot.plugins = [plugin]
        try await teapot.send(Teapot.Request(path: "a").with { $0.timeoutInterval = .infinity })
        await queue.queue.drain()
        #expect(completions.all.map(\.isSuccess) == [true, true, true])
        #expect(plugin.count == 4)
        #expect(plugin.problems.isEmpty)
    }

    @Test func `the text of a request shows no secret`() async throws {
        let texts = Locked<[String]>([])
        teapot.plugins = [WatchingPlugin(willSend: { request in texts.withLock { $0.append("\(request)") } })]
        try await teapot.send(
            Teapot.Request(path: "a", query: ["token": "s3cret"]).with { $0.timeoutInterval = .infinity }
        )
        #expect(texts.withLock { $0.first?.hasPrefix("GET http://api.example/v1/a?token=") } == true)
        #expect(texts.withLock { $0.first?.contains("s3cret") } == false)
    }
}
