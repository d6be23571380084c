import Teapot
import TeapotMock
import TestTraits
import Testing

/// The registry client with mocks, which answer as the specification says; `RegistryTests` has real registries.
@Suite(.inTurn)
struct SamplesRunRegistryTests {
    private let registry = MockTeapot(strictIn: .module)
    private let tokens = MockTeapot(strictIn: .module)
    private let now = Locked(Date(timeIntervalSince1970: 1_000_000_000))
    private let client: RegistryClient

    init() throws {
        client = RegistryClient(
            registry,
            tokens: tokens,
            user: .bearer("password"),
            now: { [now] in now.withLock { $0 } }
        )
        // The token is the query: service and scope.
        try tokens.overrideEndPoint("") { request in
            guard request.headerFields["Authorization"] == "Bearer password" else { return .status(.unauthorized) }
            return try .json([
                "token": request.query.items.map { $0.value ?? "" }.joined(separator: " "), "expires_in": 300,
            ])
        }
    }

    /// Answers requests that have the token for a scope.
    private func override(
        _ path: String,
        _ actions: String,
        _ method: Teapot.HTTPMethod = .get,
        realm: String? = nil,
        with answer: @escaping @Sendable (RecordedRequest) throws -> MockResponse
    ) throws {
        let scope = "repository:team/tea:\(actions)"
        let realm = realm ?? tokens.baseURL.absoluteString
        try registry.overrideEndPoint(path, method: method) { request in
            guard request.headerFields["Authorization"] != "Bearer registry \(scope)" else {
                return try answer(request)
            }
            let challenge = #"Bearer realm="\#(realm)",service="registry",scope="\#(scope)""#
            return .status(.unauthorized, headerFields: ["WWW-Authenticate": challenge])
        }
    }

    private func stream(_ pieces: String...) -> AsyncStream<Data> {
        AsyncStream { continuation in
            for piece in pieces { continuation.yield(Data(piece.utf8)) }
            continuation.finish()
        }
    }

    private var sent: [String] {
        registry.requests.map {
            "\($0.method) \($0.url.path()) \($0.headerFields["Authorization"] == nil ? "-" : "token")"
        }
    }

    private func overrideTags() throws {
        try override("team/tea/tags/list", "pull") { request in
            guard request.query.items.contains(where: { $0.name == "last" }) else {
                return try .json(
                    ["tags": ["a", "b"]],
                    headerFields: ["Link": #"</team/tea/tags/list?n=2&last=b>; rel="next""#]
                )
            }
            return try .json(["tags": ["c"]])
        }
    }

    @Test func `the registry says which token it wants, and tags are read page by page`() async throws {
        try overrideTags()
        #expect(try await client.tags(of: "team/tea", pageSize: 2) == ["a", "b", "c"])
        #expect(sent == ["-", "token", "token"].map { "GET /team/tea/tags/list \($0)" })
        #expect(registry.requests.map { $0.url.query() } == ["n=2", "n=2", "n=2&last=b"])
        #expect(tokens.requests.map { $0.url.query() } == ["service=registry&scope=repository%3Ateam%2Ftea%3Apull"])
    }

    @Test func `a token is replaced before it expires, for the same scope`() async throws {
        try overrideTags()
        for _ in 0..<2 {
            _ = try await client.tags(of: "team/tea")
            now.withLock { $0 += 290 }
        }
        #expect(sent.count { $0.hasSuffix("-") } == 1)
        #expect(Set(tokens.requests.map(\.url)).count == 1)
        #expect(tokens.requests.count == 2)
    }

    @Test func `an upload gets its token first, and follows locations`() async throws {
        let (body, base) = (Data("leaves".utf8), registry.baseURL)
        try override("team/tea/blobs/uploads/", "pull,push", .post) { _ in
            .status(.accepted, headerFields: ["Location": "/team/tea/blobs/uploads/1?state=a"])
        }
        try override("team/tea/blobs/uploads/1", "pull,push", .patch) { request in
            #expect(request.body == body)
            return .status(.accepted, headerFields: ["Location": "\(base)/team/tea/blobs/uploads/2?state=b"])
        }
        try override("team/tea/blobs/uploads/2", "pull,push", .put) { _ in .status(.created) }
        try await client.upload(stream("lea", "ves"), digest: "sha256:1", to: "team/tea")
        let path = "/team/tea/blobs/uploads"
        #expect(
            sent == ["POST \(path)/ -", "POST \(path)/ token", "PATCH \(path)/1 token", "PUT \(path)/2 token"]
        )
        #expect(registry.requests.last?.url.query() == "state=b&digest=sha256%3A1")
        #expect(tokens.requests.count == 1)
    }

    @Test func `a manifest that is not there is nil`() async throws {
        try override("team/tea/manifests/none", "pull") { _ in .status(.notFound) }
        #expect(try await client.manifest("none", in: "team/tea") == nil)
        #expect(registry.requests.last?.headerFields["Accept"] == RegistryClient.Manifest.type)
    }

    @Test func `the password goes to no other token server`() async throws {
        try override("team/tea/manifests/1", "pull", realm: "https://elsewhere.example/") { _ in .status(.notFound) }
        let error = await #expect(throws: TeapotError.self) { try await client.manifest("1", in: "team/tea") }
        #expect(error?.underlyingError is RegistryClient.AccessRefused)
        #expect(sent.count == 1)
        #expect(tokens.requests.isEmpty)
    }
}
