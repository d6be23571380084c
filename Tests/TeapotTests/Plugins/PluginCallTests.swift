import Foundation
import Teapot
import TestSupport
import TestTraits
import Testing

/// When plugins are called, and what they may do there.
@Suite(.inTurn)
struct PluginCallTests {
    private struct Reason: Error {}

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
        // A queue of its own, so that blocking it delays no other test.
        let answers = DispatchQueue(label: "answers")
        let transport = ManualTransport { hop in
            answers.async { hop.answer(status, body: "{}") }
        }
        let teapot = Teapot(baseURL: teapot.baseURL, defaultDeliveryQueue: queue.queue, transport: transport)
        let (hasAnswer, mayContinue) = (Signal(), DispatchSemaphore(value: 0))
        teapot.plugins = [
            WatchingPlugin(didReceive: { _, _ in
                hasAnswer.fire()
                mayContinue.wait()
            })
        ]
        let isOver = Locked(false)
        let call = Task { [folder] in
            _ = await shape.outcome(of: "a", from: teapot, in: folder)
            isOver.withLock { $0 = true }
        }
        await hasAnswer.wait()
        // A caller that got it too early has had its turn before all of these.
        for _ in 0..<100 {
            await Task.detached {}.value
            await queue.queue.drain()
        }
        #expect(!isOver.withLock { $0 })
        mayContinue.signal()
        await call.value
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
        try await teapot.post(
            "a",
            body: Teapot.Request.Body(Data("tea".utf8), contentType: "text/plain"),
            timeoutInterval: .infinity
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
        try await teapot.upload("a", fromFile: folder.file("body"), timeoutInterval: .infinity)
        try await teapot.upload("b", fromFile: folder.file("body"), timeoutInterval: .infinity)
        #expect(transport.hops.map(\.bodyFile) == [folder.file("body"), nil])
        #expect(transport.hops.map(\.request.httpBody) == [nil, Data("milk".utf8)])
        #expect(sent.withLock { $0.map(\.bodyFile) } == [folder.file("body"), nil])
    }

    @Test func `a removed body is not sent`() async throws {
        teapot.plugins = [
            WatchingPlugin { request in
                (request.httpMethod, request.httpBody) = ("GET", nil)
            }
        ]
        try await teapot.post("a", body: ["tea": 1], timeoutInterval: .infinity)
        #expect(transport.hops.first?.request.httpMethod == "GET")
        #expect(transport.hops.first?.request.httpBody == nil)
    }

