import Foundation
import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// `RequestParameter.data` is what is sent: a signature of it is that of the body that arrives.
@Suite(.inTurn)
struct SignedBodyContractTests {
    /// One way to send parameters.
    struct Shape: Sendable, CustomTestStringConvertible {
        typealias Completion = @Sendable (NetworkResult) -> Void

        let testDescription: String
        var method = HTTPMethod.post
        let call: @Sendable (Teapot, [String: String], @escaping Completion) -> URLSessionTask?
    }

    /// Many keys, since the order of a dictionary differs from one run to the next.
    private static var object: [String: Any] {
        var object = Dictionary(uniqueKeysWithValues: (0..<40).map { ("key\($0)", $0 as Any) })
        object["path"] = "/a/b?c=\"d\"\\\n"
        object["ü 😀"] = ["inner": [true, NSNull(), 1.5, -0.1, Int.max, "\u{2028}"]] as [String: Any]
        return object
    }

    private static var array: [[String: Any]] { [object, [:], ["a": [[String: Any]]()]] }

    private static let data = Data(#"{ "b": 1,  "a": "\/" }"#.utf8)

    private static let shapes: [Shape] = [
        Shape(testDescription: "post, dictionary") {
            $0.post("post", parameters: object, headerFields: $1, completion: $2)
        },
        Shape(testDescription: "put, parameter", method: .put) {
            $0.put("put", parameters: RequestParameter(object), headerFields: $1, completion: $2)
        },
        Shape(testDescription: "patch, JSON", method: .patch) {
            $0.patch("patch", parameters: RequestParameter(JSON(object)), headerFields: $1, completion: $2)
        },
        Shape(testDescription: "delete, dictionary", method: .delete) {
            $0.delete("delete", parameters: object, headerFields: $1, completion: $2)
        },
    ]

    /// No secret is at stake: it has to differ where bytes do (FNV-1a).
    private func signature(_ bytes: some Sequence<UInt8>) -> String {
        let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }

    /// The body that arrived, and its signature.
    private func arrived(_ result: CallResult, at teapot: Teapot) throws -> (body: Data, signature: String) {
        #expect(result.isSuccess)
        if let mock = teapot as? MockTeapot {
            let request = try #require(mock.requests.last)
            return (request.body, try #require(request.headerFields["X-Signature"]))
        }
        let body = try #require(result.text("data"))
        return (Data(body.utf8), try #require(result.text("headers", "X-Signature")))
    }

    private func header(_ parameter: RequestParameter) throws -> [String: String] {
        ["X-Signature": signature(try #require(parameter.data))]
    }

    @Test(arguments: Backend.available, shapes)
    func `the signature of a dictionary holds`(backend: Backend, shape: Shape) async throws {
        let teapot = try backend.teapot()
        let fields = try header(RequestParameter(Self.object))
        let result = await result { shape.call(teapot, fields, $0) }
        let (body, sent) = try arrived(result, at: teapot)
        #expect(signature(body) == sent)
        #expect(body.count > 400)
    }

    @Test(arguments: Backend.available, [RequestParameter(array), RequestParameter(data)].map { Unchecked($0) })
    func `the signature of an array or of data holds`(backend: Backend, parameter: Unchecked) async throws {
        let teapot = try backend.teapot()
        let fields = try header(parameter.value)
        let result = await result {
            teapot.post("post", parameters: parameter.value, headerFields: fields, completion: $0)
        }
        let (body, sent) = try arrived(result, at: teapot)
        #expect(signature(body) == sent)
    }

    @Test(arguments: Backend.available)
    func `the signature of a request's body holds`(backend: Backend) async throws {
        let teapot = try backend.teapot()
        let parameter = RequestParameter(Self.object)
        let request = Teapot.Request(
            .post,
            path: "post",
            headerFields: try header(parameter),
            body: try Teapot.Request.Body(parameter)
        )
        let answer = try await teapot.send(request)
        let (body, sent) = try arrived(CallResult(NetworkResult(answer.json, answer.http)), at: teapot)
        #expect(signature(body) == sent)
        var bytes = Data()
        for try await byte in try await teapot.bytes(request) { bytes.append(byte) }
        let streamed = NetworkResult(try? JSON(data: bytes), answer.http)
        let (again, _) = try arrived(CallResult(streamed), at: teapot)
        #expect(again == body)
    }

    /// Its contents are only read.
    struct Unchecked: @unchecked Sendable, CustomTestStringConvertible {
        let value: RequestParameter
        var testDescription: String { value.array == nil ? "data" : "array" }

        init(_ value: RequestParameter) { self.value = value }
    }
}
