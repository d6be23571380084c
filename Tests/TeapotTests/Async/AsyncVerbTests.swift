import Foundation
import Teapot
import TestSupport
import TestTraits
import Testing

/// What the verbs pass on. The contract suite has their results.
@Suite(.inTurn)
struct AsyncVerbTests {
    typealias Brew = CodingTests.Brew

    struct Verb: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let call: @Sendable (Teapot) async throws -> Brew

        var method: String { String(testDescription.prefix { $0 != " " }) }
        var hasBody: Bool { !["GET", "HEAD", "OPTIONS"].contains(method) }
        var decodes: Bool { testDescription.hasSuffix("as") }

        init(_ testDescription: String, _ call: @escaping @Sendable (Teapot) async throws -> Brew) {
            (self.testDescription, self.call) = (testDescription, call)
        }
    }

    private static let (path, fields) = ("a?x=1", ["X-Tea": "green"])
    private static let query: QueryItems = ["b c": "d&e"]
    private static var encoder: JSONEncoder { CodingTests.snakeEncoder }
    private static var decoder: JSONDecoder { CodingTests.snakeDecoder }

    static let verbs = [
        Verb("GET") {
            try await $0.get(path, query: query, headerFields: fields, timeoutInterval: 7, allowsCellular: false)
                .decode(using: decoder)
        },
        Verb("GET as") {
            try await $0.get(
                path,
                as: Brew.self,
                decoder: decoder,
                query: query,
                headerFields: fields,
                timeoutInterval: 7,
                allowsCellular: false
            )
        },
        Verb("HEAD") {
            try await $0.head(path, query: query, headerFields: fields, timeoutInterval: 7, allowsCellular: false)
                .decode(using: decoder)
        },
        Verb("OPTIONS") {
            try await $0.options(path, query: query, headerFields: fields, timeoutInterval: 7, allowsCellular: false)
                .decode(using: decoder)
        },
    ]

    static let bodyVerbs = [
        Verb("POST") {
            try await $0.post(
                path,
                body: Brew(),
                encoder: encoder,
                query: query,
                headerFields: fields,
                timeoutInterval: 7,
                allowsCellular: false,
                isIdempotent: true
            ).decode(using: decoder)
        },
        Verb("POST as") {
            try await $0.post(
                path,
                body: Brew(),
                as: Brew.self,
                encoder: encoder,
                decoder: decoder,
                query: query,
                headerFields: fields,
                timeoutInterval: 7,
                allowsCellular: false,
                isIdempotent: true
            )
        },
        Verb("PUT") {
            try await $0.put(
                path,
                body: Brew(),
                encoder: encoder,
                query: query,
                headerFields: fields,
                timeoutInterval: 7,
                allowsCellular: false,
                isIdempotent: true
            ).decode(using: decoder)
        },
        Verb("PUT as") {
            try await $0.put(
                path,
                body: Brew(),
                as: Brew.self,
                encoder: encoder,
                decoder: decoder,
                query: query,
                headerFields: fields,
                timeoutInterval: 7,
                allowsCellular: false,
                isIdempotent: true
            )
        },
        Verb("PATCH") {
            try await $0.patch(
                path,
                body: Brew(),
                encoder: encoder,
                query: query,
                headerFields: fields,
                timeoutInterval: 7,
                allowsCellular: false,
                isIdempotent: true
            ).decode(using: decoder)
        },
        Verb("PATCH as") {
            try await $0.patch(
                path,
                body: Brew(),
                as: Brew.self,
                encoder: encoder,
                decoder: decoder,
                query: query,
                headerFields: fields,
                timeoutInterval: 7,
                allowsCellular: false,
                isIdempotent: true
            )
        },
        Verb("DELETE") {
            try await $0.delete(
                path,
                body: Brew(),
                encoder: encoder,
                query: query,
                headerFields: fields,
                timeoutInterval: 7,
                allowsCellular: false,
                isIdempotent: true
            ).decode(using: decoder)
        },
        Verb("DELETE as") {
            try await $0.delete(
                path,
                body: Brew(),
                as: Brew.self,
                encoder: encoder,
                decoder: decoder,
                query: query,
                headerFields: fields,
                timeoutInterval: 7,
                allowsCellular: false,
                isIdempotent: true
            )
        },
    ]

    @Test(arguments: verbs + bodyVerbs)
    func `all arguments are passed on`(verb: Verb) async throws {
        let statuses = Locked([200, 503])
        let transport = ManualTransport { hop in
            hop.answer(statuses.withLock { $0.popLast() } ?? 500, body: CodingTests.snakeText)
        }
        let teapot = Teapot(
            baseURL: try #require(URL(string: "http://api.example")),
            transport: transport,
            clock: StoppedClock()
        )
        teapot.retryPolicy = RetryPolicy(baseDelay: .zero)
        #expect(try await verb.call(teapot) == Brew())
        // Only what may be sent twice is.
        #expect(transport.hops.count == 2)
        let request = try #require(transport.hops.last?.request)
        #expect(request.httpMethod == verb.method)
        #expect(request.url?.absoluteString == "http://api.example/a?x=1&b%20c=d%26e")
        #expect(request.value(forHTTPHeaderField: "X-Tea") == "green")
        #expect(request.value(forHTTPHeaderField: "Accept") == (verb.decodes ? "application/json" : nil))
        #expect(request.timeoutInterval == 7)
        #expect(!request.allowsCellularAccess)
        #expect(request.httpBody == (verb.hasBody ? Data(CodingTests.snakeText.utf8) : nil))
    }

    /// Of a verb that sends what is given to it, however it is given.
    static let bodies: [(body: any Encodable & Sendable, type: String, bytes: [UInt8])] = [
        (["b": 1, "a": 2], "application/json", Array(#"{"a":2,"b":1}"#.utf8)),
        (Data([0, 0xFF, 0x0D]), "application/octet-stream", [0, 0xFF, 0x0D]),
        (Data(#"{ "b" : 1 }"#.utf8), "application/json", Array(#"{ "b" : 1 }"#.utf8)),
        (Teapot.Request.Body(Data("tea".utf8), contentType: "text/plain"), "text/plain", Array("tea".utf8)),
    ]

    @Test(arguments: bodies.indices)
    func `a value is sent as JSON, anything else as it is`(index: Int) async throws {
        let transport = ManualTransport { $0.answer(200) }
        let teapot = Teapot(baseURL: try #require(URL(string: "http://api.example")), transport: transport)
        let (body, type, bytes) = Self.bodies[index]
        try await teapot.patch("a", body: body)
        let request = try #require(transport.hops.first?.request)
        #expect(request.value(forHTTPHeaderField: "Content-Type") == type)
        #expect(request.httpBody == Data(bytes))
    }
}
