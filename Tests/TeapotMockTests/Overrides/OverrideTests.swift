import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// Which of the endpoints that are declared answers, and with what.
@Suite(.inTurn)
struct OverrideTests {
    private let mock = MockTeapot(bundle: .module, statusCode: .notFound)

    /// Endpoints that tell by their status which of them answered.
    private func declare(_ endPoints: [EndPoint]) throws {
        for (index, endpoint) in endPoints.enumerated() {
            try mock.overrideEndPoint(
                endpoint.path,
                method: endpoint.method,
                query: endpoint.query,
                headerFields: endpoint.headerFields,
                body: endpoint.body.map { .data(Data($0.utf8)) },
                with: .status(MockTeapot.StatusCode(rawValue: 210 + index))
            )
        }
    }

    struct EndPoint: Sendable, CustomStringConvertible {
        var path: String
        var method: Teapot.HTTPMethod?
        var query: Teapot.QueryItems = []
        var headerFields: [String: String] = [:]
        var body: String?

        init(
            _ path: String,
            _ method: Teapot.HTTPMethod? = nil,
            query: Teapot.QueryItems = [],
            headerFields: [String: String] = [:],
            body: String? = nil
        ) {
            (self.path, self.method, self.query) = (path, method, query)
            (self.headerFields, self.body) = (headerFields, body)
        }

        var description: String {
            let query = query.items.isEmpty ? "" : "?\(query)"
            let fields =
                headerFields.isEmpty ? "" : " \(headerFields.sorted { $0.key < $1.key }.map { "\($0): \($1)" })"
            return "\(method.map { "\($0) " } ?? "")\(path)\(query)\(fields)\(body.map { " \($0)" } ?? "")"
        }
    }

    // MARK: - Path patterns

    static let patterns: [(pattern: String, path: String, parameters: [String: String]?)] = [
        ("users/:id", "users/2", ["id": "2"]),
        ("users/:id", "/v1/users/2?page=1", ["id": "2"]),
        ("/users/:id/", "users/J%C3%BCrgen%20M/", ["id": "Jürgen M"]),
        ("users/:id", "users/a%2Fb", ["id": "a/b"]),
        ("users/:id/notes/:note", "users/2/notes/7", ["id": "2", "note": "7"]),
        (":any", "tea", ["any": "tea"]),
        ("a/:", "a/:", [:]),
        ("users/:id/:id", "users/2/7", ["id": "7"]),
        ("users//:id", "v1/users//2//", ["id": "2"]),
        ("", "", [:]),
        ("users/:id", "user/2", nil),
        ("users/:id", "users/2/notes", nil),
        ("users/:id", "2", nil),
        ("users/:id/", "users/2", nil),
        ("a/:", "a/b", nil),
        ("", "a", nil),
    ]

    @Test(arguments: patterns)
    func `a pattern gives its parameters`(_ pattern: String, _ path: String, _ parameters: [String: String]?) throws {
        try mock.overrideEndPoint(pattern) { request in
            try .encoding(request.pathParameters)
        }
        let result = try answer { mock.get(path, completion: $0) }
        #expect(result.isSuccess == (parameters != nil))
        #expect(mock.requests.first?.pathParameters == parameters ?? [:])
        #expect(mock.requests(to: pattern).map(\.pathParameters) == (parameters.map { [$0] } ?? []))
        guard let parameters, !parameters.isEmpty else { return }
        #expect(result.dictionary as? [String: String] == parameters)
    }

    // MARK: - The most specific

