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

    struct Call: Sendable, CustomTestStringConvertible {
        typealias Body = @Sendable (Teapot, Teapot.Request.Body) async throws -> Echo

        let method: String
        let sent: Sent
        let isDecoding: Bool
        /// Takes a body that is in a file.
        let call: Body

        var testDescription: String { "\(method) \(sent.rawValue)\(isDecoding ? " as" : "")" }

        init(_ method: String, _ sent: Sent, as isDecoding: Bool = false, _ call: @escaping Body) {
            (self.method, self.sent, self.isDecoding, self.call) = (method, sent, isDecoding, call)
        }
    }

    static let path = "anything/caf\u{E9}?x=1"
    static let query: QueryItems = ["a b": "c&d"]
    static let fields = ["X-Tea": "green"]

    static let gets: [Call] = [
        Call("GET", .nothing) { teapot, _ in
            try await teapot.get(path, query: query, headerFields: fields).decode()
        },
        Call("GET", .nothing, as: true) { teapot, _ in
            try await teapot.get(path, as: Echo.self, query: query, headerFields: fields)
        },
    ]

    static let posts: [Call] = [
        Call("POST", .nothing) { teapot, _ in
            try await teapot.post(path, query: query, headerFields: fields).decode()
        },
        Call("POST", .nothing, as: true) { teapot, _ in
            try await teapot.post(path, as: Echo.self, query: query, headerFields: fields)
        },
        Call("POST", .value) { teapot, _ in
            try await teapot.post(path, body: Note(), query: query, headerFields: fields).decode()
        },
        Call("POST", .value, as: true) { teapot, _ in
            try await teapot.post(path, body: Note(), as: Echo.self, query: query, headerFields: fields)
        },
        Call("POST", .bytes) { teapot, _ in
            try await teapot.post(path, body: bytes, query: query, headerFields: fields).decode()
        },
        Call("POST", .bytes, as: true) { teapot, _ in
            try await teapot.post(path, body: bytes, as: Echo.self, query: query, headerFields: fields)
        },
        Call("POST", .jsonBytes) { teapot, _ in
            try await teapot.post(path, body: jsonBytes, query: query, headerFields: fields).decode()
        },
        Call("POST", .jsonBytes, as: true) { teapot, _ in
            try await teapot.post(path, body: jsonBytes, as: Echo.self, query: query, headerFields: fields)
        },
        Call("POST", .body) { teapot, _ in
            try await teapot.post(path, body: body, query: query, headerFields: fields).decode()
        },
        Call("POST", .body, as: true) { teapot, _ in
            try await teapot.post(path, body: body, as: Echo.self, query: query, headerFields: fields)
        },
        Call("POST", .file) { teapot, file in
            try await teapot.post(path, body: file, query: query, headerFields: fields).decode()
        },
        Call("POST", .file, as: true) { teapot, file in
            try await teapot.post(path, body: file, as: Echo.self, query: query, headerFields: fields)
        },
    ]

    static let puts: [Call] = [
        Call("PUT", .nothing) { teapot, _ in
            try await teapot.put(path, query: query, headerFields: fields).decode()
        },
        Call("PUT", .nothing, as: true) { teapot, _ in
            try await teapot.put(path, as: Echo.self, query: query, headerFields: fields)
        },
        Call("PUT", .value) { teapot, _ in
            try await teapot.put(path, body: Note(), query: query, headerFields: fields).decode()
        },
        Call("PUT", .value, as: true) { teapot, _ in
            try await teapot.put(path, body: Note(), as: Echo.self, query: query, headerFields: fields)
        },
        Call("PUT", .bytes) { teapot, _ in
            try await teapot.put(path, body: bytes, query: query, headerFields: fields).decode()
        },
        Call("PUT", .bytes, as: true) { teapot, _ in
            try await teapot.put(path, body: bytes, as: Echo.self, query: query, headerFields: fields)
        },
        Call("PUT", .jsonBytes) { teapot, _ in
            try await teapot.put(path, body: jsonBytes, query: query, headerFields: fields).decode()
        },
        Call("PUT", .jsonBytes, as: true) { teapot, _ in
            try await teapot.put(path, body: jsonBytes, as: Echo.self, query: query, headerFields: fields)
        },
        Call("PUT", .body) { teapot, _ in
            try await teapot.put(path, body: body, query: query, headerFields: fields).decode()
        },
        Call("PUT", .body, as: true) { teapot, _ in
            try await teapot.put(path, body: body, as: Echo.self, query: query, headerFields: fields)
        },
        Call("PUT", .file) { teapot, file in
            try await teapot.put(path, body: file, query: query, headerFields: fields).decode()
        },
        Call("PUT", .file, as: true) { teapot, file in
            try await teapot.put(path, body: file, as: Echo.self, query: query, headerFields: fields)
        },
    ]

    static let patches: [Call] = [
        Call("PATCH", .nothing) { teapot, _ in
            try await teapot.patch(path, query: query, headerFields: fields).decode()
        },
        Call("PATCH", .nothing, as: true) { teapot, _ in
            try await teapot.patch(path, as: Echo.self, query: query, headerFields: fields)
        },
        Call("PATCH", .value) { teapot, _ in
            try await teapot.patch(path, body: Note(), query: query, headerFields: fields).decode()
        },
        Call("PATCH", .value, as: true) { teapot, _ in
            try await teapot.patch(path, body: Note(), as: Echo.self, query: query, headerFields: fields)
        },
        Call("PATCH", .bytes) { teapot, _ in
            try await teapot.patch(path, body: bytes, query: query, headerFields: fields).decode()
        },
        Call("PATCH", .bytes, as: true) { teapot, _ in
            try await teapot.patch(path, body: bytes, as: Echo.self, query: query, headerFields: fields)
        },
        Call("PATCH", .jsonBytes) { teapot, _ in
            try await teapot.patch(path, body: jsonBytes, query: query, headerFields: fields).decode()
        },
        Call("PATCH", .jsonBytes, as: true) { teapot, _ in
            try await teapot.patch(path, body: jsonBytes, as: Echo.self, query: query, headerFields: fields)
        },
        Call("PATCH", .body) { teapot, _ in
            try await teapot.patch(path, body: body, query: query, headerFields: fields).decode()
        },
        Call("PATCH", .body, as: true) { teapot, _ in
            try await teapot.patch(path, body: body, as: Echo.self, query: query, headerFields: fields)
        },
        Call("PATCH", .file) { teapot, file in
            try await teapot.patch(path, body: file, query: query, headerFields: fields).decode()
        },
        Call("PATCH", .file, as: true) { teapot, file in
            try await teapot.patch(path, body: file, as: Echo.self, query: query, headerFields: fields)
        },
    ]

    static let deletes: [Call] = [
        Call("DELETE", .nothing) { teapot, _ in
            try await teapot.delete(path, query: query, headerFields: fields).decode()
        },
        Call("DELETE", .nothing, as: true) { teapot, _ in
            try await teapot.delete(path, as: Echo.self, query: query, headerFields: fields)
        },
        Call("DELETE", .value) { teapot, _ in
            try await teapot.delete(path, body: Note(), query: query, headerFields: fields).decode()
        },
        Call("DELETE", .value, as: true) { teapot, _ in
            try await teapot.delete(path, body: Note(), as: Echo.self, query: query, headerFields: fields)
        },
        Call("DELETE", .bytes) { teapot, _ in
            try await teapot.delete(path, body: bytes, query: query, headerFields: fields).decode()
        },
        Call("DELETE", .bytes, as: true) { teapot, _ in
            try await teapot.delete(path, body: bytes, as: Echo.self, query: query, headerFields: fields)
        },
        Call("DELETE", .jsonBytes) { teapot, _ in
            try await teapot.delete(path, body: jsonBytes, query: query, headerFields: fields).decode()
        },
        Call("DELETE", .jsonBytes, as: true) { teapot, _ in
            try await teapot.delete(path, body: jsonBytes, as: Echo.self, query: query, headerFields: fields)
        },
        Call("DELETE", .body) { teapot, _ in
            try await teapot.delete(path, body: body, query: query, headerFields: fields).decode()
        },
        Call("DELETE", .body, as: true) { teapot, _ in
            try await teapot.delete(path, body: body, as: Echo.self, query: query, headerFields: fields)
        },
        Call("DELETE", .file) { teapot, file in
            try await teapot.delete(path, body: file, query: query, headerFields: fields).decode()
        },
        Call("DELETE", .file, as: true) { teapot, file in
            try await teapot.delete(path, body: file, as: Echo.self, query: query, headerFields: fields)
        },
    ]

    @Test(arguments: gets + posts + puts + patches + deletes)
    func `a request goes over the wire`(call: Call) async throws {
        let server = try LoopbackServer()
        let teapot = Teapot(baseURL: server.baseURL, clock: StoppedClock())
        let file = FileManager.default.temporaryDirectory.appending(path: "teapot-verb-\(UUID())")
        try Self.fileBytes.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }

        let echo = try await call.call(teapot, Teapot.Request.Body(file: file, contentType: "image/png"))

        #expect(echo.method == call.method)
        #expect(call.sent == .nothing || !echo.data.isEmpty)
        let requests = server.requests
        #expect(requests.count == 1)
        let request = try #require(requests.first)
        #expect(request.method == call.method)
        #expect(request.target == "/anything/caf%C3%A9?x=1&a%20b=c%26d")
        #expect(request.header("X-Tea") == "green")
        #expect(request.header("Content-Type") == call.sent.contentType)
        #expect(request.body == call.sent.bytes)
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
