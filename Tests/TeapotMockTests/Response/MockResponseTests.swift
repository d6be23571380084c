import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// The result of each kind of mocked response.
@Suite(.inTurn)
struct MockResponseTests {
    private let mock = MockTeapot(bundle: .module, statusCode: .notFound)

    private func response(_ response: MockResponse, to method: Teapot.HTTPMethod = .get) async throws -> Teapot.Response
    {
        try mock.overrideEndPoint("a", with: response)
        return try await mock.send(Teapot.Request(method, path: "a"))
    }

    private struct Tea: Encodable {
        var teaKind = "grün/1"
    }

    private static let snake: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return encoder
    }()

    static let kinds: [(body: String, type: String, make: @Sendable () throws -> MockResponse)] = [
        (#"{"name": "teapot", "cups": 2}"# + "\n", "application/json", { .file("mock-object") }),
        (#"{"a":null,"b":[1,true]}"#, "application/json", { try .json(["b": [1, true], "a": NSNull()]) }),
        (#"[{"id":1},{"id":2}]"#, "application/json", { try .json([["id": 1], ["id": 2]]) }),
        ("[1, 2]", "application/json", { try .json(.data(Data("[1, 2]".utf8))) }),
        (#"{"teaKind":"grün/1"}"#, "application/json", { try .encoding(Tea()) }),
        (#"{"tea_kind":"grün\/1"}"#, "application/json", { try .encoding(Tea(), using: snake) }),
        ("\r\0", "application/x-tea", { .data(Data("\r\0".utf8), contentType: "application/x-tea") }),
    ]

    @Test(arguments: brief(kinds.indices) { kinds[$0].body })
    func `a body and its type`(row: Brief<Int>) async throws {
        let (body, type, make) = Self.kinds[row.value]
        let response = try await response(make())
        #expect(String(decoding: response.data, as: UTF8.self) == body)
        #expect(response.headerFields["Content-Type"] == type)
        #expect(response.headerFields["Content-Length"] == "\(body.utf8.count)")
    }

    @Test func `a status and header fields`() async throws {
        let fields = ["content-type": "application/vnd.tea+json", "X-Tea": "green"]
        try mock.overrideEndPoint(
            "a",
            withSequence: [
                .file("mock-object", status: 201, headerFields: fields), .json([:], status: 201, headerFields: fields),
                .encoding(Tea(), status: 201, headerFields: fields),
            ]
        )
        for _ in 0..<3 {
            let response = try await mock.get("a")
            #expect(response.status == 201)
            #expect(response.headerFields["x-tea"] == "green")
            #expect(response.headerFields["Content-Type"] == fields["content-type"])
        }
    }

    @Test func `an image`() async throws {
        let file = try #require(Bundle.module.url(forResource: "mock-image", withExtension: "png"))
        try mock.overrideEndPoint("a", with: .image(Data(contentsOf: file)))
        let result = try imageAnswer { mock.downloadImage(path: "a", completion: $0) }
        #expect(result.isSuccess)
        #expect(result.response.value(forHTTPHeaderField: "Content-Type") == "image/png")
    }

    /// No length either, if there is no content (RFC 9110, section 8.6).
    @Test(arguments: [(.head, 200, "7"), (.get, 204, nil), (.head, 204, nil)] as [(Teapot.HTTPMethod, Int, String?)])
    func `some responses have no body, whatever is declared`(method: Teapot.HTTPMethod, status: Int, length: String?)
        async throws
    {
        let response = try await response(.json(["a": 1], status: .init(rawValue: status)), to: method)
        #expect(response.data.isEmpty)
        #expect(response.headerFields["Content-Length"] == length)
        try mock.overrideEndPoint("b", with: .json([:], status: 304))
        let error = await #expect(throws: TeapotError.self) { try await mock.get("b") }
        #expect(error?.data?.isEmpty == true)
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
}
