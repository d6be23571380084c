import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// The result of each kind of mocked response.
@Suite(.inTurn)
struct MockResponseTests {
    private let mock = MockTeapot(bundle: .module, statusCode: .notFound)

    private func response(_ response: MockResponse, to method: HTTPMethod = .get) async throws -> Teapot.Response {
        try mock.overrideEndPoint("a", with: response)
        return try await mock.send(Teapot.Request(method, path: "a"))
    }

    struct Note: Codable, Equatable {
        var title = "tea/ü"
    }

    @Test func `a file`() async throws {
        let response = try await response(.file("mock-object", status: 201, headerFields: ["X-Tea": "green"]))
        #expect(response.status == 201)
        #expect(response.json?.dictionary != nil)
        #expect(response.headerFields["x-tea"] == "green")
        #expect(response.headerFields["Content-Type"] == "application/json")
        #expect(response.headerFields["Content-Length"] == "\(response.data.count)")
    }

    @Test func `JSON`() async throws {
        let response = try await response(.json(["b": [1, true], "a": NSNull()], status: 202))
        #expect(response.status == 202)
        #expect(String(decoding: response.data, as: UTF8.self) == #"{"a":null,"b":[1,true]}"#)
        #expect(response.headerFields["content-type"] == "application/json")
    }

    @Test func `JSON as it stands, or in an array`() async throws {
        #expect(try await response(.json(.data(Data("[1, 2]".utf8)))).data == Data("[1, 2]".utf8))
        try mock.overrideEndPoint("b", with: .json([["id": 1], ["id": 2]]))
        #expect(try await mock.get("b").json?.array?.count == 2)
    }

    @Test func `a value`() async throws {
        let response = try await response(.encoding(Note(), headerFields: ["Content-Type": "application/vnd.tea+json"]))
        #expect(String(decoding: response.data, as: UTF8.self) == #"{"title":"tea/ü"}"#)
        #expect(try response.decode(Note.self) == Note())
        #expect(response.headerFields["content-type"] == "application/vnd.tea+json")
    }

    @Test func `a value with an encoder`() async throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        struct Tea: Encodable { let teaKind = "green" }
        let response = try await response(.encoding(Tea(), using: encoder))
        #expect(String(decoding: response.data, as: UTF8.self) == #"{"tea_kind":"green"}"#)
    }

    @Test func `data`() async throws {
        let bytes = Data((0...255).map { UInt8($0) })
        let response = try await response(.data(bytes, contentType: "application/x-tea"))
        #expect(response.data == bytes)
        #expect(response.headerFields["content-type"] == "application/x-tea")
    }

    @Test func `an image`() async throws {
        let file = try #require(Bundle.module.url(forResource: "mock-image", withExtension: "png"))
        try mock.overrideEndPoint("a", with: .image(Data(contentsOf: file)))
        let result = try imageAnswer { mock.downloadImage(path: "a", completion: $0) }
        #expect(result.isSuccess)
        #expect(result.response.value(forHTTPHeaderField: "Content-Type") == "image/png")
    }

    @Test(arguments: [HTTPMethod.head, .get])
    func `some responses have no body, whatever is declared`(method: HTTPMethod) async throws {
        for status in [200, 204, 304] as [MockTeapot.StatusCode] {
            let mock = MockTeapot(bundle: .module)
            try mock.overrideEndPoint("a", with: .json(["a": 1], status: status))
            let error = await thrown { () throws(TeapotError) in
                let response = try await mock.send(Teapot.Request(method, path: "a"))
                #expect(response.data.isEmpty == (method == .head || status != .ok))
            }
            #expect(error?.data?.isEmpty != false)
        }
    }

    @Test(arguments: [URLError.Code.timedOut, .cannotConnectToHost, .notConnectedToInternet])
    func `a transport error`(code: URLError.Code) async throws {
        let error = await #expect(throws: TeapotError.self) { try await response(.failure(code)) }
        #expect(error?.type == .noResponse)
        #expect((error?.underlyingError as? URLError)?.code == code)
        #expect(error?.response == nil)
    }

    @Test func `without a response, nothing of a body is sent`() async throws {
        try mock.overrideEndPoint("a", with: .failure(.notConnectedToInternet))
        let progress = Locked<[Int]>([])
        let request = Teapot.Request(.post, path: "a", body: Teapot.Request.Body(Data(count: 1_000)))
        _ = try? await mock.upload(request) { step in progress.withLock { $0.append(Int(step.bytes)) } }
        #expect(progress.withLock { $0 }.allSatisfy { $0 == 0 })
    }

    @Test func `a transport error with a text of its own`() async throws {
        let cause = URLError(.timedOut, userInfo: [NSLocalizedDescriptionKey: "no tea today"])
        let error = await #expect(throws: TeapotError.self) { try await response(.failure(cause)) }
        #expect(error?.failureReason == "no tea today")
    }

    @Test func `a response that breaks off`() async throws {
        let whole = try MockResponse.json(["a": 1], status: 201)
        let error = await #expect(throws: TeapotError.self) { try await response(whole.breakingOff()) }
        #expect(error?.type == .dataTaskError)
        #expect(error?.responseStatus == 201)
        #expect(error?.data == Data(#"{"a":1}"#.utf8))
        #expect((error?.underlyingError as? URLError)?.code == .networkConnectionLost)
    }
}
