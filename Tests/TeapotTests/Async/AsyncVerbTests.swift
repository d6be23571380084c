import LoopbackServer
import Teapot
import TestSupport
import TestTraits
import Testing

/// The requests and results of the async verbs.
@Suite(.inTurn)
struct AsyncVerbTests {
    /// The part of the server's echo that the verbs decode.
    struct Echo: Decodable, Sendable {
        let method: String
        let data: String
    }

    struct Note: Codable, Sendable, Equatable {
        var title = "tea/ü"
        var cups = 2
    }

    enum Sent: String, CaseIterable {
        case nothing, value, bytes, jsonBytes, body, file

        var contentType: String? {
            switch self {
            case .nothing: nil
            case .value, .jsonBytes: "application/json"
            case .bytes: "application/octet-stream"
            case .body: "text/plain"
            case .file: "image/png"
            }
        }

        func body(inFile file: URL) -> (any Encodable & Sendable)? {
            switch self {
            case .nothing: nil
            case .value: Note()
            case .bytes, .jsonBytes: bytes
            case .body: AsyncVerbTests.body
            case .file: Teapot.Request.Body(file: file, contentType: contentType)
            }
        }

        var bytes: Data {
            switch self {
            case .nothing: Data()
            case .value: Data(#"{"cups":2,"title":"tea/ü"}"#.utf8)
            case .bytes: AsyncVerbTests.bytes
            case .jsonBytes: AsyncVerbTests.jsonBytes
            case .body: Data("tea".utf8)
            case .file: AsyncVerbTests.fileBytes
            }
        }
    }

