import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// The error of a mock for a request without an answer, word for word.
@Suite(.inTurn)
struct UnansweredRequestTests {
    private typealias EndPoint = OverrideTests.EndPoint

    private let mock = MockTeapot(strictIn: .module)

    private func declare(
        _ endpoint: String,
        _ method: Teapot.HTTPMethod? = nil,
        query: Teapot.QueryItems = [],
        headerFields: [String: String] = [:],
        body: RequestParameter? = nil,
        line: Int = 1
    ) throws {
        try mock.overrideEndPoint(
            endpoint,
            method: method,
            query: query,
            headerFields: headerFields,
            body: body,
            with: .status(200),
            fileID: "Tests/Tea.swift",
            line: line,
            column: 9
        )
    }

    /// The error of a call that has no answer.
    private func unanswered(
        _ path: String,
        _ method: Teapot.HTTPMethod = .get,
        headerFields: [String: String] = [:],
        body: String? = nil
    ) async throws -> TeapotError {
        let body = body.map { Teapot.Request.Body(Data($0.utf8)) }
        let request = Teapot.Request(method, path: Teapot.Path(path), headerFields: headerFields, body: body)
        let error = try #require(await thrown { () throws(TeapotError) in try await mock.send(request) })
        #expect(error.type == .unexpectedRequest)
        #expect(error.response == nil)
        return error
    }