    @Test func `a request is prepared once for each attempt, and not for redirects`() async throws {
        let transport = ManualTransport { hop in
            switch hop.request.url?.lastPathComponent {
            case "a": hop.answer(302, headers: ["Location": "b"])
            default: hop.answer(503)
            }
        }
        let teapot = Teapot(baseURL: teapot.baseURL, transport: transport)
        teapot.retryPolicy = RetryPolicy(maximumAttempts: 2, baseDelay: .zero)
        let attempts = Locked<[Int]>([])
        let plugin = WatchingPlugin(willSend: { request in attempts.withLock { $0.append(request.attempt) } })
        teapot.plugins = [plugin]
        #expect(
            await thrown { () throws(TeapotError) in try await teapot.get("a", timeoutInterval: .infinity) }?.attempts
                == 2
        )
        let attempt = [
            "prepare GET /v1/a", "willSend GET /v1/a", "didReceive 302 GET /v1/a", "willSend GET /v1/b",
            "didReceive 503 GET /v1/b",
        ]
        #expect(plugin.all == attempt + attempt)
        #expect(attempts.withLock { $0 } == [1, 1, 2, 2])
    }

    // MARK: - Errors

    @Test(arguments: [true, false])
    func `an error fails a closure call once, on its queue, and nothing is sent`(isOwn: Bool) async throws {
        let own = TeapotError(type: .fileError, description: "own")
        let plugin = WatchingPlugin { _ in throw isOwn ? own : Reason() as any Error }
        let later = WatchingPlugin()
        teapot.plugins = [plugin, later]
        let marked = MarkedQueue("own")
        for queue in [queue, marked] {
            let completions = Completions()
            let isOnQueue = Locked<[Bool]>([])
            let task = teapot.get(
                "a",
                timeoutInterval: .infinity,
                deliveryQueue: queue.queue === marked.queue ? queue.queue : nil
            ) { result in
                isOnQueue.withLock { $0.append(queue.isCurrent) }
                completions.take(result)
            }
            #expect(task != nil)
            await queue.queue.drain()
            await queue.queue.drain()
            #expect(isOnQueue.withLock { $0 } == [true])
            let error = try #require(completions.all.first?.error)
            #expect(error.type == (isOwn ? .fileError : .preparationFailed))
            #expect(isOwn ? error == own : error.underlyingError is Reason)
            #expect(error.attempts == 0)
        }
        #expect(transport.hops.isEmpty)
        #expect(plugin.all == ["prepare GET /v1/a", "prepare GET /v1/a"])
        #expect(later.all.isEmpty)
    }

    @Test(arguments: CallShape.all)
    func `an error fails calls of every shape`(shape: CallShape) async throws {
        let plugin = WatchingPlugin { _ in throw CancellationError() }
        teapot.plugins = [plugin]
        let error = await shape.outcome(of: "a", from: teapot, in: folder).error
        #expect(error?.type == .preparationFailed)
        #expect(error?.underlyingError is CancellationError)
        #expect(plugin.all == ["prepare \(shape.method) /v1/a"])
        #expect(transport.hops.isEmpty)
        #expect(!folder.names.contains { $0.hasPrefix("file") })
    }

    @Test func `an error in a later attempt ends the call`() async throws {
        let transport = ManualTransport { $0.answer(503) }
        let teapot = Teapot(baseURL: teapot.baseURL, transport: transport)
        teapot.retryPolicy = RetryPolicy(maximumAttempts: 3, baseDelay: .zero)
        let count = Locked(0)
        let plugin = WatchingPlugin { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 2 { throw Reason() }
        }
        teapot.plugins = [plugin]
        let error = await thrown { () throws(TeapotError) in try await teapot.get("a", timeoutInterval: .infinity) }
        #expect(error?.type == .preparationFailed)
        #expect(error?.attempts == 1)
        #expect(plugin.all.last == "prepare GET /v1/a")
        #expect(transport.hops.count == 1)
        #expect(plugin.problems.isEmpty)
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
        ("a port that is none", .invalidRequestPath, { $0.url = URL(string: "http://api.example:99999/a") }),
        ("a user", .invalidRequestPath, { $0.url = URL(string: "http://me@api.example/a") }),
        ("a user and a password", .invalidRequestPath, { $0.url = URL(string: "http://me:pw@api.example/a") }),
        ("a password alone", .invalidRequestPath, { $0.url = URL(string: "http://:pw@api.example/a") }),
        ("a method that is no token", .invalidPayload, { $0.httpMethod = "GET /b HTTP/1.1\r\nX: y" }),
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
        ("a name that is no token", .invalidHeaderField, { $0.allHTTPHeaderFields = ["X Y": "z"] }),
        ("a length", .invalidHeaderField, { $0.setValue("3", forHTTPHeaderField: "Content-Length") }),
        ("a coding", .invalidHeaderField, { $0.setValue("chunked", forHTTPHeaderField: "transfer-encoding") }),
    ]

    @Test(arguments: wrong.indices)
    func `the request that a plugin returns is checked`(index: Int) async throws {
        let plugin = WatchingPlugin(prepare: Self.wrong[index].change)
        teapot.plugins = [plugin]
        let error = await thrown { () throws(TeapotError) in try await teapot.get("a", timeoutInterval: .infinity) }
        #expect(error?.type == Self.wrong[index].type, "\(Self.wrong[index].name)")
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
        try await teapot.post("a", body: Data("plain".utf8), timeoutInterval: .infinity)
        let sent = try #require(transport.hops.first?.request)
        #expect(sent.httpBody == Data("signed".utf8))
        #expect(sent.value(forHTTPHeaderField: "Content-Length") == nil)
    }

    @Test func `a file for a GET is refused, too`() async throws {
        teapot.plugins = [WatchingPlugin { $0.httpMethod = "GET" }]
        let file = folder.file("body")
        let error = await thrown { () throws(TeapotError) in
            try await teapot.upload("a", fromFile: file, timeoutInterval: .infinity)
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
        try await teapot.get("a", timeoutInterval: .infinity)
        try await teapot.get("b", timeoutInterval: .infinity)
        #expect(
            lines.withLock { $0 } == [
                "1 prepare GET /v1/a", "1 willSend GET /v1/a", "1 didReceive 200 GET /v1/a",
                "2 prepare GET /v1/b", "2 willSend GET /v1/b", "2 didReceive 200 GET /v1/b",
            ]
        )
    }

    @Test func `plugins that are set later do not see a running call`() async throws {
        let transport = ManualTransport()
        let teapot = Teapot(baseURL: teapot.baseURL, defaultDeliveryQueue: queue.queue, transport: transport)
        let (first, second) = (WatchingPlugin(), WatchingPlugin())
        let completions = Completions()
        teapot.plugins = [first]
        teapot.get("a", timeoutInterval: .infinity, completion: completions.take)
        teapot.plugins = [second]
        transport.hops.first?.answer(302, headers: ["Location": "b"])
        transport.hops.last?.answer(200)
        await queue.queue.drain()
        #expect(completions.count == 1)
        #expect(first.count == 2)
        #expect(second.all.isEmpty)
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
        try await teapot.get("a", timeoutInterval: .infinity)
        await queue.queue.drain()
        #expect(completions.all.map(\.isSuccess) == [true, true, true])
        #expect(plugin.count == 4)
        #expect(plugin.problems.isEmpty)
    }

    /// The moments of the second hop at which the call is cancelled, and the events that the plugin sees.
    static let moments = [
        ("willSend", ["willSend GET /v1/b", "didReceive cancelled GET /v1/b"]),
        ("didReceive", ["willSend GET /v1/b", "didReceive 200 GET /v1/b"]),
    ]

    @Test(arguments: moments)
    func `a plugin may cancel the call`(moment: String, lines: [String]) async throws {
        let task = Locked<URLSessionTask?>(nil)
        let cancel: @Sendable (String, URLRequest) -> Void = { method, request in
            guard method == moment, request.url?.lastPathComponent == "b" else { return }
            task.withLock { $0 }?.cancel()
        }
        let plugin = WatchingPlugin(
            willSend: { cancel("willSend", $0.urlRequest) },
            didReceive: { cancel("didReceive", $1.urlRequest) }
        )
        let transport = ManualTransport { hop in
            if hop.request.url?.lastPathComponent == "b" { hop.answer(200) }
        }
        let teapot = Teapot(baseURL: teapot.baseURL, defaultDeliveryQueue: queue.queue, transport: transport)
        teapot.plugins = [plugin]
        let completions = Completions()
        let own = teapot.get("a", timeoutInterval: .infinity, completion: completions.take)
        task.withLock { $0 = own }
        transport.hops.first?.answer(302, headers: ["Location": "b"])
        await queue.queue.drain()
        #expect(own?.state == .completed)
        #expect(completions.count == 0)
        #expect(Array(plugin.all.dropFirst(3)) == lines)
        #expect(plugin.problems.isEmpty)
        #expect(transport.hops.count == (moment == "willSend" ? 1 : 2))
    }

    @Test(arguments: ["prepare", "willSend", "didReceive"])
    func `a plugin may cancel the task that waits`(moment: String) async throws {
        let cancel: @Sendable (String) -> Void = { method in
            if method == moment { withUnsafeCurrentTask { $0?.cancel() } }
        }
        let plugin = WatchingPlugin(
            prepare: { _ in cancel("prepare") },
            willSend: { _ in cancel("willSend") },
            didReceive: { _, _ in cancel("didReceive") }
        )
        teapot.plugins = [plugin]
        let teapot = teapot
        let result = await Task {
            await thrown { () throws(TeapotError) in try await teapot.get("a", timeoutInterval: .infinity) }
        }.value
        #expect(result?.type == .cancelled)
        #expect(plugin.count == (moment == "prepare" ? 0 : 1))
        #expect(plugin.problems.isEmpty)
    }

    // MARK: - What is shown

    /// An entry of the log, without the number and the duration of the request.
    private static func entry(_ text: String) -> String {
        String(text.drop { !"→←".contains($0) }).replacing(/\ \(#\d+(, \d+ ms)?\)/, with: "")
    }

    @Test func `the logger and the plugins see the same requests and answers`() async throws {
        let transport = ManualTransport { hop in
            switch hop.request.url?.lastPathComponent {
            case "a": hop.answer(302, headers: ["Location": "b", "Set-Cookie": "kind=green"])
            default: hop.answer(404, body: "{}")
            }
        }
        let teapot = Teapot(baseURL: teapot.baseURL, transport: transport)
        teapot.secretPolicy = .off
        let (log, seen) = (Locked<[String]>([]), Locked<[String]>([]))
        teapot.logger = Logger(level: .incomingAndOutgoingData) { text in
            // The end of the call is an error of its own.
            if !text.contains("✗") { log.withLock { $0.append(Self.entry(text)) } }
        }
        teapot.plugins = [
            WatchingPlugin(
                prepare: { $0.setValue("1", forHTTPHeaderField: "X-Plugin") },
                willSend: { request in
                    let request = request.urlRequest
                    let fields = (request.allHTTPHeaderFields ?? [:]).map { "\($0.key): \($0.value)" }.sorted()
                    seen.withLock {
                        $0.append("→ \(request.httpMethod ?? "") \(request.url?.absoluteString ?? "") \(fields)")
                    }
                },
                didReceive: { result, request in
                    guard case .failure(let error) = result else { return }
                    let request = request.urlRequest
                    seen.withLock {
                        $0.append(
                            "← \(error.responseStatus ?? 0) \(request.httpMethod ?? "") \(request.url?.absoluteString ?? "")"
                        )
                    }
                }
            )
        ]
        _ = try? await teapot.post("a", body: ["tea": 1], headerFields: ["X-Own": "2"], timeoutInterval: .infinity)
        let lines = log.withLock { $0 }
        let requests = seen.withLock { $0 }
        #expect(requests.count == 4)
        #expect(
            requests.map { $0.prefix { $0 != "[" } }.map { $0.trimmingCharacters(in: .whitespaces) }
                == lines.map { $0.prefix { $0 != "\n" } }.map { $0.trimmingCharacters(in: .whitespaces) }
        )
        #expect(requests.first?.contains("X-Own: 2") == true)
        #expect(lines.first?.contains("X-Plugin: 1") == true)
        #expect(requests.dropFirst(2).first?.contains("Cookie: kind=green") == true)
        #expect(lines.dropFirst(2).first?.contains("Cookie: kind=green") == true)
    }

    @Test func `the text of a request shows no secret`() async throws {
        let texts = Locked<[String]>([])
        teapot.plugins = [WatchingPlugin(willSend: { request in texts.withLock { $0.append("\(request)") } })]
        try await teapot.get("a", query: ["token": "s3cret"], timeoutInterval: .infinity)
        #expect(texts.withLock { $0.first?.hasPrefix("GET http://api.example/v1/a?token=") } == true)
        #expect(texts.withLock { $0.first?.contains("s3cret") } == false)
    }
}