    static let bytes = Data([0, 0xFF, 0x0D, 0x0A, 0x41])
    /// Encoding it would sort the keys and drop the spaces.
    static let jsonBytes = Data(#"{ "b" : 1, "a" : 2 }"#.utf8)
    static let fileBytes = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 / 3) })
    static let body = Teapot.Request.Body(Data("tea".utf8), contentType: "text/plain")

    struct Verb: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var method: String { String(testDescription.prefix { $0 != " " }) }
        let call: @Sendable (Teapot, (any Encodable & Sendable)?) async throws -> Echo

        init(
            _ testDescription: String,
            _ call: @escaping @Sendable (Teapot, (any Encodable & Sendable)?) async throws -> Echo
        ) {
            (self.testDescription, self.call) = (testDescription, call)
        }
    }

    static let path = "anything/caf\u{E9}?x=1"
    static let query: QueryItems = ["a b": "c&d"]
    static let fields = ["X-Tea": "green"]

    static let verbs = [
        Verb("POST") { try await $0.post(path, body: $1, query: query, headerFields: fields).decode() },
        Verb("POST as") { try await $0.post(path, body: $1, as: Echo.self, query: query, headerFields: fields) },
        Verb("PUT") { try await $0.put(path, body: $1, query: query, headerFields: fields).decode() },
        Verb("PUT as") { try await $0.put(path, body: $1, as: Echo.self, query: query, headerFields: fields) },
        Verb("PATCH") { try await $0.patch(path, body: $1, query: query, headerFields: fields).decode() },
        Verb("PATCH as") { try await $0.patch(path, body: $1, as: Echo.self, query: query, headerFields: fields) },
        Verb("DELETE") { try await $0.delete(path, body: $1, query: query, headerFields: fields).decode() },
        Verb("DELETE as") { try await $0.delete(path, body: $1, as: Echo.self, query: query, headerFields: fields) },
    ]

    static let gets = [
        Verb("GET") { teapot, _ in try await teapot.get(path, query: query, headerFields: fields).decode() },
        Verb("GET as") { teapot, _ in
            try await teapot.get(path, as: Echo.self, query: query, headerFields: fields)
        },
    ]

    @Test(arguments: gets.map { ($0, .nothing) } + verbs.flatMap { verb in Sent.allCases.map { (verb, $0) } })
    func `a request goes over the wire`(verb: Verb, sent: Sent) async throws {
        let server = try LoopbackServer()
        let teapot = Teapot(baseURL: server.baseURL, clock: StoppedClock())
        let folder = try TemporaryFolder()
        try Self.fileBytes.write(to: folder.file("image"))

        let echo = try await verb.call(teapot, sent.body(inFile: folder.file("image")))

        #expect(echo.method == verb.method)
        #expect(sent == .nothing || !echo.data.isEmpty)
        let requests = server.requests
        #expect(requests.count == 1)
        let request = try #require(requests.first)
        #expect(request.method == verb.method)
        #expect(request.target == "/anything/caf%C3%A9?x=1&a%20b=c%26d")
        #expect(request.header("X-Tea") == "green")
        #expect(request.header("Content-Type") == sent.contentType)
        #expect(request.body == sent.bytes)
    }

    @Test func `head goes over the wire, and has no body`() async throws {
        let server = try LoopbackServer()
        let teapot = Teapot(baseURL: server.baseURL, clock: StoppedClock())
        let response = try await teapot.head(Self.path, query: Self.query, headerFields: Self.fields)
        #expect(response.status == 200)
        #expect(response.data.isEmpty)
        #expect(response.headerFields["content-type"] == "application/json")
        #expect(server.requests.map(\.method) == ["HEAD"])
        #expect(server.requests.map(\.target) == ["/anything/caf%C3%A9?x=1&a%20b=c%26d"])
        #expect(server.requests.first?.header("x-tea") == "green")
    }

    @Test func `send takes any method`() async throws {
        let server = try LoopbackServer()
        let teapot = Teapot(baseURL: server.baseURL, clock: StoppedClock())
        let method = try #require(HTTPMethod(rawValue: "PROPFIND"))
        let request = Teapot.Request(method, path: "anything", body: Self.body)
        let echo = try await teapot.send(request).decode(Echo.self)
        #expect(echo.method == "PROPFIND")
        #expect(echo.data == "tea")
    }

    @Test(arguments: [
        ("", "/"), ("/", "/"), ("anything", "/anything"), ("/anything", "/anything"), ("anything?", "/anything"),
    ])
    func `the path is joined as with closures`(path: String, target: String) async throws {
        let server = try LoopbackServer()
        let teapot = Teapot(baseURL: server.baseURL, clock: StoppedClock())
        _ = try? await teapot.get(path)
        let joined = await result { teapot.get(path, deliveryQueue: .global(), completion: $0) }
        #expect(joined.response.url != nil)
        let targets = server.requests.map(\.target)
        #expect(targets.count == 2)
        #expect(targets.first == targets.last)
        #expect(targets.first == target)
    }

    @Test(arguments: ["Content-Type", "content-type"])
    func `the caller's Content-Type wins`(name: String) async throws {
        let server = try LoopbackServer()
        let teapot = Teapot(baseURL: server.baseURL, clock: StoppedClock())
        let fields = [name: "application/vnd.tea+json"]
        try await teapot.post("post", body: Note(), headerFields: fields)
        try await teapot.put("put", body: Self.bytes, headerFields: fields)
        try await teapot.patch("patch", body: Self.body, headerFields: fields)
        #expect(server.requests.count == 3)
        for request in server.requests {
            #expect(request.headers.filter { $0.name.lowercased() == "content-type" }.count == 1)
            #expect(request.header("Content-Type") == "application/vnd.tea+json")
        }
    }

    @Test func `arguments of verbs reach the transport`() async throws {
        let transport = ManualTransport { $0.answer(200, body: "[]") }
        let teapot = Teapot(baseURL: try #require(URL(string: "http://api.example/v1")), transport: transport)
        try await teapot.get("a", allowsCellular: false)
        try await teapot.head("a", allowsCellular: false)
        try await teapot.post("a", allowsCellular: false)
        try await teapot.put("a", body: Note(), allowsCellular: false)
        _ = try await teapot.patch("a", body: Note(), as: [Int].self, allowsCellular: false)
        _ = try await teapot.delete("a", as: [Int].self, allowsCellular: false)
        #expect(transport.hops.map(\.request.allowsCellularAccess) == Array(repeating: false, count: 6))
        #expect(transport.hops.compactMap(\.request.httpMethod) == ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"])
    }

    @Test func `a timeout is the call's own`() async throws {
        let teapot = Teapot(baseURL: try #require(URL(string: "http://api.example/v1")), transport: ManualTransport())
        let calls: [@Sendable () async throws -> Void] = [
            { try await teapot.get("a", timeoutInterval: 0.1) },
            { _ = try await teapot.get("a", as: Note.self, timeoutInterval: 0.1) },
            { try await teapot.head("a", timeoutInterval: 0.1) },
            { try await teapot.post("a", timeoutInterval: 0.1) },
            { _ = try await teapot.put("a", body: Note(), as: Note.self, timeoutInterval: 0.1) },
            { try await teapot.send(Teapot.Request(timeoutInterval: 0.1)) },
        ]
        for call in calls {
            let error = await #expect(throws: TeapotError.self) { try await call() }
            #expect(error?.type == .noResponse)
            #expect((error?.underlyingError as? URLError)?.code == .timedOut)
        }
    }

    @Test func `a body that is not an object decodes, too`() async throws {
        let transport = ManualTransport { $0.answer(200, body: $0.request.url?.lastPathComponent ?? "") }
        let teapot = Teapot(baseURL: try #require(URL(string: "http://api.example/v1")), transport: transport)
        #expect(try await teapot.get("[1,2,3]", as: [Int].self) == [1, 2, 3])
        #expect(try await teapot.get("7", as: Int.self) == 7)
        #expect(try await teapot.get("\"tea\"", as: String.self) == "tea")
        #expect(try await teapot.get("null", as: Int?.self) == nil)
        let response = try await teapot.get("[1,2,3]")
        #expect(response.json == nil)
        #expect(try response.decode([Int].self) == [1, 2, 3])
        #expect(try response.decode() == [1.0, 2.0, 3.0])
    }
}
