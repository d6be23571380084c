import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// A mock that answers endpoints by their type.
@Suite(.inTurn)
struct EndpointTypeTests {
    struct Tea: Codable, Sendable, Equatable {
        var name = "Earl"
    }

    struct GetTea: Endpoint {
        typealias Response = Tea
        var id = 1
        var path: String { "teas/\(id)" }
    }

    struct GetCup: Endpoint {
        typealias Response = Tea
        let path = "teas/1"
    }

    struct Page<Item: Decodable & Sendable>: Endpoint {
        typealias Response = [Item]
        let path = "page"
    }

    enum TeaAPI: Endpoint {
        case tea(String)
        case drop

        var path: String {
            switch self {
            case .tea(let name): "teas/\(name)"
            case .drop: "drop"
            }
        }
    }

    /// Changes what it sends by another.
    struct Wrapper: RequestPerforming {
        let inner: any RequestPerforming

        func send(_ request: Teapot.Request) async throws(TeapotError) -> Teapot.Response {
            var request = request
            request.path += "?wrapped=1"
            return try await inner.send(request)
        }
    }

    private let mock = MockTeapot(strictIn: .module)

    private func place<E: Endpoint>(_ type: E.Type, _ responses: [MockResponse], line: Int) throws {
        try mock.overrideEndPoint(
            type,
            withSequence: responses,
            afterLast: .fails,
            fileID: "Tests/Tea.swift",
            line: line,
            column: 9
        )
    }

    private func failure<Value>(_ call: () async throws(TeapotError) -> Value) async throws -> TeapotError {
        try #require(await thrown(by: call))
    }

    // MARK: - Which answers

    @Test func `in every shape`() async throws {
        try mock.overrideEndPoint(GetTea.self, with: .encoding(Tea()))
        let api: any RequestPerforming = mock
        #expect(try await api.send(GetTea()) == Tea())
        #expect(try await api.send(GetTea(), as: Tea.self) == Tea())
        #expect(try await mock.send(GetTea(), as: Tea.self) == Tea())
        #expect(try await mock.send(Teapot.Request(GetTea())).decode(Tea.self) == Tea())
        #expect(try await Wrapper(inner: mock).send(GetTea()) == Tea())
        let answers = Locked<[Tea?]>([])
        mock.send(GetTea()) { result in answers.withLock { $0.append(try? result.get()) } }
        mock.send(GetTea(), as: Tea.self) { result in answers.withLock { $0.append(try? result.get()) } }
        #expect(try blocking() == [Tea(), Tea()])
        #expect(answers.withLock { $0 } == [Tea(), Tea()])
        #expect(mock.requests.count == 9)
    }

    private func blocking() throws -> [Tea] {
        [try mock.sendAndWait(GetTea()), try mock.sendAndWait(GetTea(), as: Tea.self)]
    }

    @Test func `a type goes before any path, and paths still answer`() async throws {
        try mock.overrideEndPoint("teas/1", method: .get, query: [:], with: .encoding(Tea(name: "path")))
        try mock.overrideEndPoint("v1/teas/:id", with: .encoding(Tea(name: "long path")))
        try mock.overrideEndPoint(GetTea.self, with: .encoding(Tea(name: "type")))
        #expect(try await mock.send(GetTea()).name == "type")
        #expect(try await mock.send(GetCup()).name == "path")
        #expect(try await mock.get("teas/1", as: Tea.self).name == "path")
    }

