import LoopbackServer
@testable import Teapot
import TestSupport
import TestTraits
import Testing

/// The errors of the async verbs.
@Suite(.inTurn)
struct AsyncErrorTests {
    struct APIError: Codable, Sendable, Equatable {
        var errorCode = 17
        var reason = "out of tea"
    }

    struct Team: Decodable, Sendable {
        struct Member: Decodable, Sendable {
            struct Address: Decodable, Sendable {
                let zip: Int
            }
            let address: Address
        }
        let members: [Member]
    }

    static let baseURL = URL(string: "http://api.example/v1")

    private func teapot(_ status: Int, _ body: String) throws -> (teapot: Teapot, transport: ManualTransport) {
        let transport = ManualTransport { $0.answer(status, headers: ["X-Tea": "green"], body: body) }
        return (Teapot(baseURL: try #require(Self.baseURL), transport: transport), transport)
    }

    // MARK: - Decoding

    @Test func `a decoding failure three levels deep names its path, and keeps response and body`() async throws {
        let body = #"{"members":[{"address":{"zip":1}},{"address":{"zip":"one"}}]}"#
        let (teapot, _) = try teapot(201, body)
        let error = try #require(
            await #expect(throws: TeapotError.self) { try await teapot.get("team", as: Team.self) }
        )
        #expect(error.type == .decodingFailed)
        #expect(error.failureReason?.hasPrefix("$.members[1].address.zip: ") == true)
        #expect(error.failureReason?.contains("Int") == true)
        #expect(error.description.contains("$.members[1].address.zip"))
        #expect(error.underlyingError is DecodingError)
        #expect(error.responseStatus == 201)
        #expect(error.response?.status == 201)
        #expect(error.response.map { HeaderFields($0)["x-tea"] } == "green")
        #expect(error.data == Data(body.utf8))
        #expect(error.json?.dictionary?["members"] is [Any])
    }

    @Test func `a decoding failure of a given response names its path, too`() async throws {
        let (teapot, _) = try teapot(200, #"{"members":[{"address":{}}]}"#)
        let response = try await teapot.get("team")
        let error = #expect(throws: TeapotError.self) { try response.decode(Team.self) }
        #expect(error?.failureReason == "$.members[0].address: the key zip is missing")
        #expect(error?.data == response.data)
        #expect(error?.response === response.http)
    }

    @Test func `a missing body is reported as such`() async throws {
        let server = try LoopbackServer()
        let teapot = Teapot(baseURL: server.baseURL, clock: StoppedClock())
        let error = await #expect(throws: TeapotError.self) { try await teapot.get("status/204", as: Team.self) }
        #expect(error?.type == .decodingFailed)
        #expect(error?.failureReason == "the body is empty")
        #expect(error?.responseStatus == 204)
        #expect(error?.data == Data())
    }

    // MARK: - Error bodies

    @Test func `it decodes by the Teapot's decoder, or by one of its own`() async throws {
        let text = #"{"error_code":17,"reason":"out of tea"}"#
        let (teapot, _) = try teapot(500, text)
        let strict = try #require(await #expect(throws: TeapotError.self) { try await teapot.get("team") })
        let failure = #expect(throws: TeapotError.self) { try strict.decode(APIError.self) }
        #expect(failure?.type == .decodingFailed)
        #expect(failure?.failureReason == "$: the key errorCode is missing")
        #expect(failure?.responseStatus == 500)
        #expect(failure?.data == Data(text.utf8))
        #expect(try strict.decode(APIError.self, using: CodingTests.snakeDecoder) == APIError())

        teapot.decoder = CodingTests.snakeDecoder
        let error = try #require(await #expect(throws: TeapotError.self) { try await teapot.post("team") })
        #expect(try error.decode() == APIError())
        let closure = await outcome(of: Teapot.Request(path: "team"), from: teapot)
        guard case .failure(let error) = closure else {
            Issue.record("a status of 500 is no success")
            return
        }
        #expect(try error.decode() == APIError())
    }

    @Test func `the body of a failed decoding decodes as something else`() async throws {
        let (teapot, _) = try teapot(200, #"{"error_code":17,"reason":"out of tea"}"#)
        teapot.decoder = CodingTests.snakeDecoder
        let error = try #require(
            await #expect(throws: TeapotError.self) { try await teapot.get("team", as: Team.self) }
        )
        #expect(error.type == .decodingFailed)
        #expect(try error.decode(APIError.self) == APIError())
    }

    @Test func `decoding without a body fails`() throws {
        for error in [TeapotError.cancelled(), TeapotError(type: .noResponse, description: "x")] {
            let failure = #expect(throws: TeapotError.self) { try error.decode(APIError.self) }
            #expect(failure?.type == .decodingFailed)
            #expect(failure?.failureReason == "the body is empty")
            #expect(failure?.response == nil)
        }
    }

    // MARK: - Before sending

    struct Order: Encodable, Sendable {
        struct Line: Encodable, Sendable {
            var price = Double.nan
        }
        var lines = [Line()]
    }

    struct Unwilling: Encodable, Sendable {
        struct Refusal: Error {}
        func encode(to encoder: any Encoder) throws { throw Refusal() }
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let type: TeapotError.ErrorType
        let reason: String
        let call: @Sendable (Teapot) async throws -> Void
    }

    static let refused: [Refused] = [
        Refused(testDescription: "post NaN", type: .invalidPayload, reason: "$.lines[0].price: ") {
            try await $0.post("a", body: Order())
        },
        Refused(testDescription: "post NaN as", type: .invalidPayload, reason: "$.lines[0].price: ") {
            _ = try await $0.post("a", body: Order(), as: Team.self)
        },
        Refused(testDescription: "put NaN", type: .invalidPayload, reason: "$.lines[0].price: ") {
            try await $0.put("a", body: Order())
        },
        Refused(testDescription: "patch infinity", type: .invalidPayload, reason: "$.b[1]: ") {
            try await $0.patch("a", body: ["b": [1, Double.infinity]])
        },
        Refused(testDescription: "delete NaN", type: .invalidPayload, reason: "$.lines[0].price: ") {
            try await $0.delete("a", body: Order())
        },
        Refused(testDescription: "a value that throws", type: .invalidPayload, reason: "Refusal") {
            try await $0.post("a", body: Unwilling())
        },
        Refused(testDescription: "get //", type: .invalidRequestPath, reason: "//") { try await $0.get("//h/a") },
        Refused(testDescription: "get as ..", type: .invalidRequestPath, reason: "climb") {
            _ = try await $0.get("../a", as: Team.self)
        },
        Refused(testDescription: "head %", type: .invalidRequestPath, reason: "%") { try await $0.head("a%") },
        Refused(testDescription: "post elsewhere", type: .invalidRequestPath, reason: "origin") {
            try await $0.post("http://evil.example/", body: ["a"])
        },
        Refused(testDescription: "a header field", type: .invalidHeaderField, reason: "\"X\" is not a token") {
            try await $0.get("a", headerFields: ["X A": "1"])
        },
        Refused(testDescription: "a header field's value", type: .invalidHeaderField, reason: "X-A") {
            try await $0.post("a", body: ["a"], headerFields: ["X-A": "hunter2\r\nX-B: 1"])
        },
        Refused(testDescription: "Content-Length", type: .invalidHeaderField, reason: "Content-Length") {
            try await $0.put("a", body: ["a"], headerFields: ["Content-Length": "1"])
        },
        Refused(testDescription: "get with a body", type: .invalidPayload, reason: "GET") {
            try await $0.send(Teapot.Request(path: "a", body: Teapot.Request.Body(Data("a".utf8))))
        },
        Refused(testDescription: "head with a body", type: .invalidPayload, reason: "HEAD") {
            try await $0.send(Teapot.Request(.head, path: "a", body: Teapot.Request.Body(Data("a".utf8))))
        },
        Refused(testDescription: "a file that is not there", type: .fileError, reason: "/there/is/none") {
            try await $0.post("a", body: Teapot.Request.Body(file: URL(filePath: "/there/is/none")))
        },
        Refused(testDescription: "a directory", type: .fileError, reason: "not a regular file") {
            try await $0.put("a", body: Teapot.Request.Body(file: FileManager.default.temporaryDirectory))
        },
    ]

    @Test(arguments: refused)
    func `is refused, and nothing is sent`(refused: Refused) async throws {
        let (teapot, transport) = try teapot(200, "{}")
        let error = await #expect(throws: TeapotError.self) { try await refused.call(teapot) }
        #expect(error?.type == refused.type)
        #expect(error?.failureReason?.contains(refused.reason) == true)
        #expect(error?.failureReason?.contains("hunter2") == false)
        #expect(error?.response == nil)
        #expect(error?.data == nil)
        #expect(transport.hops.isEmpty)
    }

    @Test func `a Teapot with an invalid base URL refuses all requests`() async throws {
        let transport = ManualTransport()
        let teapot = Teapot(baseURL: URL(filePath: "/tea"), transport: transport)
        let error = await #expect(throws: TeapotError.self) { try await teapot.get("a") }
        #expect(error?.type == .invalidRequestPath)
        #expect(transport.hops.isEmpty)
    }

    // MARK: - Beneath

    @Test func `no connection is noResponse`() async throws {
        // Nobody listens there, while the port of a server that is gone may be another's by now.
        let teapot = Teapot(baseURL: try #require(URL(string: "http://127.0.0.1:1")))
        let error = await #expect(throws: TeapotError.self) { try await teapot.get("get") }
        #expect(error?.type == .noResponse)
        #expect((error?.underlyingError as? URLError)?.code == .cannotConnectToHost)
        #expect(error?.response == nil)
    }

    @Test func `a body past the limit is responseTooLarge`() async throws {
        let (teapot, _) = try teapot(200, "[1,2,3]")
        teapot.maximumResponseSize = 6
        let error = await #expect(throws: TeapotError.self) { try await teapot.get("a", as: [Int].self) }
        #expect(error?.type == .responseTooLarge)
        teapot.maximumResponseSize = 7
        #expect(try await teapot.get("a", as: [Int].self) == [1, 2, 3])
    }

    // MARK: - Typed

    /// That this compiles is the test: `catch` gives a `TeapotError`.
    private func summary(_ path: String, from teapot: Teapot) async -> String {
        do {
            let response = try await teapot.get(path)
            let numbers: [Int] = try response.decode()
            return "\(numbers.count + (try await teapot.get(path, as: [Int].self)).count)"
        } catch {
            switch error.type {
            case .invalidResponseStatus: return "status \(error.responseStatus ?? 0)"
            case .decodingFailed: return "other body"
            case .cancelled: return "cancelled"
            case .noResponse, .dataTaskError, .responseTooLarge: return "network"
            case .invalidPayload, .invalidRequestPath, .invalidHeaderField, .fileError, .preparationFailed:
                return "mistake"
            case .missingMockFile, .invalidMockFile, .incorrectHeaders: return "mock"
            case .unexpectedRequest: return "mock"
            case .missingImage: return "other"
            }
        }
    }

    @Test(arguments: [(200, "[1,2]", "4"), (200, "{}", "other body"), (404, "", "status 404")])
    func `a switch needs no cast`(status: Int, body: String, summary: String) async throws {
        let (teapot, _) = try teapot(status, body)
        #expect(await self.summary("a", from: teapot) == summary)
        #expect(await self.summary("//a", from: teapot) == "mistake")
    }
}
