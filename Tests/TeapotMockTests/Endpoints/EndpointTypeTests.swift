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
        var request: Teapot.Request { "teas/\(id)" }
    }

    struct GetCup: Endpoint {
        typealias Response = Tea
        let request: Teapot.Request = "teas/1"
    }

    struct Page<Item: Decodable & Sendable>: Endpoint {
        typealias Response = [Item]
        let request: Teapot.Request = "page"
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

    private func failure(_ endpoint: some Endpoint<Tea>) async throws -> TeapotError {
        try #require(await thrown { () throws(TeapotError) in try await mock.send(endpoint) })
    }

    // MARK: - Which answers

    @Test func `in every shape`() async throws {
        try mock.overrideEndPoint(GetTea.self, with: .encoding(Tea()))
        let api: any RequestPerforming = mock
        #expect(try await api.send(GetTea()) == Tea())
        #expect(try await mock.send(GetTea()) == Tea())
        #expect(try await mock.send(Teapot.Request(GetTea()), as: Tea.self) == Tea())
        let answers = Locked<[Tea?]>([])
        mock.send(GetTea()) { result in answers.withLock { $0.append(try? result.get()) } }
        #expect(answers.withLock { $0 } == [Tea()])
        let blocking = await onThread { try? mock.sendAndWait(GetTea()) }
        #expect(blocking == Tea())
        #expect(mock.requests.count == 5)
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
        #expect(try await failure(GetCup()).type == .incorrectHeaders)
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

    @Test func `another type, or no endpoint`() async throws {
        try place(GetTea.self, [.status(.ok)], line: 1)
        let error = try await failure(GetCup())
        #expect(error.failureReason == "the endpoint is GetCup, not GetTea")
        #expect(error.description.contains("Nearest: GetTea (Tests/Tea.swift:1:9)"))
        let request = await thrown { () throws(TeapotError) in try await mock.get("teas/1") }
        #expect(request?.failureReason == "the request was not made from an endpoint GetTea")
        // A path is nearer.
        try mock.overrideEndPoint("teas/1", method: .post, headerFields: ["X-A": "1"], with: .status(.ok))
        let other = await thrown { () throws(TeapotError) in try await mock.get("teas/1") }
        #expect(other?.failureReason == "the method is GET, not POST; the header field X-A is missing")
    }

    @Test func `unused and too often`() async throws {
        try place(GetTea.self, [.encoding(Tea())], line: 1)
        try place(GetCup.self, [.encoding(Tea())], line: 2)
        _ = try await mock.send(GetTea())
        #expect(try await failure(GetTea()).failureReason == "it has 1 response, and this is request 2")
        let places = ["GetTea (Tests/Tea.swift:1:9)", "GetCup (Tests/Tea.swift:2:9)"]
        let texts = mock.findings.map(\.description)
        #expect(texts == ["\(places[0]) has 1 response, and got 2 requests", "\(places[1]) was never used"])
    }
}