    @Test func `nothing is declared`() async throws {
        let error = try await unanswered("tea?kind=green")
        #expect(
            error.description == """
                MockTeapot has no answer for this request:
                    GET https://mock.base.url.com/tea?kind=green
                Nothing is declared.
                """
        )
        #expect(error.failureReason == "nothing is declared")
    }

    @Test(arguments: [false, true])
    func `several declarations are equally specific`(isStrict: Bool) async throws {
        mock.isStrict = isStrict
        try declare("k", query: [URLQueryItem(name: "acl", value: nil)], line: 1)
        try declare("k", query: [URLQueryItem(name: "tagging", value: nil)], line: 2)
        try declare("k", line: 3)
        let error = try await unanswered("k?acl&tagging")
        #expect(
            error.description == """
                MockTeapot has several answers for this request:
                    GET https://mock.base.url.com/k?acl&tagging
                Declared, and equally specific:
                    k?acl (Tests/Tea.swift:1:9)
                    k?tagging (Tests/Tea.swift:2:9)
                """
        )
        #expect(error.failureReason == "2 declarations match it, and none is more specific")
        #expect(mock.requests.count == 1)
        for path in ["k?acl", "k?tagging", "k"] { try await mock.get(Teapot.Path(path)) }
        #expect(
            mock.findings.map(\.description)
                == (isStrict ? ["GET https://mock.base.url.com/k?acl&tagging had no answer"] : [])
        )
    }

    static let bodies: [(declared: String, sent: String, text: String)] = [
        (#"{"a":1}"#, #"{"a":true}"#, "$.a is true, not 1"),
        (#"{"a":1}"#, #"{}"#, "$.a is missing, not 1"),
        (#"{}"#, #"{"a":{"b":[]}}"#, #"$.a is {"b":[]}, which was not declared"#),
        (#"[1,2]"#, #"[1,2,3]"#, "$[2] is 3, which was not declared"),
        (#"[1,2,3]"#, #"[1,2]"#, "$[2] is missing, not 3"),
        (#"{"a":null}"#, #"{"a":"null"}"#, #"$.a is "null", not null"#),
        (#"{"a":[1]}"#, #"{"a":{"0":1}}"#, #"$.a is {"0":1}, not [1]"#),
        (#""tea""#, #""té""#, #"$ is "té", not "tea""#),
        (#"{"a":1}"#, "tea", "at byte 0; it has 3 bytes, not 7"),
        ("tea", "team", "at byte 3; it has 4 bytes, not 3"),
        ("tea", "ten", "at byte 2"),
        (#"{"a":1}"#, "", "at byte 0; it has 0 bytes, not 7"),
        // It means something in a recording only.
        (#"{"a":"<redacted>"}"#, #"{"a":"clear"}"#, #"$.a is "clear", not "<redacted>""#),
    ]

    @Test(arguments: bodies)
    func `says where the body differs`(_ declared: String, _ sent: String, _ text: String) async throws {
        try declare("notes", body: .data(Data(declared.utf8)))
        let error = try await unanswered("notes", .put, body: sent)
        #expect(error.failureReason == "the body differs: \(text)")
    }

    /// The request is `POST notes?page=1`, with `X-Mode: fast` and a body.
    @Test(
        arguments: [
            (EndPoint("notes", .get), "GET notes", "the method is POST, not GET"),
            (
                EndPoint("users/:id", .get), "GET users/:id",
                "the path is /notes, not users/:id; the method is POST, not GET"
            ),
            (EndPoint("notes", query: ["page": "2"]), "notes?page=2", #"the query item page is "1", not "2""#),
            (EndPoint("notes", query: ["sort": "name"]), "notes?sort=name", "the query item sort is missing"),
            (
                EndPoint("notes", headerFields: ["X-Client": "tea", "X-Mode": "fast"]), "notes with X-Client, X-Mode",
                "the header field X-Client is missing"
            ),
            (
                EndPoint("notes", headerFields: ["x-mode": "slow"]), "notes with x-mode",
                #"the header field x-mode is "fast", not "slow""#
            ),
            (
                EndPoint("notes", body: #"{"user":{"name":"Ada","tags":["a","b"]}}"#), "notes with a body",
                #"the body differs: $.user.tags[1] is "c", not "b""#
            ),
        ] as [(OverrideTests.EndPoint, String, String)]
    )
    func `says what differs`(endpoint: OverrideTests.EndPoint, summary: String, reason: String) async throws {
        try declare(
            endpoint.path,
            endpoint.method,
            query: endpoint.query,
            headerFields: endpoint.headerFields,
            body: endpoint.body.map { .data(Data($0.utf8)) }
        )
        let body = #"{"user":{"name":"Ada","tags":["a","c"]}}"#
        let error = try await unanswered("notes?page=1", .post, headerFields: ["X-Mode": "fast"], body: body)
        #expect(
            error.description == """
                MockTeapot has no answer for this request:
                    POST https://mock.base.url.com/notes?page=1
                Declared:
                    \(summary) (Tests/Tea.swift:1:9)
                Nearest: \(summary) (Tests/Tea.swift:1:9)
                    \(reason.replacing("; ", with: "\n    "))
                """
        )
        #expect(error.failureReason == reason)
    }

    @Test func `the nearest override matches the path and then has the fewest differences`() async throws {
        try declare("notes", .get, query: ["page": "1"], headerFields: ["X-Client": "tea"], line: 1)
        try declare("notes", .get, query: ["page": "2"], headerFields: ["X-Mode": "fast"], line: 2)
        try declare("other", .get, line: 3)
        try declare("notes", .get, query: ["page": "2"], headerFields: ["X-Mode": "fast", "X-Kind": "tea"], line: 4)
        let error = try await unanswered("notes?page=2")
        #expect(error.description.contains("Nearest: GET notes?page=2 with X-Mode (Tests/Tea.swift:2:9)\n"))
        // Two fields away, but at the right path: `other` would be one.
        let far = try await unanswered("notes?page=3")
        #expect(far.description.contains("Nearest: GET notes?page=1 with X-Client (Tests/Tea.swift:1:9)\n"))
    }

    @Test func `a long list is cut`() async throws {
        for line in 1...25 { try declare("notes/\(line)", line: line) }
        let lines = try await unanswered("notes/0").description.split(separator: "\n")
        #expect(lines.count == 26)
        #expect(lines[3] == "    notes/1 (Tests/Tea.swift:1:9)")
        #expect(lines[22] == "    notes/20 (Tests/Tea.swift:20:9)")
        #expect(lines[23] == "    and 5 more")
    }

    @Test func `a hundred unexpected requests are enough`() async throws {
        for number in 0..<150 { _ = try? await mock.get("\(number)") }
        #expect(mock.findings.count == 100)
        #expect(mock.findings.first == .unexpected("GET https://mock.base.url.com/0"))
    }

    @Test func `the sequence is exhausted`() async throws {
        try mock.overrideEndPoint("tea", withSequence: [.status(200), .status(200)], afterLast: .fails)
        for _ in 0..<2 { try await mock.get("tea") }
        let error = try await unanswered("tea")
        #expect(error.description.hasPrefix("MockTeapot has no answer left for this request:\n"))
        #expect(error.failureReason == "it has 2 responses, and this is request 3")
    }

    @Test func `where something was declared is kept`() throws {
        let line = #line + 1
        try mock.overrideEndPoint("tea", with: .status(200))
        mock.overrideEndPoint("coffee", withFilename: "mock-object")
        try mock.overrideEndPoint("milk") { _ in .status(200) }
        try mock.overrideEndPoint("sugar", withSequence: [.status(200)])
        let places = mock.findings.map { finding -> MockTeapot.Declaration.Place? in
            guard case .unused(let declaration) = finding else { return nil }
            return declaration.place
        }
        for (offset, place) in places.enumerated() {
            guard case .code(#fileID, #filePath, line + offset, let column) = place else {
                Issue.record("\(String(describing: place))")
                continue
            }
            #expect(column > 0)
        }
        #expect(places.count == 4)
    }

    // MARK: - Secrets

    @Test func `no secret is shown`() async throws {
        try declare("notes", .post, query: ["token": "s3cret-1"], headerFields: ["Authorization": "s3cret-2"])
        try declare("notes", .put, body: .dictionary(["password": ["list": [["text": "s3cret-3"]]]]), line: 2)
        mock.secretPolicy = .standard.adding(["tea"])
        try declare("more", query: ["tea": "s3cret-6"], line: 3)
        let fields = ["Authorization": "Basic s3cret-8"]
        for error in [
            try await unanswered("notes?token=s3cret-4", .post, headerFields: fields, body: "x"),
            try await unanswered("notes", .put, body: #"{"password":{"list":[{"text":"s3cret-5"}]}}"#),
            try await unanswered("more?tea=s3cret-7", .delete),
        ] {
            #expect(!error.description.contains("s3cret"))
            #expect(error.failureReason?.contains("s3cret") == false)
        }
        let error = try await unanswered("notes?token=s3cret-4", .post, headerFields: ["Authorization": "s3cret"])
        #expect(
            error.failureReason
                == "the query item token has another value; the header field Authorization has another value"
        )
        #expect(!mock.findings.description.contains("s3cret"))
        let invalid = #expect(throws: MockTeapotError.self) { try declare("notes?token=s3cret", line: 4) }
        #expect(invalid?.description.contains("s3cret") == false)
    }
}
