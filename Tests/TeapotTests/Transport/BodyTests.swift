import LoopbackServer
import Teapot
import TestSupport
import TestTraits
import Testing

/// Bodies, as the server receives them: exactly the bytes, and the header fields that describe them.
@Suite(.inTurn)
struct BodyTests {
    enum Payload: String, CaseIterable {
        case dictionary, array, json, other, nothing

        var parameter: RequestParameter? {
            switch self {
            case .dictionary: RequestParameter(["b": "ü/😀", "a": [1, 2.5, true, NSNull()] as [Any]])
            case .array: RequestParameter([["a": 1], [:]])
            case .json: RequestParameter(Data(" [1, 2]\n".utf8))
            case .other: RequestParameter(Data([0, 255, 13, 10, 37]))
            case .nothing: nil
            }
        }

        var bytes: Data {
            switch self {
            case .dictionary: Data(#"{"a":[1,2.5,true,null],"b":"ü/😀"}"#.utf8)
            case .array: Data(#"[{"a":1},{}]"#.utf8)
            case .json: Data(" [1, 2]\n".utf8)
            case .other: Data([0, 255, 13, 10, 37])
            case .nothing: Data()
            }
        }

        var contentType: String? {
            switch self {
            case .dictionary, .array, .json: "application/json"
            case .other: "application/octet-stream"
            case .nothing: nil
            }
        }
    }

    @Test(arguments: Payload.allCases, [nil, "application/vnd.tea"])
    func `the server receives exactly the bytes`(payload: Payload, contentType: String?) async throws {
        let server = try LoopbackServer()
        let teapot = Teapot(baseURL: server.baseURL, clock: StoppedClock())
        let fields = contentType.map { ["content-type": $0] }
        for (method, call) in [
            ("POST", teapot.post as Verb), ("PUT", teapot.put), ("PATCH", teapot.patch), ("DELETE", teapot.delete),
        ] {
            let result = await result { call("anything", payload.parameter, fields, 15, true, .global(), $0) }
            #expect(result.isSuccess)
            let request = try #require(server.requests.last)
            #expect(request.method == method)
            #expect(request.body == payload.bytes)
            #expect(request.header("Content-Type") == contentType ?? payload.contentType)
            // A DELETE expects no body (RFC 9110, section 8.6).
            let hasLength = method != "DELETE" || !payload.bytes.isEmpty
            #expect(request.header("Content-Length") == (hasLength ? "\(payload.bytes.count)" : nil))
            #expect(request.header("Transfer-Encoding") == nil)
        }
    }

    private typealias Verb = (
        String, RequestParameter?, [String: String]?, TimeInterval?, Bool, DispatchQueue?,
        @escaping @Sendable (NetworkResult) -> Void
    ) -> URLSessionTask?

    @Test func `a large body goes out whole`() async throws {
        let server = try LoopbackServer()
        let teapot = Teapot(baseURL: server.baseURL, clock: StoppedClock())
        let bytes = GeneratedFile.bytes(0..<3_000_000)
        let task = Locked<URLSessionTask?>(nil)
        let result = await result { completion in
            let started = teapot.post(
                "status/200",
                parameters: .data(bytes),
                deliveryQueue: .global(),
                completion: completion
            )
            task.withLock { $0 = started }
            return started
        }
        #expect(result.isSuccess)
        #expect(server.requests.last?.body == bytes)
        #expect(task.withLock { $0?.countOfBytesSent } == 3_000_000)
    }
}
