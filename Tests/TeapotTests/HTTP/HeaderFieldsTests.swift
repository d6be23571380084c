import Teapot
import TestTraits
import Testing

@Suite(.inTurn)
struct HeaderFieldsTests {
    private static func fields(_ fields: [String: String]) throws -> Teapot.HeaderFields {
        let url = try #require(URL(string: "http://h"))
        return try Teapot.HeaderFields(
            #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: fields))
        )
    }

    @Test(arguments: ["ETag", "etag", "Etag", "ETAG", "eTaG"])
    func `are looked up without regard to case`(name: String) throws {
        #expect(try Self.fields(["ETag": "\"1\""])[name] == "\"1\"")
        #expect(try Self.fields(["etag": "\"1\""])[name] == "\"1\"")
        #expect(try Self.fields(["ETAG": "\"1\""])[name] == "\"1\"")
    }

    @Test func `are iterated by name`() throws {
        let fields = try Self.fields(["X-B": "2", "X-A": "1", "X-C": ""])
        #expect(fields.map(\.name) == ["X-A", "X-B", "X-C"])
        #expect(fields.map(\.value) == ["1", "2", ""])
    }

    @Test(
        arguments: [
            ("a", "a"), (" a", "a"), ("a\t ", "a"), (" \ta b\t", "a b"), ("", ""), ("  ", ""),
            ("\u{A0}a\u{A0}", "\u{A0}a\u{A0}"),
            (" é ", "é"),
        ] as [(String, String)]
    )
    func `have no blanks around them`(value: String, expected: String) throws {
        #expect(try Self.fields(["X-A": value])["X-A"] == expected)
    }

    @Test func `join fields whose names differ only in case`() throws {
        let fields = try Self.fields(["x-a": "1", "X-A": "2"])
        let kept = fields.map(\.value)
        #expect(!kept.isEmpty)
        #expect(fields["X-a"] == kept.joined(separator: ", "))
    }
}
