@testable import Teapot
import TestSupport
import TestTraits
import Testing

@testable import TeapotMock

@Suite(.inTurn)
struct ReplayTests {
    private let folder: TestSupport.TemporaryFolder

    init() throws {
        folder = try TestSupport.TemporaryFolder()
    }

    private func mock(_ entries: [HAREntry], baseURL: String? = nil) throws -> MockTeapot {
        let file = folder.file("notes.har")
        try HAR(entries: entries).encoded().write(to: file)
        return try MockTeapot(har: file, baseURL: baseURL.flatMap(URL.init))
    }

    private static func entry(
        _ url: String,
        _ method: String = "GET",
        body: String? = nil,
        answer: String = "ok",
        status: Int = 200,
        error: String? = nil
    ) -> HAREntry {
        HAREntry(
            request: HARRequest(
                method: method,
                url: url.hasPrefix("/") ? "http://notes.test" + url : url,
                postData: body.map { HARBody(mimeType: "text/plain", text: $0) }
            ),
            response: HARResponse(
                status: status,
                content: HARBody(size: answer.utf8.count, mimeType: "text/plain", text: answer),
                error: error
            )
        )
    }

    // MARK: - The base URL

    @Test(arguments: [
        "http://notes.test/v1", "http://ada:hunter2@notes.test/v1/", "http://notes.test/v1?token=hunter2",
    ])
    func `a recording knows its base URL`(baseURL: String) async throws {
        let server = MockTeapot(strictIn: .module)
        try server.overrideEndPoint("v1/notes", with: .json(["id": 1]))
        let recording = RecordingTransport(wrapping: server.transport.value)
        let teapot = Teapot(baseURL: try #require(URL(string: baseURL)), transport: recording)
        try await teapot.get("notes")
        let file = folder.file("base.har")
        try recording.write(to: file)
        #expect(try !String(contentsOf: file, encoding: .utf8).contains("hunter2"))
        let mock = try MockTeapot(har: file)
        #expect(mock.baseURL.path() == URL(string: baseURL)?.path())
        #expect(try await mock.get("notes").json?.dictionary?["id"] as? Int == 1)
        let other = try MockTeapot(har: file, baseURL: URL(string: "http://notes.test"))
        #expect(
            try await other.send(
                Teapot.Request(path: "v1/notes", query: teapot.baseURL.query() == nil ? [] : ["token": "x"])
            ).status == 200
        )
    }

