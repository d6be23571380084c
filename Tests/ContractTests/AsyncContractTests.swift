import Teapot
import TeapotMock
import TestSupport
import TestTraits
import Testing

/// The results of the async verbs and of the blocking call, whatever answers them.
@Suite(.inTurn)
struct AsyncContractTests {
    struct Echo: Decodable, Sendable {
        let data: String
        let headers: [String: String]
    }

    struct Refusal: Decodable, Sendable {
        let message: String
        let accept: [String]
    }

    // MARK: - On the wire

    struct Arguments: Decodable, Sendable {
        let args: [String: String]
    }

    static let marks = (0x20...0x7E).map { String(UnicodeScalar(UInt8($0))) }
        .filter { $0.first?.isLetter == false && $0.first?.isNumber == false }

    struct Note: Encodable, Sendable {
        var title = "tea/ü"
        var cups = 2
    }

    @Test(arguments: Backend.servers)
    func `a value is sent as JSON, and Data byte for byte`(backend: Backend) async throws {
        let teapot = try backend.teapot()
        let value = try await teapot.post("post", body: Note(), as: Echo.self)
        #expect(value.data == #"{"cups":2,"title":"tea/ü"}"#)
        #expect(value.headers["Content-Type"] == "application/json")
        let data = try await teapot.put("put", body: Data(#"{ "b" : 1 }"#.utf8), as: Echo.self)
        #expect(data.data == #"{ "b" : 1 }"#)
        #expect(data.headers["Content-Type"] == "application/json")
        let text = Teapot.Request.Body(Data("tea".utf8), contentType: "text/plain")
        let body = try await teapot.send(.init(.patch, path: "patch", body: text), as: Echo.self)
        #expect(body.data == "tea")
        #expect(body.headers["Content-Type"] == "text/plain")
    }

    @Test(arguments: Backend.servers)
    func `query items come back as the same text, one by one and together`(backend: Backend) async throws {
        let teapot = try backend.teapot()
        #expect(Self.marks.count == 33)
        let texts = Self.marks + ["a  b", " a ", "%41", "😀", "👩‍👩‍👧", "ü", "日本語", "\r\n\t", Self.marks.joined(), ""]
        let items = Teapot.QueryItems(texts.enumerated().map { URLQueryItem(name: "n\($0.offset)", value: $0.element) })
        let all = try await teapot.get("get", as: Arguments.self, query: items).args
        #expect(all == Dictionary(items.items.map { ($0.name, $0.value ?? "") }) { first, _ in first })
        for text in texts where !text.isEmpty {
            let query: Teapot.QueryItems = [text: text]
            #expect(try await teapot.get("get", as: Arguments.self, query: query).args == [text: text])
        }
    }

    // MARK: - Errors

    typealias Call = @Sendable (Teapot) async throws -> Teapot.Response
    static let refused: [(name: String, type: TeapotError.ErrorType, call: Call)] = [
        ("another host", .invalidRequestPath, { try await $0.get("//evil.example/x") }),
        ("a path above the base URL", .invalidRequestPath, { try await $0.post("../x", body: ["a": 1]) }),
        (
            "two header fields in one", .invalidHeaderField,
            { try await $0.get("get", headerFields: ["X-A": "1\r\nX-B: 2"]) }
        ),
        (
            "another length", .invalidHeaderField,
            { try await $0.put("put", body: ["a": 1], headerFields: ["Content-Length": "8"]) }
        ),
        ("NaN", .invalidPayload, { try await $0.patch("patch", body: ["a": ["b": Double.nan]]) }),
        (
            "a GET with a body", .invalidPayload,
            { try await $0.send(Teapot.Request(path: "get", body: Teapot.Request.Body(Data()))) }
        ),
        (
            "a file that is not there", .fileError,
            { try await $0.send(Teapot.Request(.post, path: "post", body: .file(URL(filePath: "/there/is/none")))) }
        ),
    ]

    @Test(arguments: Backend.available, brief(refused.indices) { refused[$0].name })
    func `a request that cannot be sent is refused`(backend: Backend, row: Brief<Int>) async throws {
        let teapot = try backend.teapot()
        let (_, type, call) = Self.refused[row.value]
        let error = await #expect(throws: TeapotError.self) { try await call(teapot) }
        #expect(error?.type == type)
        #expect(error?.failureReason != nil)
        #expect(error?.response == nil)
    }
}