    @Test func `types are distinguished, generic ones too`() async throws {
        try mock.overrideEndPoint(Page<Int>.self, with: .json(.data(Data("[1]".utf8))))
        try mock.overrideEndPoint(Page<String>.self, with: .json(.data(Data(#"["a"]"#.utf8))))
        #expect(try await mock.send(Page<Int>()) == [1])
        #expect(try await mock.send(Page<String>()) == ["a"])
    }

    @Test func `expected header fields do not apply to it`() async throws {
        mock.isStrict = false
        mock.setExpectedHeaders(["X-Client": "tea"])
        try mock.overrideEndPoint(GetTea.self, with: .encoding(Tea()))
        #expect(try await mock.send(GetTea()) == Tea())
        let error = try await failure { () throws(TeapotError) in try await mock.send(GetCup()) }
        #expect(error.type == .incorrectHeaders)
    }

    @Test func `a redirect does not match the type`() async throws {
        try mock.overrideEndPoint(GetTea.self, with: .status(302, headerFields: ["Location": "/teas/1"]))
        try mock.overrideEndPoint("teas/:id", with: .encoding(Tea(name: "redirected")))
        #expect(try await mock.send(GetTea()).name == "redirected")
        #expect(mock.requests.count == 2)
        try mock.verify()
    }

    @Test func `each attempt matches the type, also after a redirect`() async throws {
        let mock = MockTeapot(strictIn: .module, clock: ImmediateClock())
        mock.retryPolicy = RetryPolicy(maximumAttempts: 4)
        try mock.overrideEndPoint(
            GetTea.self,
            withSequence: [
                .status(.serviceUnavailable), .status(302, headerFields: ["Location": "/other"]),
                .failure(.networkConnectionLost), .encoding(Tea()),
            ],
            afterLast: .fails
        )
        try mock.overrideEndPoint("other", with: .status(.serviceUnavailable))
        #expect(try await mock.send(GetTea()) == Tea())
        #expect(mock.requests.count == 5)
        try mock.verify()
    }

    // MARK: - What cannot be declared

    @Test func `the same type twice is a tie`() throws {
        try place(GetTea.self, [.status(.ok)], line: 1)
        let error = #expect(throws: MockTeapotError.self) { try place(GetTea.self, [.status(.ok)], line: 2) }
        #expect(
            error?.description.contains("GetTea (Tests/Tea.swift:2:9) and GetTea (Tests/Tea.swift:1:9)") == true
        )
        try place(GetCup.self, [.status(.ok)], line: 3)
    }

    // MARK: - Being strict

    @Test func `another type`() async throws {
        try place(GetTea.self, [.status(.ok)], line: 1)
        let error = try await failure { () throws(TeapotError) in try await mock.send(GetCup()) }
        #expect(
            error.description == """
                MockTeapot has no answer for this request:
                    GET https://mock.base.url.com/teas/1
                Declared:
                    GetTea (Tests/Tea.swift:1:9)
                Nearest: GetTea (Tests/Tea.swift:1:9)
                    the endpoint is GetCup, not GetTea
                """
        )
    }

    @Test func `no endpoint, and a nearer path`() async throws {
        try place(GetTea.self, [.status(.ok)], line: 1)
        let error = try await failure { () throws(TeapotError) in try await mock.get("teas/1") }
        #expect(error.failureReason == "the request was not made from an endpoint GetTea")
        try mock.overrideEndPoint("teas/1", method: .post, headerFields: ["X-A": "1"], with: .status(.ok))
        let other = try await failure { () throws(TeapotError) in try await mock.get("teas/1") }
        #expect(other.failureReason == "the method is GET, not POST; the header field X-A is missing")
    }

    @Test func `unused and too often`() async throws {
        try place(GetTea.self, [.encoding(Tea())], line: 1)
        try place(GetCup.self, [.encoding(Tea())], line: 2)
        _ = try await mock.send(GetTea())
        let error = try await failure { () throws(TeapotError) in try await mock.send(GetTea()) }
        #expect(error.type == .unexpectedRequest)
        #expect(error.failureReason == "it has 1 response, and this is request 2")
        let found = #expect(throws: MockTeapotError.self) { try mock.verify() }
        #expect(
            found?.description == """
                MockTeapot was not used as it was declared:
                    GetTea (Tests/Tea.swift:1:9) has 1 response, and got 2 requests
                    GetCup (Tests/Tea.swift:2:9) was never used
                """
        )
    }
}