    @Test(arguments: [#""ftp://notes.test/v1""#, "17", "null", #""""#])
    func `a base URL that is not one is ignored`(text: String) throws {
        let file = folder.file("base.har")
        let archive = try HAR(entries: [Self.entry("/v1/notes")], baseURL: "BASE").encoded()
        let changed = String(decoding: archive, as: UTF8.self).replacing(#""BASE""#, with: text)
        try Data(changed.utf8).write(to: file)
        #expect(try MockTeapot(har: file).baseURL.absoluteString == "http://notes.test")
    }

    private static func text(_ request: Teapot.Request, of mock: MockTeapot) async throws(TeapotError) -> String {
        String(decoding: try await mock.send(request).data, as: UTF8.self)
    }

    private static func request(_ path: String, _ method: Teapot.HTTPMethod = .get, body: String? = nil)
        -> Teapot.Request
    {
        Teapot.Request(method, path: Teapot.Path(path), body: body.map { Teapot.Request.Body(Data($0.utf8)) })
    }

    // MARK: - Which entry

    @Test(
        arguments: [
            ("/a", "a"), ("/a", "/a"), ("/a/", "a/"), ("/", ""), ("", ""), ("/%C3%A4%20b", "ä b"), ("/a%2Fb", "a%2fb"),
            ("/a?x=1&y=2&x=3", "a?x=3&y=2&x=1"), ("/a?q=a+b%2B", "a?q=a%20b%2b"), ("/a?x", "a?x="), ("/a#b", "a"),
            ("/a/redacted-1/c", "a/b/c"), ("/a/x-redacted-2", "a/x-1"), ("/a/redacted-3/d", "a/b/c/d"),
            ("/redacted-1", "a/b"),
            ("/a?token=redacted-1&b=1", "a?b=1&token=x"), ("/a?q=xredacted-2yredacted-3", "a?q=x1y"),
            ("HTTP://u:p@NOTES.test:80/a", "a"), ("/v1/%2e%2E/%c3%bc", "ü"),
        ] as [(String, String)]
    )
    func `answers a request that was recorded`(url: String, path: String) async throws {
        let mock = try mock([Self.entry(url.isEmpty ? "http://notes.test" : url)], baseURL: "http://notes.test")
        #expect(try await Self.text(Self.request(path), of: mock) == "ok")
        try mock.verify()
    }

    static let otherRequests: [(String, String, String)] = [
        ("/a", "b", "the path is /b, not /a"), ("/a", "a/", "the path is /a/, not /a"),
        ("/a", "x/a", "the path is /x/a, not /a"),
        ("/a%2Fb", "a/b", "the path is /a/b, not /a/b"),
        ("/a/redacted-1/c", "a/b", "the path is /a/b, not /a/redacted-1/c"),
        ("/a?x=1", "a", "the query item x is missing"), ("/a", "a?x=1", "the query item x was not recorded"),
        ("/a?x=1", "a?x=2", #"the query item x is "2", not "1""#),
        ("/a?x=1&x=1", "a?x=1", "the query item x is missing"),
        ("/a?x=1", "a?x=1&x=1", "the query item x was not recorded"),
        ("/a?token=redacted-1", "a", "the query item token is missing"),
        ("/a?x=A", "a?x=a", #"the query item x is "a", not "A""#),
        ("https://notes.test/a", "a", "the origin is http://notes.test:80, not https://notes.test:443"),
        ("http://notes.test:81/a", "a", "the origin is http://notes.test:80, not http://notes.test:81"),
    ]

    @Test(arguments: brief(otherRequests))
    func `fails another one, and says what differs`(_ argument: Brief<(String, String, String)>) async throws {
        let (url, path, reason) = argument.value
        let mock = try mock([Self.entry("http://other.test/"), Self.entry(url)], baseURL: "http://notes.test")
        let error = await thrown { () throws(TeapotError) in try await mock.send(Self.request(path)) }
        #expect(error?.type == .unexpectedRequest)
        #expect(error?.failureReason == reason)
        #expect(error?.description.contains("(notes.har, entry 2)\n    \(reason)") == true)
    }

    static let redactedBodies: [(String, String)] = [
        (#"{"a":1,"b":[true]}"#, #"{ "b": [true], "a": 1.0 }"#), ("a=1&b=2", "a=1&b=2"),
        (#"{"password":"redacted-1","a":1}"#, #"{"a":1,"password":"x"}"#),
        (#"{"token":"redacted-1"}"#, #"{"token":{"a":[1]}}"#),
        (#"{"a":"see redacted-1, redacted-2!"}"#, #"{"a":"see b, c!"}"#),
        ("user=ada&password=redacted-1&b=1", "user=ada&password=x%20y&b=1"),
        ("{\"jwt\":\"redacted-1\"}\n{\"a\":1}", "{\"jwt\":\"x\"}\n{\"a\":1}"),
    ]

    @Test(arguments: brief(redactedBodies))
    func `compares bodies, but for what was redacted`(_ argument: Brief<(String, String)>) async throws {
        let (recorded, received) = argument.value
        let mock = try mock([Self.entry("/a", "POST", body: recorded)])
        #expect(try await Self.text(Self.request("a", .post, body: received), of: mock) == "ok")
    }

    @Test(
        arguments: [
            (#"{"a":1}"#, #"{"a":2}"#, "the body differs: $.a is 2, not 1"),
            (#"{"password":"redacted-1"}"#, "{}", "the body differs: $.password has another value"),
            (#"{"token":"redacted-1","b":1}"#, #"{"token":1}"#, "the body differs: $.b is missing, not 1"),
            ("a=1&token=redacted-1", "a=2&token=x", "the body differs: at byte 2; it has 11 bytes, not 20"),
            ("a", nil, "the body differs: at byte 0; it has 0 bytes, not 1"),
        ] as [(String, String?, String)]
    )
    func `fails another body`(recorded: String, received: String?, reason: String) async throws {
        let mock = try mock([Self.entry("/a", "POST", body: recorded)])
        let error = await thrown { () throws(TeapotError) in
            try await mock.send(Self.request("a", .post, body: received))
        }
        #expect(error?.failureReason == reason)
    }

    @Test func `does not compare bodies that were not recorded, nor multipart forms`() async throws {
        var form = Self.entry("/form", "POST", body: "--b--")
        form.request.postData?.mimeType = "multipart/form-data; boundary=b"
        let mock = try mock([Self.entry("/a", "POST"), form])
        #expect(try await Self.text(Self.request("a", .post, body: "x"), of: mock) == "ok")
        #expect(try await Self.text(Self.request("form", .post, body: "x"), of: mock) == "ok")
    }

    @Test func `compares bodies that are not text`() async throws {
        var entry = Self.entry("/a", "PUT", body: Data([0xFF]).base64EncodedString())
        entry.request.postData?.encoding = "base64"
        let mock = try mock([entry])
        let body = Teapot.Request.Body(Data([0xFF]))
        #expect(try await Self.text(Teapot.Request(.put, path: "a", body: body), of: mock) == "ok")
    }

    @Test func `answers repeated requests in order, then repeats the last answer`() async throws {
        let mock = try mock([
            Self.entry("/a?x=1&y=2", answer: "1"), Self.entry("/b", answer: "b"), Self.entry("/a?y=2&x=1", answer: "2"),
            Self.entry("/a", "POST", body: #"{"a":1,"b":2}"#, answer: "3"),
            Self.entry("/a", "POST", body: #"{ "b":2, "a":1}"#, answer: "4"),
        ])
        var texts: [String] = []
        for _ in 1...3 {
            texts.append(try await Self.text(Self.request("a?x=1&y=2"), of: mock))
            texts.append(try await Self.text(Self.request("a", .post, body: #"{"a":1,"b":2}"#), of: mock))
        }
        #expect(texts == ["1", "3", "2", "4", "2", "4"])
        #expect(mock.findings.map(\.description) == ["GET /b (notes.har, entry 2) was never used"])
    }

    @Test func `prefers overrides, then the entry with the fewest redactions`() async throws {
        let mock = try mock([
            Self.entry("/a/redacted-1", answer: "any"), Self.entry("/a/me", answer: "me"),
            Self.entry("/redacted-1/redacted-2"),
            Self.entry("/b", "POST", answer: "any"), Self.entry("/b", "POST", body: "x", answer: "x"),
        ])
        #expect(try await Self.text(Self.request("a/me"), of: mock) == "me")
        #expect(try await Self.text(Self.request("a/you"), of: mock) == "any")
        #expect(try await Self.text(Self.request("b", .post, body: "x"), of: mock) == "x")
        #expect(try await Self.text(Self.request("b", .post, body: "y"), of: mock) == "any")
        try mock.overrideEndPoint("me", with: .data(Data("declared".utf8), contentType: "text/plain"))
        #expect(try await Self.text(Self.request("a/me"), of: mock) == "declared")
    }

    /// A multipart form, of which the body is not compared, a form and JSON. Some of the last two was redacted.
    @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0]])
    func `an entry whose body was compared is preferred to one whose body was not`(order: [Int]) async throws {
        var multipart = Self.entry("/a", "POST", body: "--b--", answer: "multipart")
        multipart.request.postData?.mimeType = "multipart/form-data; boundary=b"
        let form = Self.entry("/a", "POST", body: "user=ada&password=redacted-1", answer: "form")
        let json = Self.entry("/a", "POST", body: #"{"password":"redacted-1","user":"redacted-2"}"#, answer: "json")
        let mock = try mock(order.map { [multipart, form, json][$0] })
        var texts: [String] = []
        for body in ["--x\r\n", "user=ada&password=hush", #"{"user":"ada","password":"hush"}"#] {
            texts.append(try await Self.text(Self.request("a", .post, body: body), of: mock))
        }
        #expect(texts == ["multipart", "form", "json"])
        try mock.verify()
    }

    /// Two entries that both match a request, a path and a body, of which the second has more that was compared.
    static let compared: [((String, String?), (String, String?), (String, String?))] = [
        (("/a", "token=redacted-1"), ("/a", "token=redacted-2&scope=redacted-3"), ("a", "token=x&scope=y")),
        (("/a", "redacted-1"), ("/a", "a=redacted-2&b=redacted-3"), ("a", "a=1&b=2")),
        (("/a", nil), ("/a", "redacted-1"), ("a", "a=1")),
        (
            ("/a", #"{"token":"redacted-1"}"#), ("/a", #"{"token":{"id":"redacted-2","at":"redacted-3"}}"#),
            ("a", #"{"token":{"id":"x","at":"y"}}"#)
        ),
        (("/a/redacted-1", nil), ("/redacted-2/bredacted-3d", nil), ("a/bcd", "x")),
        (("/a?q=redacted-1", "x"), ("/a?q=bredacted-2credacted-3", "x"), ("a?q=b1c", "x")),
        (("/a/me", nil), ("/a/redacted-1", "a body"), ("a/me", "a body")),
        (("/a/redacted-1", "redacted-2"), ("/a/me", nil), ("a/me", "a body")),
    ]

    @Test(arguments: [false, true], brief(compared))
    func `the entry of which most was compared answers`(
        isFirst: Bool,
        _ argument: Brief<((String, String?), (String, String?), (String, String?))>
    ) async throws {
        let (less, more, (path, body)) = argument.value
        let entries = [(less, "less"), (more, "more")].map { entry, answer in
            Self.entry(entry.0, "POST", body: entry.1, answer: answer)
        }
        let mock = try mock(isFirst ? entries.reversed() : entries)
        for _ in 1...2 {
            #expect(try await Self.text(Self.request(path, .post, body: body), of: mock) == "more")
        }
    }

    @Test func `equal entries answer in their order, and one with a value that is known before one with a new value`()
        async throws
    {
        let mock = try mock([
            Self.entry("/redacted-1/b", answer: "1"), Self.entry("/a/redacted-2", answer: "2"),
            Self.entry("/redacted-1/b", answer: "3"), Self.entry("/a/c", answer: "c"),
        ])
        var texts: [String] = []
        for path in ["a/b", "a/b", "a/c", "a/x", "a/b"] {
            texts.append(try await Self.text(Self.request(path), of: mock))
        }
        #expect(texts == ["1", "3", "c", "2", "3"])
        try mock.verify()
    }

    // MARK: - What is answered

    @Test(
        arguments: [
            ("URLError.timedOut", URLError.Code.timedOut), ("URLError(-1013)", .userAuthenticationRequired),
            ("net::ERR_CONNECTION_REFUSED", .cannotConnectToHost), ("net::ERR_NAME_NOT_RESOLVED", .cannotFindHost),
            ("net::ERR_TIMED_OUT", .timedOut), ("net::ERR_CONNECTION_TIMED_OUT", .timedOut),
            ("net::ERR_EMPTY_RESPONSE", .networkConnectionLost),
            ("net::ERR_INTERNET_DISCONNECTED", .notConnectedToInternet), ("net::ERR_FAILED", .unknown), ("", .unknown),
            (nil, .unknown),
        ] as [(String?, URLError.Code)]
    )
    func `fails as it was recorded`(text: String?, code: URLError.Code) async throws {
        let mock = try mock([
            Self.entry("/none", answer: "", status: 0, error: text),
            Self.entry("/cut", answer: "half", error: text ?? ""),
        ])
        let none = await thrown { () throws(TeapotError) in try await mock.get("none") }
        #expect(none?.type == .noResponse)
        #expect(none?.code == code)
        let cut = await thrown { () throws(TeapotError) in try await mock.get("cut") }
        #expect(cut?.type == .dataTaskError)
        #expect(cut?.code == code)
        #expect(cut?.data == Data("half".utf8))
        #expect(cut?.responseStatus == 200)
    }

    @Test func `says why a body is missing, unless nobody reads it`() async throws {
        var entries = ["/a", "/redirect", "/gone", "/broken"].map { Self.entry($0) }
        for index in entries.indices { entries[index].response.content.text = nil }
        entries[0].response.content.comment = "left out: it is secret"
        entries[1].response.status = 302
        entries[1].response.headers = [HARField("Location", "/there")]
        entries[2].response.status = 204
        entries[3].response.content = HARBody(size: 1, mimeType: "", text: "?!", encoding: "base64")
        entries += [Self.entry("/head", "HEAD"), Self.entry("/there")]
        entries[4].response.content.text = nil
        let mock = try mock(entries)
        let missing = await thrown { () throws(TeapotError) in try await mock.get("a") }
        #expect(missing?.type == .invalidMockFile)
        #expect(missing?.errorDescription?.contains(".har") == true)
        #expect(missing?.errorDescription?.contains(".json") == false)
        #expect(missing?.failureReason == "entry 1: its body is missing: left out: it is secret")
        let broken = await thrown { () throws(TeapotError) in try await mock.get("broken") }
        #expect(broken?.failureReason == "entry 4: its body is not valid Base64")
        #expect(try await mock.get("redirect").data == Data("ok".utf8))
        #expect(try await mock.get("gone").status == 204)
        #expect(try await mock.head("head").status == 200)
    }

    @Test(arguments: ["?!", "????", "YW Jj*", "YWJ", "=", "a=bc"])
    func `says which entry has a body that is not valid Base64`(text: String) async throws {
        var entries = [Self.entry("/a"), Self.entry("/b")]
        entries[1].response.content = HARBody(size: 3, mimeType: "", text: text, encoding: "base64")
        let mock = try mock(entries)
        let error = await thrown { () throws(TeapotError) in try await mock.get("b") }
        #expect(error?.type == .invalidMockFile)
        #expect(error?.failureReason == "entry 2: its body is not valid Base64")
        entries[1].request.postData = entries[1].response.content
        let invalid = #expect(throws: TeapotError.self) { try self.mock(entries) }
        #expect(invalid?.failureReason == "entry 2: the body of its request is not valid Base64")
    }

    @Test func `reads Base64 with line breaks`() async throws {
        var entries = [Self.entry("/a")]
        entries[0].response.content = HARBody(size: 3, mimeType: "", text: "YW\r\nJj\n", encoding: "base64")
        #expect(try await mock(entries).get("a").data == Data("abc".utf8))
    }

    // MARK: - Files

    @Test func `needs a file that is there`() throws {
        let error = #expect(throws: TeapotError.self) { try MockTeapot(har: folder.file("none.har")) }
        #expect(error?.type == .missingMockFile)
        #expect(error?.failureReason == "\(folder.file("none.har").path) cannot be read")
    }

    static let invalidRecordings: [(String, String)] = [
        ("no JSON", "not a valid HAR file: $: "), ("[]", "not a valid HAR file: $: "),
        ("{}", "not a valid HAR file: $: the key log is missing"),
        (#"{"log":{"entries":[{}]}}"#, "not a valid HAR file: entry 1: $.log.entries[0]: the key request is missing"),
        (
            #"{"log":{"entries":[{"request":{"method":"GET","url":1},"response":{}}]}}"#,
            "not a valid HAR file: entry 1: $.log.entries[0].request.url: "
        ),
        (
            #"{"log":{"entries":[{"request":{"method":"GET","url":"http://h/"},"response":{"status":"200"}}]}}"#,
            "not a valid HAR file: entry 1: $.log.entries[0].response.status: "
        ),
        (
            #"{"log":{"entries":[{"request":{"method":"G T","url":"http://h/"},"response":{}}]}}"#,
            "$.log.entries[0].request.method is not a valid method"
        ),
        (#"{"log":{"entries":[]}}"#, "no entry has an http or https URL"),
        (
            #"{"log":{"entries":[{"request":{"method":"GET","url":"data:,x"},"response":{}}]}}"#,
            "no entry has an http or https URL"
        ),
    ]

    @Test(arguments: brief(invalidRecordings))
    func `needs a file that is a recording`(_ argument: Brief<(String, String)>) throws {
        let (text, reason) = argument.value
        try folder.write(text, to: "bad.har")
        let error = #expect(throws: TeapotError.self) { try MockTeapot(har: folder.file("bad.har")) }
        #expect(error?.type == .invalidMockFile)
        #expect(error?.failureReason?.hasPrefix(reason) == true, "\(error?.failureReason ?? "")")
    }
}
