import Teapot
import TeapotMock
import TestTraits
import Testing

/// The bodies that endpoints are declared with.
@Suite(.inTurn)
struct DeclaredBodyTests {
    private struct Note: Codable, Sendable {
        var id = 1
        var title = "Tea/Pot"
    }

    private let mock = MockTeapot(strictIn: .module)

    private func post(_ body: Teapot.Request.Body) async throws -> Int {
        try await mock.send(Teapot.Request(.post, path: "notes", body: body)).status
    }

    @Test func `JSON is that of a value`() async throws {
        try mock.overrideEndPoint("notes", method: .post, body: .json(Note()), with: .status(.created))
        #expect(try await post(.json(["id": 1, "title": "Tea/Pot"] as JSONObject)) == 201)
        #expect(try await post(Teapot.Request.Body(Data(#"{ "title": "Tea\/Pot", "id": 1.0 }"#.utf8))) == 201)
        await #expect(throws: TeapotError.self) { try await post(.json(Note(id: 2))) }
    }

    /// A value of a dictionary that can be encoded.
    private enum JSONValue: Encodable, Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
        case text(String), number(Int)

        init(stringLiteral text: String) { self = .text(text) }
        init(integerLiteral number: Int) { self = .number(number) }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .text(let text): try container.encode(text)
            case .number(let number): try container.encode(number)
            }
        }
    }
    private typealias JSONObject = [String: JSONValue]

    @Test func `an encoder of its own writes the JSON`() async throws {
        struct Event: Encodable, Sendable { var startTime = Date(timeIntervalSince1970: 0) }
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .iso8601
        try mock.overrideEndPoint("notes", body: .json(Event(), using: encoder), with: .status(.created))
        #expect(try await post(.json(["start_time": "1970-01-01T00:00:00Z"])) == 201)
        let error = #expect(throws: TeapotError.self) { try RequestParameter.json(["a": Double.nan]) }
        #expect(error?.type == .invalidPayload)
    }

    @Test func `a form has its fields in any order`() async throws {
        try mock.overrideEndPoint(
            "notes",
            body: .form(["a": "x y", "tag": [1, 2], "b": "&"]),
            with: .status(.created)
        )
        #expect(try await post(.form(["b": "&", "tag": 1, "a": "x y", "tag": 2])) == 201)
        // Not those of the same name, and no other.
        for form in [
            ["b": "&", "tag": 2, "a": "x y", "tag": 1], ["a": "x y", "tag": [1, 2]],
            ["a": "x y", "tag": [1, 2], "b": "&", "c": ""],
        ]
            as [Teapot.QueryItems]
        {
            await #expect(throws: TeapotError.self) { try await post(.form(form)) }
        }
        // As text of another type, it is no form.
        let text = Teapot.Request.Body(Data("b=%26&tag=1&a=x+y&tag=2".utf8), contentType: "text/plain")
        await #expect(throws: TeapotError.self) { try await post(text) }
    }

    @Test func `the first field that differs is named, and a secret is not shown`() async throws {
        try mock.overrideEndPoint("notes", body: .form(["a": 1, "code": "hush"]), with: .status(.created))
        for (form, text) in [
            (["a": 2, "code": "hush"], #"a is "2", not "1""#), (["a": 1, "code": "other"], "code has another value"),
            (["a": 1], "code has another value"),
            (["a": 1, "code": "hush", "b": 3], #"b is "3", which was not declared"#),
        ] as [(Teapot.QueryItems, String)] {
            let error = await #expect(throws: TeapotError.self) { try await post(.form(form)) }
            #expect(error?.failureReason?.contains(text) == true, "\(error?.failureReason ?? "")")
            #expect(error?.failureReason?.contains("hush") == false)
        }
    }

    @Test func `JSON that was declared is not looked for in the fields of a form`() async throws {
        try mock.overrideEndPoint("notes", body: .json(Note()), with: .status(.created))
        let error = await #expect(throws: TeapotError.self) { try await post(.form(["id": 1])) }
        #expect(error?.failureReason?.contains("at byte 0") == true, "\(error?.failureReason ?? "")")
    }
}
