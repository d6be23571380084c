import Foundation
import Teapot
import TestSupport
import TestTraits
import Testing

/// The requests that the verbs make. The contract suite has their results.
@Suite(.inTurn)
struct AsyncVerbTests {
    typealias Brew = CodingTests.Brew
    typealias Body = any Encodable & Sendable
    typealias Fields = [String: String]
    typealias Read = (Teapot.Path, Teapot.QueryItems, Fields) async throws(TeapotError) -> Teapot.Response
    typealias Decode = (Teapot.Path, Brew.Type, Teapot.QueryItems, Fields) async throws(TeapotError) -> Brew
    typealias Write = (Teapot.Path, Body?, Teapot.QueryItems, Fields) async throws(TeapotError) -> Teapot.Response
    typealias WriteAndDecode = (Teapot.Path, Body?, Brew.Type, Teapot.QueryItems, Fields) async throws(TeapotError) ->
        Brew

    /// A verb, called with all of its arguments.
    struct Verb: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let call: @Sendable (Teapot) async throws -> Brew

        var method: String { String(testDescription.prefix { $0 != " " }) }
        var hasBody: Bool { !["GET", "HEAD", "OPTIONS"].contains(method) }
        var decodes: Bool { testDescription.hasSuffix("as") }

        init(_ testDescription: String, _ verb: @escaping @Sendable (Teapot) -> Read) {
            self.testDescription = testDescription
            call = { try await verb($0)(path, query, fields).decode() }
        }

        init(_ testDescription: String, _ verb: @escaping @Sendable (Teapot) -> Decode) {
            self.testDescription = testDescription
            call = { try await verb($0)(path, Brew.self, query, fields) }
        }

        init(_ testDescription: String, _ verb: @escaping @Sendable (Teapot) -> Write) {
            self.testDescription = testDescription
            call = { try await verb($0)(path, Brew(), query, fields).decode() }
        }

        init(_ testDescription: String, _ verb: @escaping @Sendable (Teapot) -> WriteAndDecode) {
            self.testDescription = testDescription
            call = { try await verb($0)(path, Brew(), Brew.self, query, fields) }
        }
    }

    private static let path: Teapot.Path = "a?x=1"
    private static let fields = ["X-Tea": "green"]
    private static let query: Teapot.QueryItems = ["b c": "d&e"]

    static let verbs: [Verb] = [
        Verb("GET", { $0.get } as @Sendable (Teapot) -> Read), Verb("HEAD", { $0.head } as @Sendable (Teapot) -> Read),
        Verb("OPTIONS", { $0.options } as @Sendable (Teapot) -> Read),
        Verb("GET as", { $0.get } as @Sendable (Teapot) -> Decode),
        Verb("POST", { $0.post } as @Sendable (Teapot) -> Write),
        Verb("PUT", { $0.put } as @Sendable (Teapot) -> Write),
        Verb("PATCH", { $0.patch } as @Sendable (Teapot) -> Write),
        Verb("DELETE", { $0.delete } as @Sendable (Teapot) -> Write),
        Verb("POST as", { $0.post } as @Sendable (Teapot) -> WriteAndDecode),
        Verb("PUT as", { $0.put } as @Sendable (Teapot) -> WriteAndDecode),
        Verb("PATCH as", { $0.patch } as @Sendable (Teapot) -> WriteAndDecode),
        Verb("DELETE as", { $0.delete } as @Sendable (Teapot) -> WriteAndDecode),
    ]

    @Test(arguments: verbs)
    func `all arguments are passed on`(verb: Verb) async throws {
        let transport = ManualTransport { $0.answer(200, body: CodingTests.snakeText) }
        let teapot = Teapot(
            baseURL: try #require(URL(string: "http://api.example")),
            transport: transport,
            clock: StoppedClock()
        )
        (teapot.encoder, teapot.decoder) = (CodingTests.snakeEncoder, CodingTests.snakeDecoder)
        #expect(try await verb.call(teapot) == Brew())
        let request = try #require(transport.hops.last?.request)
        #expect(request.httpMethod == verb.method)
        #expect(request.url?.absoluteString == "http://api.example/a?x=1&b%20c=d%26e")
        #expect(request.value(forHTTPHeaderField: "X-Tea") == "green")
        #expect(request.value(forHTTPHeaderField: "Accept") == (verb.decodes ? "application/json" : nil))
        #expect(request.httpBody == (verb.hasBody ? Data(CodingTests.snakeText.utf8) : nil))
    }

    /// Each option of a request, which no verb takes.
    @Test func `all options of a request count`() async throws {
        let statuses = Locked([200, 503])
        let transport = ManualTransport { hop in
            hop.answer(statuses.withLock { $0.popLast() } ?? 500, body: CodingTests.snakeText)
        }
        let teapot = Teapot(
            baseURL: try #require(URL(string: "http://api.example")),
            transport: transport,
            clock: StoppedClock()
        )
        var request = Teapot.Request(.post, path: Self.path, body: .json(Brew()))
        request.retryPolicy = RetryPolicy(baseDelay: .zero)
        request.isIdempotent = true
        request.timeoutInterval = 7
        request.allowsCellular = false
        request.encoder = CodingTests.snakeEncoder
        request.decoder = CodingTests.snakeDecoder
        request.baseURL = URL(string: "http://other.example/b")
        #expect(try await teapot.send(request, as: Brew.self) == Brew())
        #expect(transport.hops.count == 2)
        let sent = try #require(transport.hops.last?.request)
        #expect(sent.timeoutInterval == 7)
        #expect(!sent.allowsCellularAccess)
        #expect(sent.httpBody == Data(CodingTests.snakeText.utf8))
        #expect(sent.url?.absoluteString == "http://other.example/b/a?x=1")
        #expect(try teapot.url(for: request) == sent.url)
        #expect(sent.value(forHTTPHeaderField: "Accept") == "application/json")
    }
}
