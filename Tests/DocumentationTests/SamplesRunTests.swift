import LoopbackServer
import Teapot
import TeapotCurl
import TeapotMock
import TestTraits
import Testing

/// Samples that do more than make a call: they do what the pages say of them.
@Suite(.inTurn)
struct SamplesRunTests {
    private let mock = MockTeapot(strictIn: .module)

    // MARK: - README

    static let additions = [
        ("201 Created", #"{"id": 3, "title": "Buy tea"}"#, "Buy tea"),
        ("403 Forbidden", "{}", "403."),
    ]

    #if os(Linux)
        @Test(arguments: brief(additions))
        func `the client gets a token, and shows the value or the error`(
            _ argument: Brief<(String, String, String)>
        ) async throws {
            let (status, body, text) = argument.value
            let answers = [("200 OK", #"{"access_token": "new", "expires_in": 3600}"#), (status, body)]
            let server = try LoopbackServer(
                scripts: answers.map { status, body in
                    let head =
                        "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)"
                    return Script([.readRequest, .send("\(head)\r\nConnection: close\r\n\r\n\(body)"), .close])
                }
            )
            var shown: [String] = []
            await ReadmeSamples.client(baseURL: server.baseURL, loginURL: server.baseURL) { shown.append($0) }
            // In the user's language.
            #expect(shown.count == 1)
            #expect(shown.first?.hasSuffix(text) == true)
            #expect(server.requests.map(\.path) == ["/token", "/notes"])
            #expect(server.requests.map { $0.header("Authorization") } == [nil, "Bearer new"])
        }
    #endif

    @Test func `the client reads events`() async throws {
        let mock = MockTeapot(strictIn: .module, clock: ImmediateClock())
        let events = MockResponse.events([Teapot.ServerSentEvent(data: "note 3")])
        try mock.overrideEndPoint("notes/changes", withSequence: [events, .status(.noContent)])
        var shown: [String] = []
        try await NotesClient(teapot: mock).watch { shown.append($0) }
        #expect(shown == ["note 3"])
    }

    // MARK: - Credentials and retries

    @Test func `each request is signed, with a key that is fetched`() async throws {
        let login = MockTeapot(strictIn: .module)
        login.decoder.dateDecodingStrategy = .secondsSince1970
        try login.overrideEndPoint("key", with: .json(["id": "k1", "secret": "s", "expires": 4_000_000_000]))
        RetrySamples.signing(mock, keys: login) { "\($0)-\($1.count)" }
        try mock.overrideEndPoint("notes", method: .post, with: .status(.created))
        try await mock.post("notes", body: ["a": 1])
        try await mock.post("notes", body: ["a": 10])
        let fields = mock.requests.map(\.headerFields)
        let date = try #require(fields.first?["X-Date"])
        let count = "POST /notes \(date)\n".utf8.count
        #expect(fields.map { $0["Authorization"] } == [7, 8].map { "HMAC k1:s-\(count + $0)" })
        #expect(login.requests.count == 1)
    }

    @Test func `a session goes beside a password`() async throws {
        let name = "X-Transmission-Session-Id"
        try mock.overrideEndPoint("rpc", method: .post) { request in
            request.headerFields[name] == "1" ? .status(.ok) : .status(409, headerFields: [name: "1"])
        }
        RetrySamples.twoCredentials(mock, user: "admin", password: "test123")
        for _ in 0..<2 { try await mock.post("rpc", body: ["method": "session-get"]) }
        #expect(mock.requests.map { $0.headerFields[name] } == [nil, "1", "1"])
        #expect(mock.requests.allSatisfy { $0.headerFields["Authorization"] == "Basic YWRtaW46dGVzdDEyMw==" })
    }

    // MARK: - Pagination

    @Test func `pages are read by their cursors`() async throws {
        typealias Page = PaginationSamples.IssuePage
        let samples = PaginationSamples()
        let issues = ["A leak", "No handle"].map { PaginationSamples.Issue(title: $0) }
        let pages = [Page(items: [issues[0]], nextCursor: "a b"), Page(items: [issues[1]], nextCursor: nil)]
        try mock.overrideEndPoint("issues", withSequence: pages.map { page in try .encoding(page) })
        try await samples.cursors(mock)
        #expect(samples.shown.withLock { $0 } == ["A leak", "No handle"])
        #expect(mock.requests.map { $0.url.query() } == [nil, "cursor=a%20b"])
    }

    @Test func `links and locations are resolved`() async throws {
        let (samples, issue) = (PaginationSamples(), PaginationSamples.Issue(title: "No handle"))
        try mock.overrideEndPoint("issues/1", with: .status(.ok, headerFields: ["Link": "</users/7>; rel=author"]))
        try mock.overrideEndPoint("users/7", with: .data(Data("Jane".utf8), contentType: "text/plain"))
        try await samples.author(mock)
        try mock.overrideEndPoint(
            "issues",
            method: .post,
            with: .status(.created, headerFields: ["Location": "/issues/2"])
        )
        try mock.overrideEndPoint("issues/2", with: .encoding(issue))
        try await samples.location(mock, issue: issue)
        #expect(samples.shown.withLock { $0 } == ["Jane", "No handle"])
    }

    // MARK: - Server-sent events

    @Test func `events come a minute later, until a 204`() async throws {
        let (mock, clock) = try ServerSentEventSamples.mocked()
        async let lines = {
            var lines: [String] = []
            try await ServerSentEventSamples.prices(mock) { lines.append($0) }
            return lines
        }()
        // The event waits, then the next connection.
        await clock.waits(1)
        clock.advance(by: .seconds(60))
        await clock.advanceToNext()
        #expect(try await lines == ["tea: 4"])
        #expect(clock.now.offset == .seconds(63))
        #expect(mock.requests.map { $0.headerFields["Last-Event-ID"] } == [nil, "1"])
        try mock.verify()
    }

    @Test func `a log and an answer are streamed once`() async throws {
        try mock.overrideEndPoint("jobs/7/log", with: .events([.init(data: "one"), .init(data: "two")]))
        try mock.overrideEndPoint(
            "chat",
            method: .post,
            with: .events([.init(data: #"{"text":"Gr"}"#), .init(data: #"{"text":"een"}"#), .init(data: "[DONE]")])
        )
        var lines: [String] = []
        try await ServerSentEventSamples.once(mock) { lines.append($0) }
        #expect(lines == ["one", "two"])
        #expect(try await ServerSentEventSamples.chat(mock) == "Green")
        #expect(mock.requests.count == 2)
    }

    // MARK: - Production

    @Test func `both groups get all notes`() async throws {
        try mock.overrideEndPoint("notes/:id") { request in
            try .json(["id": Int(request.pathParameters["id"] ?? "") ?? 0, "title": "Buy tea"])
        }
        let ids = Array(1...20)
        #expect(try await ProductionSamples.all(ids, mock).map(\.id).sorted() == ids)
        var stored: [Int] = []
        try await ProductionSamples.few(ids, mock) { stored.append($0.id) }
        #expect(stored.sorted() == ids)
    }

    @Test(arguments: [(MockTeapot.StatusCode.noContent, 0), (.preconditionFailed, 1)])
    func `a change of another is not overwritten`(status: MockTeapot.StatusCode, count: Int) async throws {
        try mock.overrideEndPoint(
            "notes/1",
            method: .get,
            with: .json(["title": "Tea"], headerFields: ["ETag": "\"1\""])
        )
        try mock.overrideEndPoint("notes/1", method: .put, with: .status(status))
        var shown: [String] = []
        try await ProblemSamples.change(mock) { shown.append($0) }
        #expect(shown.count == count)
        #expect(mock.requests.last?.headerFields["If-Match"] == "\"1\"")
    }

    #if os(Linux)
        @Test func `the password of a proxy is encoded, and not shown`() throws {
            let proxy = CurlSamples.proxy("ann@tea", "s3/cret").proxy
            guard case .url(let url) = proxy else { Issue.record("no URL"); return }
            #expect(url.absoluteString == "http://ann%40tea:s3%2Fcret@proxy.example.com:3128")
            #expect("\(proxy)" == #"url("http://proxy.example.com:3128")"#)
        }

        @Test func `adds a field, counts bytes and delays`() async throws {
            let (server, received) = (try LoopbackServer(), TransportSamples.Counter())
            let teapot = TransportSamples.slow(baseURL: server.baseURL, received)
            #expect(try await teapot.get("file/1000").data.count == 1_000)
            #expect(received.value == 1_000)
            #expect(server.requests.map { $0.header("X-Network") } == ["slow"])
        }
    #endif
}