    /// The request is `POST v1/users/2?page=2&sort=name`, with `X-Client: tea` and `X-Mode: fast`, and `{"a":1,"b":[true]}`.
    static let specific: [([EndPoint], Int?)] = [
        ([EndPoint("2"), EndPoint("users/2")], 1),
        ([EndPoint("users/:id"), EndPoint("users/2")], 1),
        ([EndPoint(":id"), EndPoint("users/:id")], 1),
        ([EndPoint(":a/:b/:c"), EndPoint("2")], 1),
        ([EndPoint("users/:id"), EndPoint("users/:id", .post)], 1),
        ([EndPoint("users/:id", .post), EndPoint("users/2")], 1),
        ([EndPoint("users/:id", .get)], nil),
        ([EndPoint("2", query: ["page": "2"]), EndPoint("2")], 0),
        ([EndPoint("2", .post), EndPoint("2", query: ["page": "2", "sort": "name"])], 0),
        ([EndPoint("2", query: ["page": "2"]), EndPoint("2", query: ["page": "2", "sort": "name"])], 1),
        ([EndPoint("2", query: ["page": "1"]), EndPoint("2", query: ["page": "2"])], 1),
        ([EndPoint("2", query: ["Page": "2"])], nil),
        ([EndPoint("2", query: ["none": ""])], nil),
        ([EndPoint("2", headerFields: ["x-client": "tea"]), EndPoint("2")], 0),
        (
            [EndPoint("2", query: ["page": "2"]), EndPoint("2", headerFields: ["X-Client": "tea", "X-Mode": "fast"])], 0
        ),
        ([EndPoint("2", headerFields: ["X-Client": "Tea"])], nil),
        ([EndPoint("2", body: #"{ "b": [true], "a": 1.0 }"#), EndPoint("2")], 0),
        ([EndPoint("2", body: #"{"a":1}"#), EndPoint("2", body: #"{"a":1,"b":[true]}"#)], 1),
        ([EndPoint("2", body: #"{"a":1,"b":[1]}"#)], nil),
        ([EndPoint("2", body: #"{"a":true,"b":[true]}"#)], nil),
        ([EndPoint("2", body: #"{"a":1,"b":[true],"c":null}"#)], nil),
        ([EndPoint("2", headerFields: ["X-Client": "tea"]), EndPoint("2", body: #"{"a":1,"b":[true]}"#)], 0),
    ]

    @Test(arguments: brief(specific))
    func `the most specific answers`(row: Brief<([EndPoint], Int?)>) throws {
        let (endPoints, winner) = row.value
        try declare(endPoints)
        let body = RequestParameter.dictionary(["a": 1, "b": [true]])
        let fields = ["X-Client": "tea", "X-Mode": "fast"]
        let result = try answer {
            mock.post("v1/users/2?page=2&sort=name", parameters: body, headerFields: fields, completion: $0)
        }
        #expect(result.response.status == winner.map { 210 + $0 } ?? 404)
    }

    @Test func `a body that is not JSON is compared byte for byte`() throws {
        try declare([
            EndPoint("a", body: "tea "), EndPoint("a", body: "tea"), EndPoint("a", body: "{"), EndPoint("a", body: "1"),
        ])
        for (body, status) in [("tea", 211), ("tea ", 210), ("{", 212), ("1.0", 213), ("{}", 404), ("", 404)] {
            let result = try answer { mock.post("a", parameters: .data(Data(body.utf8)), completion: $0) }
            #expect(result.response.status == status)
        }
    }

    @Test func `a file that is sent is compared, too`() async throws {
        let folder = try TestSupport.TemporaryFolder()
        try folder.write("tea", to: "tea.txt")
        try declare([EndPoint("a", body: "tea"), EndPoint("a")])
        let body = Teapot.Request.Body.file(folder.file("tea.txt"))
        #expect(try await mock.send(.init(.post, path: "a", body: body)).status == 210)
        #expect(mock.requests.last?.body == Data("tea".utf8))
        withExtendedLifetime(folder) {}
    }

    /// Two endpoints `a` with these query items, a request's query, and which of them answers.
    static let queries: [(first: Teapot.QueryItems, second: Teapot.QueryItems, query: String, winner: Int?)] = [
        // Of a name that is repeated, the first item counts.
        (["n": "1"], ["n": "2"], "n=2&n=1", 1), (["n": "1"], ["n": "2"], "n=%31", 0),
        (["n": "1"], ["n": "2"], "n", nil),
        // Of a name that is declared twice, the items are compared in order.
        (["n": 1, "n": 2], ["n": 2, "n": 1], "n=1&m=0&n=2&n=3", 0),
        (["n": 1, "n": 2], ["n": 2, "n": 1], "n=2&n=1", 1),
        (["n": 1, "n": 2], ["n": 2, "n": 1], "n=1", nil), (["n": 1, "n": 2], ["n": 2, "n": 1], "n=1&n=1", nil),
        // No value is the same as an empty one.
        (["n": ""], ["n": "2"], "n", 0), (["n": ""], ["n": "2"], "n=", 0), (["n": ""], ["n": "2"], "n=1", nil),
        ([URLQueryItem(name: "n", value: nil)], ["n": "2"], "n=", 0),
        // `nil` asks for nothing.
        (["n": nil], ["n": "2"], "n=1", 0), (["n": nil], ["n": "2"], "n=2", 1),
        // An item without a value names an operation.
        (["uploads": ""], ["uploadId": "u"], "uploads", 0), (["uploads": ""], ["uploadId": "u"], "uploads=", 0),
        (["uploads": ""], ["uploadId": "u"], "uploadId=u&partNumber=1", 1), (["acl": ""], ["tag": ""], "tag", 1),
        (["acl": "", "id": 1], ["tag": "", "id": 1], "id=1&acl", 0),
        // As in a form, a plus sign is a space.
        (["q": "a+b"], ["q": "a b"], "q=a+b", 1), (["q": "a+b"], ["q": "a b"], "q=a%20b", 1),
        (["q": "a+b"], ["q": "a b"], "q=a%2Bb", 0), (["a b": "1"], ["a b": "2"], "a+b=2", 1),
    ]

    @Test(arguments: queries)
    func `query items are compared`(
        _ first: Teapot.QueryItems,
        _ second: Teapot.QueryItems,
        query: String,
        winner: Int?
    ) throws {
        try declare([EndPoint("a", query: first), EndPoint("a", query: second)])
        let result = try answer { mock.get("a?\(query)", completion: $0) }
        #expect(result.response.status == winner.map { 210 + $0 } ?? 404)
    }

    // MARK: - Ties

    static let tied: [(EndPoint, EndPoint)] = [
        (EndPoint("users"), EndPoint("users")),
        (EndPoint("users/:id"), EndPoint("users/:name")),
        (EndPoint("users/:id"), EndPoint(":kind/2")),
        (EndPoint(""), EndPoint("/")),
        (EndPoint("a", .get), EndPoint("a", .get)),
        (EndPoint("a", query: ["b": "1"]), EndPoint("a", query: ["b": "1"])),
        (EndPoint("a", query: ["b": "1"]), EndPoint("a", query: ["c": "1"])),
        (EndPoint("a", query: ["b": 1, "b": 2]), EndPoint("a", query: ["c": 1, "b": 1])),
        (EndPoint("a", query: [URLQueryItem(name: "b", value: nil)]), EndPoint("a", query: ["b": ""])),
        (EndPoint("a", query: ["b": "", "c": 1]), EndPoint("a", query: ["b": "", "d": 1])),
        (EndPoint("a", headerFields: ["X-A": "1"]), EndPoint("a", headerFields: ["x-a": "1"])),
        (EndPoint("a", headerFields: ["X-A": "1"]), EndPoint("a", headerFields: ["X-B": "1"])),
        (EndPoint("a", body: #"{"a":1,"b":2}"#), EndPoint("a", body: #"{ "b": 2, "a": 1.0 }"#)),
    ]

    @Test(arguments: brief(tied))
    func `equally specific overrides are refused`(row: Brief<(EndPoint, EndPoint)>) throws {
        let (first, second) = row.value
        for (first, second) in [(first, second), (second, first)] {
            let mock = OverrideTests()
            try mock.declare([first])
            let error = #expect(throws: MockTeapotError.self) { try mock.declare([second]) }
            #expect(error?.description.hasSuffix(", and neither is more specific.") == true)
        }
    }

    static let untied: [(EndPoint, EndPoint)] = [
        (EndPoint("users/:id"), EndPoint("notes/:id")),
        (EndPoint("a/:b"), EndPoint(":a/:b")),
        (EndPoint("a"), EndPoint("a/a")),
        (EndPoint("a", .get), EndPoint("a", .post)),
        (EndPoint("a", .get), EndPoint("a")),
        (EndPoint("a", query: ["b": "1"]), EndPoint("a", query: ["b": "2"])),
        (EndPoint("a", query: ["b": 1, "b": 2]), EndPoint("a", query: ["b": 1, "b": 3])),
        (EndPoint("k", .post, query: ["uploads": ""]), EndPoint("k", .post, query: ["uploadId": "u"])),
        (EndPoint("k", query: ["acl": ""]), EndPoint("k", query: ["tagging": ""])),
        (EndPoint("k", query: ["acl": ""]), EndPoint("k", query: ["acl": "", "versionId": "1"])),
        (EndPoint("k", query: ["acl": "", "id": 1]), EndPoint("k", query: ["id": 1, "tagging": ""])),
        (EndPoint("a", headerFields: ["X-A": "1"]), EndPoint("a", headerFields: ["x-a": "2"])),
        (EndPoint("a", body: "1"), EndPoint("a", body: "2")),
        (EndPoint("a", query: ["b": "1"]), EndPoint("a", headerFields: ["b": "1"])),
    ]

    @Test(arguments: brief(untied))
    func `overrides of different specificity are accepted`(row: Brief<(EndPoint, EndPoint)>) throws {
        let (first, second) = row.value
        try declare([first, second])
        try OverrideTests().declare([second, first])
    }

    @Test func `the error names both overrides and their lines`() throws {
        func declare(_ path: String, line: Int) throws(MockTeapotError) {
            try mock.overrideEndPoint(
                path,
                method: .get,
                with: .status(200),
                fileID: "A/B.swift",
                line: line,
                column: 5
            )
        }
        try declare("users/:id", line: 3)
        let error = #expect(throws: MockTeapotError.self) { try declare(":kind/2", line: 4) }
        #expect(
            error?.description == """
                Invalid override: GET :kind/2 (A/B.swift:4:5) and GET users/:id (A/B.swift:3:5) match some of the \
                same requests, and neither is more specific.
                """
        )
    }

    @Test func `a filename replaces an equal override`() throws {
        try mock.overrideEndPoint("get", with: .status(500))
        mock.overrideEndPoint("get", withFilename: "mock-object")
        #expect(try answer { mock.get("get", completion: $0) }.isSuccess)
        #expect(mock.findings.isEmpty)
    }

    // MARK: - What cannot be declared

    private static let query = "has a query or a fragment; pass query items as the argument query:"
    static let invalid: [(reason: String, declare: @Sendable (MockTeapot) throws -> Void)] = [
        ("the endpoint notes?page=2 \(query)", { try $0.overrideEndPoint("notes?page=2", with: .status(200)) }),
        ("the endpoint notes#2 \(query)", { try $0.overrideEndPoint("notes#2", with: .status(200)) }),
        (
            "the sequence for PUT notes has no responses",
            { try $0.overrideEndPoint("notes", method: .put, withSequence: []) }
        ),
        (
            "the body of notes cannot be encoded as JSON: $.a is a Date, which JSON cannot hold",
            { try $0.overrideEndPoint("notes", body: .dictionary(["a": Date()]), with: .status(200)) }
        ),
        (
            "the 3 bytes are not an image of a known format",
            { try $0.overrideEndPoint("notes", with: .image(Data("tea".utf8))) }
        ),
    ]

    @Test(arguments: brief(invalid.indices) { invalid[$0].reason })
    func `says what is wrong`(row: Brief<Int>) throws {
        let (reason, declare) = Self.invalid[row.value]
        let error = #expect(throws: MockTeapotError.self) { try declare(mock) }
        #expect(error == .invalidOverride(reason))
        #expect(error?.description == "Invalid override: \(reason).")
        #expect(error?.localizedDescription == error?.description)
        // Nothing was declared.
        #expect(try answer { mock.get("notes", completion: $0) }.response.status == 404)
        #expect(mock.findings.isEmpty)
    }

    @Test func `invalid JSON is refused`() throws {
        let declarations: [() throws -> Void] = [
            { try mock.overrideEndPoint("a", with: .json(["a": Double.nan])) },
            { try mock.overrideEndPoint("a", with: .json(.array([["a": Date()]]))) },
            { try mock.overrideEndPoint("a", with: .encoding(["a": Double.nan])) },
        ]
        for declare in declarations {
            #expect(#expect(throws: TeapotError.self) { try declare() }?.type == .invalidPayload)
        }
    }

    // MARK: - Sequences and closures

    @Test func `a sequence is answered in order, and its last one repeats`() throws {
        try mock.overrideEndPoint("a", withSequence: [.status(503), .failure(.timedOut), .file("mock-object")])
        let results = try (0..<5).map { _ in try answer { mock.get("a", completion: $0) } }
        #expect(results.map(\.response.status) == [503, 400, 200, 200, 200])
        #expect(results[1].error?.type == .noResponse)
        #expect(results[1].error?.code == .timedOut)
    }

    @Test func `an error of a closure fails the call`() throws {
        struct Mistake: Error {}
        try mock.overrideEndPoint("own") { _ in throw TeapotError(type: .fileError, description: "no tea") }
        try mock.overrideEndPoint("other") { _ in throw Mistake() }
        let own = try answer { mock.get("own", completion: $0) }
        #expect(own.error == TeapotError(type: .fileError, description: "no tea"))
        let other = try answer { mock.get("other", completion: $0) }
        #expect(other.error?.type == .noResponse)
        #expect(other.error?.underlyingError is Mistake)
    }

    @Test func `a closure may use its mock`() throws {
        try mock.overrideEndPoint("count") { [unowned mock] _ in try .encoding(["n": mock.requests.count]) }
        #expect(try answer { mock.get("count", completion: $0) }.dictionary["n"] as? Int == 1)
        #expect(try answer { mock.get("count", completion: $0) }.dictionary["n"] as? Int == 2)
    }
}
